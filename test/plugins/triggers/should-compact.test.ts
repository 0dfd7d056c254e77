import { readFileSync } from "node:fs";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { type Compactor, createCompactor } from "../../../src/index.ts";

interface Given {
	readonly id: string;
	readonly input: {
		readonly op: {
			readonly maxTokens: number;
			readonly overheadTokens?: number;
			readonly reportedInputTokens?: number;
		};
		readonly messages: readonly {
			readonly role: string;
			readonly content: string | { readonly $repeat: { readonly text: string; readonly times: number } };
		}[];
		readonly usageVariants?: readonly unknown[];
		readonly steps?: readonly unknown[];
		readonly totalUsage?: unknown;
	};
}

const reports = JSON.parse(
	readFileSync(new URL("../../cases/reports.json", import.meta.url), "utf8"),
) as Given[];

function given(id: string): Given["input"] & { readonly transcript: ModelMessage[] } {
	const found = reports.find((one) => one.id === id);
	if (found === undefined) throw new TypeError(`there is no case ${id}`);
	const transcript = found.input.messages.map(({ role, content }) => ({
		role,
		content: typeof content === "string" ? content : content.$repeat.text.repeat(content.$repeat.times),
	}));
	return { ...found.input, transcript: transcript as ModelMessage[] };
}

const asking = (max: number): Promise<Compactor> =>
	createCompactor({
		trigger: { use: "tokens", max },
		tokens: { counter: { use: "ratio", charsPerToken: 4, perMessage: 4 } },
		strategy: { use: "keep-recent", keepLast: 2 },
	});

describe("shouldCompact", () => {
	test("token-count-01: counts what is sent beside the transcript", async () => {
		const { transcript, op } = given("token-count-01");
		const { shouldCompact } = await asking(op.maxTokens);
		expect(shouldCompact(transcript, { overheadTokens: op.overheadTokens ?? 0 })?.trigger).toBe("tokens");
		expect(shouldCompact(transcript, { overheadTokens: 0 })).toBeUndefined();
		const system: ModelMessage = { role: "system", content: "Rule. ".repeat(200) };
		expect(shouldCompact([system, ...transcript], { overheadTokens: 0 })?.trigger).toBe("tokens");
	});

	test("token-count-07: with usage that is missing or absurd answers from the estimate, in finite figures", async () => {
		const { transcript, op, usageVariants = [] } = given("token-count-07");
		const { shouldCompact, countTokens } = await asking(op.maxTokens);
		expect(usageVariants).toHaveLength(6);
		for (const usage of usageVariants) {
			const detail = `The next request has about ${countTokens(transcript)} tokens, more than ${op.maxTokens}.`;
			expect(shouldCompact(transcript, { usage })).toEqual({ trigger: "tokens", detail });
			expect(shouldCompact(transcript, { steps: [{ usage }] })).toEqual({ trigger: "tokens", detail });
		}
	});

	test("token-count-08: takes the size from the last step, not from the total over all steps", async () => {
		const { transcript, op, steps = [], totalUsage } = given("token-count-08");
		const { shouldCompact } = await asking(op.maxTokens);
		expect(shouldCompact(transcript, { steps, usage: totalUsage })).toBeUndefined();
		expect(shouldCompact(transcript, { steps: [...steps, { inputTokens: 1500 }] })?.trigger).toBe("tokens");
	});

	test("no-progress-loop-07: with a report over the limit says so, and a pass that removes nothing says that", async () => {
		const { transcript, op } = given("no-progress-loop-07");
		const compactor = await asking(op.maxTokens);
		const usage = { inputTokens: op.reportedInputTokens };
		expect(compactor.shouldCompact(transcript)).toBeUndefined();
		expect(compactor.shouldCompact(transcript, { usage })?.detail).toMatch(
			/about 2\d{3} tokens, more than 1000/,
		);
		const result = await compactor.compact(transcript);
		expect(result.status === "compacted").toBe(result.replaced > 0);
	});

	test("and a pass that is told the same report go by one figure", async () => {
		const compactor = await createCompactor({
			trigger: { use: "tokens", max: 1000 },
			tokens: { counter: { use: "ratio", charsPerToken: 4, perMessage: 4 } },
			strategy: { use: "keep-recent", keepLast: 2, keepTokens: 10_000 },
		});
		const talk = Array.from(
			{ length: 12 },
			(_, index): ModelMessage => ({
				role: index % 2 === 0 ? "user" : "assistant",
				content: "word ".repeat(40),
			}),
		);
		expect(compactor.countTokens(talk)).toBe(648);
		const untold = await compactor.compact(talk);
		expect(untold).toMatchObject({ status: "unchanged", tokens: { target: 700 } });
		const usage = { inputTokens: 2 * 594 };
		const { tokens, scale } = compactor.assess(talk, { usage });
		expect(scale).toBe(2);
		expect(tokens).toBe(2 * 648);
		const told = await compactor.compact(talk, { usage });
		expect(told).toMatchObject({ status: "compacted", tokens: { before: 648, target: 350 } });
		expect(told.tokens.after * scale).toBeLessThanOrEqual(700);
		expect(await compactor.plan(talk, { usage })).toMatchObject({ tokens: told.tokens });
	});

	test("counts all through before it fires: a message put in another's place is not missed", async () => {
		const { shouldCompact, countTokens } = await asking(30_000);
		const talk = Array.from(
			{ length: 2000 },
			(_, index): ModelMessage => ({
				role: index % 2 === 0 ? "user" : "assistant",
				content: index === 1500 ? "word ".repeat(8000) : "word ".repeat(8),
			}),
		);
		expect(shouldCompact(talk)?.trigger).toBe("tokens");
		const shorter = talk.with(1500, { role: "user", content: "word" });
		expect(shouldCompact(shorter)).toBeUndefined();
		expect(countTokens(talk)).toBeGreaterThan(30_000);
		expect(countTokens(shorter)).toBeLessThan(30_000);
	});

	test("trigger-011: after a pass does not fire again on the usage that was reported before it", async () => {
		const compactor = await asking(1000);
		const talk = Array.from(
			{ length: 30 },
			(_, index): ModelMessage => ({
				role: index % 2 === 0 ? "user" : "assistant",
				content: `m${index} ${"word ".repeat(40)}`,
			}),
		);
		const reported = { usage: { inputTokens: 2000 } };
		expect(compactor.shouldCompact(talk, reported)?.trigger).toBe("tokens");
		const { messages } = await compactor.compact(talk);
		expect(messages.length).toBeLessThan(talk.length);
		expect(compactor.shouldCompact(messages, reported)).toBeUndefined();
	});
});
