import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { leadingSystemCount } from "../src/core/transcript/kinds.ts";
import { type Message, partsOf } from "../src/core/transcript/message.ts";
import { type Compactor, createCompactor } from "../src/index.ts";

const data = join(process.env.PRECIS_SHARED ?? resolve(import.meta.dirname, "../../shared"), "data");
const names = existsSync(data)
	? readdirSync(data).filter((name) => name.endsWith(".json") && !name.includes(".compactions."))
	: [];

/** Calls without a result, and results without a call, each as often as it occurs. */
function orphans(messages: readonly Message[]): readonly string[] {
	const open = new Map<string, number>();
	const lone: string[] = [];
	for (const message of messages) {
		for (const { type, toolCallId = "" } of partsOf(message)) {
			if (type === "tool-call") open.set(toolCallId, (open.get(toolCallId) ?? 0) + 1);
			if (type !== "tool-result") continue;
			const count = open.get(toolCallId) ?? 0;
			if (count === 0) lone.push(`result ${toolCallId}`);
			else open.set(toolCallId, count - 1);
		}
	}
	return [...lone, ...[...open].flatMap(([id, count]) => Array.from({ length: count }, () => `call ${id}`))];
}

describe.skipIf(names.length === 0)(`every transcript of ${data}`, () => {
	let compactor: Compactor | undefined;

	test.each(names)(
		"%s is compacted to a summary and its newest messages, and nothing breaks",
		async (name) => {
			compactor ??= await createCompactor({ strategy: { use: "summarize-older", keepLast: 2 } });
			const text = readFileSync(join(data, name), "utf8");
			const messages = JSON.parse(text) as ModelMessage[];
			const result = await compactor.compact(messages);
			expect(JSON.stringify(messages)).toBe(JSON.stringify(JSON.parse(text)));
			const before = orphans(messages as Message[]);
			expect(orphans(result.messages as Message[]).filter((orphan) => !before.includes(orphan))).toEqual([]);
			const head = leadingSystemCount(messages as Message[]);
			expect(result.messages.slice(0, head)).toEqual(messages.slice(0, head));
			for (const [index, from] of result.provenance.entries()) {
				if ("kept" in from) expect(result.messages[index]).toBe(messages[from.kept]);
			}
			if (result.status === "compacted") {
				expect(result.tokens.after).toBeLessThan(result.tokens.before);
				expect(result.tokens.summaryBudget).toBeDefined();
			} else {
				expect(result.unchanged).toBeDefined();
				expect(messages.length - head).toBeLessThan(6);
			}
			const again = await compactor.compact(structuredClone(messages));
			expect(JSON.stringify(again)).toBe(JSON.stringify(result));
		},
	);
});

test.runIf(names.length === 0)(`real transcripts are absent: there is no ${data}; set PRECIS_SHARED`, () => {
	expect(names).toEqual([]);
});
