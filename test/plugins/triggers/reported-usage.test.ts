import { readFileSync } from "node:fs";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { createCompactor } from "../../../src/index.ts";

interface UsageCase {
	readonly id: string;
	readonly given: {
		readonly context_window: number;
		readonly percent: number;
		readonly usage_newest_last: readonly (number | null)[];
	};
	readonly expect: { readonly fires: boolean };
	readonly why: string;
}

const cases = (
	JSON.parse(readFileSync(new URL("../../cases/seeds.json", import.meta.url), "utf8")) as UsageCase[]
).filter(({ id }) => ["trigger-004", "trigger-005", "trigger-010"].includes(id));

/** One short message: its estimate is far below every threshold, so that only what was reported can fire. */
const messages: readonly ModelMessage[] = [{ role: "user", content: "Count." }];

describe("the window's trigger and what the provider reported", () => {
	test.each(cases)("$id: $why", async ({ given, expect: expected }) => {
		const compactor = await createCompactor({
			tokens: { window: given.context_window },
			trigger: { use: "context-window", percent: given.percent },
			strategy: { use: "keep-recent" },
		});
		const steps = given.usage_newest_last.map((inputTokens) => ({ usage: { inputTokens } }));
		expect(compactor.shouldCompact(messages, { steps } as never) !== undefined).toBe(expected.fires);
	});
});
