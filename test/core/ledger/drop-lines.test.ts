import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dropLines } from "../../../src/core/ledger/drop-lines.ts";
import type { Message } from "../../../src/core/transcript/message.ts";

const RUNS = Number(process.env.PRECIS_RUNS ?? 200);
const countTokens = (text: string): number => text.length / 4;
const drop = (text: string, tokens: number, evicted: readonly Message[] = []): string =>
	dropLines(text, { evicted, tokens, countTokens });

describe("making room in a text", () => {
	test("a text that fits comes back as it is", () => {
		expect(drop("one\ntwo", 100)).toBe("one\ntwo");
	});

	test("a line that repeats another goes first, wherever it stands", () => {
		const text =
			"Summary\nThe parser reads lines quickly\nWater boils above\nThe parser reads lines quickly\nLast words remain";
		const kept = drop(text, countTokens(text) - 4).split("\n");
		expect(kept).toEqual([
			"Summary",
			"The parser reads lines quickly",
			"Water boils above",
			"Last words remain",
		]);
	});

	test("code goes before speech", () => {
		const text = "Summary\n```\nalpha = beta(gamma)\n```\nalpha means beta and gamma";
		expect(drop(text, 10)).toContain("alpha means beta and gamma");
		expect(drop(text, 10)).not.toContain("beta(gamma)");
	});

	test("what is left of a block of code stays between its fences, and with the last line the fences go", () => {
		const text = "Summary\n```ts\nx = 1\n\nopen the windows\n```\nWater boils above the shelf";
		expect(drop(text, countTokens(text) - 1)).toBe(
			"Summary\n```ts\nopen the windows\n```\nWater boils above the shelf",
		);
		expect(drop(text, 10)).toBe("Summary\nWater boils above the shelf");
		expect(drop("Summary\n```\n```\nWater boils above the shelf", 10)).toBe(
			"Summary\nWater boils above the shelf",
		);
	});

	test("the user's own words stay longer than the model's", () => {
		const evicted: Message[] = [{ role: "user", content: "please keep every door shut tonight" }];
		const text = "Summary\nthe windows were all opened wide\nplease keep every door shut tonight";
		expect(drop(text, 12, evicted)).toBe("Summary\nplease keep every door shut tonight");
	});

	test("for any text: lines of it in its order, the first among them, never longer than asked where lines can go", () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom("```", "```ts", "")), {
					maxLength: 30,
				}),
				fc.integer({ min: 0, max: 100 }),
				(parts, tokens) => {
					const text = parts.join("\n");
					const kept = drop(text, tokens);
					expect(drop(text, tokens)).toBe(kept);
					const source = text.split("\n");
					const lines = kept.split("\n");
					expect(lines[0]).toBe(source[0]);
					let at = -1;
					for (const line of lines) {
						at = source.indexOf(line, at + 1);
						expect(at).toBeGreaterThanOrEqual(0);
					}
					expect(lines.length === 1 || countTokens(kept) <= tokens).toBe(true);
				},
			),
			{ numRuns: RUNS },
		);
	});
});
