import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { leadingSystemCount } from "../src/core/transcript/kinds.ts";
import { type Message, partsOf } from "../src/core/transcript/message.ts";
import { type Compactor, createCompactor } from "../src/index.ts";
import { hasSharedData, sharedNames, sharedTranscript } from "./support/shared-data.ts";

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

describe.skipIf(!hasSharedData)("every shared transcript", () => {
	let compactor: Compactor | undefined;

	test.each(sharedNames)(
		"%s is compacted to a summary and its newest messages, and nothing breaks",
		async (name) => {
			compactor ??= await createCompactor({ strategy: { use: "summarize-older", keepLast: 2 } });
			const messages = sharedTranscript(name) as ModelMessage[];
			const text = JSON.stringify(messages);
			const result = await compactor.compact(messages);
			expect(JSON.stringify(messages)).toBe(text);
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

test.runIf(!hasSharedData)("real transcripts are absent: set PRECIS_SHARED", () => {
	expect(sharedNames).toEqual([]);
});
