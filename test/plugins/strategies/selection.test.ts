import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenText } from "../../../plugins/strategies/shorten-text.ts";
import { wellFormed } from "../../../src/core/text/well-formed.ts";
import type { Message, Part } from "../../../src/core/transcript/message.ts";
import { outOf, quarter, runStep, summaryMessage } from "../../support/steps.ts";

const PAD = "row ".repeat(50);

const user = (text: string): Message => ({ role: "user", content: text + PAD });
const said = (text: string): Message => ({ role: "assistant", content: text + PAD });

function call(id: string, more: object = {}): Part {
	return { type: "tool-call", toolCallId: id, toolName: "count", input: {}, ...more };
}

function result(id: string, type = "text"): Part {
	return { type: "tool-result", toolCallId: id, toolName: "count", output: { type, value: `14${PAD}` } };
}

function pinned(message: Message): Message {
	return { ...message, providerOptions: { precis: { pin: true } } };
}

const talk: readonly Message[] = [
	{ role: "system", content: "Rules." },
	user("a"),
	said("b"),
	user("c"),
	{ role: "assistant", content: [call("x")] },
	{ role: "tool", content: [result("x")] },
	said("d"),
	user("e"),
	said("f"),
];

const out = async (use: { use: string; [option: string]: unknown }, messages = talk): Promise<unknown> =>
	outOf(await runStep(use, messages));

describe("what summarize-older and keep-recent keep", () => {
	test("the assistant's last word, where results before it stay: else they would seem to wait for an answer", async () => {
		for (const use of ["summarize-older", "keep-recent"]) {
			const { messages } = await runStep({ use, keepLast: 0, preserveKinds: ["tool"] }, talk);
			expect(messages.slice(-4)).toEqual([talk[4], talk[5], talk[7], talk[8]]);
			expect(messages).not.toContain(talk[6]);
			const { messages: untied } = await runStep({ use, keepLast: 0 }, talk);
			expect(untied).not.toContain(talk[8]);
		}
	});

	test("the assistant's last word in the next pass too, where a summary stands between", async () => {
		const use = { use: "summarize-older", keepLast: 0, summaryRole: "assistant" };
		const step = (id: string): Message[] => [
			{ role: "assistant", content: [call(id)] },
			{ role: "tool", content: [result(id)] },
		];
		const messages = [...step("x").map(pinned), ...step("y"), said("d")];
		const first = await runStep(use, messages);
		expect(outOf(first)).toEqual([0, 1, "S", 4]);
		expect((await runStep(use, first.messages)).isUnchanged).toBe(true);
	});

	test("is the newest messages, their units, the leading system messages and the last user message", async () => {
		expect(await out({ use: "summarize-older", keepLast: 1 })).toEqual([0, "S", 7, 8]);
		expect(await out({ use: "summarize-older", keepLast: 4 })).toEqual([0, "S", 4, 5, 6, 7, 8]);
		expect(await out({ use: "keep-recent", keepLast: 4 })).toEqual([0, 3, 4, 5, 6, 7, 8]);
	});

	test("is pinned messages too, with the units that they belong to", async () => {
		const messages = talk.map((message, index) => (index === 5 ? pinned(message) : message));
		expect(await out({ use: "summarize-older", keepLast: 1 }, messages)).toEqual([0, "S", 4, 5, 7, 8]);
		expect(await out({ use: "keep-recent", keepLast: 1 }, messages)).toEqual([0, 3, 4, 5, 7, 8]);
	});

	test("is preserved kinds too, which use up nothing of keepLast", async () => {
		const messages: readonly Message[] = [
			...talk.slice(0, 3),
			{ ...user("note"), providerOptions: { precis: { kind: "notification" } } },
			...talk.slice(3),
		];
		const preserveKinds = ["notification"];
		expect(await out({ use: "summarize-older", keepLast: 2, preserveKinds }, messages)).toEqual([
			0,
			"S",
			3,
			8,
			9,
		]);
	});

	test("is as many older units as fit in keepTokens, keepLast being the floor", async () => {
		const one = quarter(said("d"));
		const keepTokens = Math.ceil(one * 1.5);
		expect(await out({ use: "summarize-older", keepLast: 2, keepTokens })).toEqual([0, "S", 6, 7, 8]);
		expect(await out({ use: "summarize-older", keepLast: 2, keepTokens: 1 })).toEqual([0, "S", 7, 8]);
		expect(await out({ use: "summarize-older", keepLast: 2, keepTokens: 100_000 })).toEqual([
			0, 1, 2, 3, 4, 5, 6, 7, 8,
		]);
	});

	test("is never more by keepTokens than the target holds", async () => {
		const step = await runStep({ use: "keep-recent", keepLast: 2, keepTokens: 100_000 }, talk, {
			targetTokens: quarter(said("d")) * 4,
		});
		expect(outOf(step)).toEqual([0, 3, 6, 7, 8]);
	});

	test("begins with the user's first message where the summary is an assistant's", async () => {
		const use = { use: "summarize-older", keepLast: 1, summaryRole: "assistant" };
		expect(await out(use)).toEqual([0, 1, "S", 7, 8]);
		const structured = { use: "structured", preserveRecent: 1, minMessages: 2, summaryRole: "assistant" };
		expect((await out(structured, talk.slice(0, 8))) as unknown[]).toEqual([0, 1, "S", 7]);
	});

	test("is an earlier summary, for keep-recent; summarize-older folds it in, and alone it is no reason", async () => {
		const earlier = summaryMessage("Earlier.");
		const messages = [talk[0] as Message, earlier, ...talk.slice(1)];
		expect(await out({ use: "keep-recent", keepLast: 2 }, messages)).toEqual([0, 1, 8, 9]);
		const step = await runStep({ use: "summarize-older", keepLast: 2 }, messages);
		expect(outOf(step)).toEqual([0, "S", 8, 9]);
		expect(step.previous).toEqual([1]);
		expect((await runStep({ use: "summarize-older", keepLast: 8 }, messages)).isUnchanged).toBe(true);
	});
});

describe("drop-tool-calls and drop-failed-tool-results", () => {
	test("keep a call whose signature the calls beside it lean on", async () => {
		const signed = { providerOptions: { google: { thoughtSignature: "c2ln" } } };
		const messages: readonly Message[] = [
			user("a"),
			{ role: "assistant", content: [call("x", signed), call("y")] },
			{ role: "tool", content: [result("x", "error-text"), result("y")] },
			said("b"),
			user("c"),
		];
		expect((await runStep({ use: "drop-failed-tool-results" }, messages)).isUnchanged).toBe(true);
		const other = messages.map((message, index) =>
			index === 1 ? { ...message, content: [call("x"), call("y", signed)] } : message,
		);
		expect(outOf(await runStep({ use: "drop-failed-tool-results" }, other))).toEqual([0, 1, 2, 3, 4]);
	});

	test("take along the reasoning that led to nothing but dropped calls", async () => {
		const item = { type: "reasoning", text: "Hm.", providerOptions: { openai: { itemId: "rs_1" } } };
		const messages: readonly Message[] = [
			user("a"),
			{ role: "assistant", content: [{ type: "text", text: "Now." }, item, call("x")] },
			{ role: "tool", content: [result("x")] },
			said("b"),
			user("c"),
		];
		const step = await runStep({ use: "drop-tool-calls", keepLast: 0 }, messages);
		expect(step.messages[1]?.content).toEqual([{ type: "text", text: "Now." }]);
	});

	test("leave pinned units and calls that wait alone", async () => {
		const messages = talk.map((message, index) => (index === 4 ? pinned(message) : message));
		expect((await runStep({ use: "drop-tool-calls", keepLast: 0 }, messages)).isUnchanged).toBe(true);
		const waiting = [...talk.slice(0, 4), { role: "assistant", content: [call("w")] }];
		expect((await runStep({ use: "drop-tool-calls", keepLast: 0 }, waiting)).isUnchanged).toBe(true);
	});

	test("touch only the tools that are named", async () => {
		expect((await runStep({ use: "drop-tool-calls", keepLast: 0, tools: ["read"] }, talk)).isUnchanged).toBe(
			true,
		);
		expect(outOf(await runStep({ use: "drop-tool-calls", keepLast: 0, tools: ["count"] }, talk))).toEqual([
			0, 1, 2, 3, 6, 7, 8,
		]);
	});
});

describe("a shortened text", () => {
	const count = (text: string): number => text.length / 4;

	test("says how much was cut, keeps the asked end, and fits", () => {
		const text = `HEAD${"x".repeat(2_000)}TAIL`;
		for (const [keep, starts, ends] of [
			["head", true, false],
			["tail", false, true],
			["both", true, true],
		] as const) {
			const short = shortenText(text, 100, keep, count);
			expect(count(short)).toBeLessThanOrEqual(100);
			expect(count(short)).toBeGreaterThan(70);
			expect(short.startsWith("HEAD")).toBe(starts);
			expect(short.endsWith("TAIL")).toBe(ends);
			expect(short).toMatch(/\[… \d+ of 2008 characters cut …\]/);
		}
	});

	test("stays as it is where it fits, is never cut inside a character, and is not shortened twice", () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom("a", "箱", "📦", "👩‍👩‍👧", "\n", "é"), { maxLength: 600 }),
				fc.integer({ min: 16, max: 120 }),
				fc.constantFrom("both" as const, "head" as const, "tail" as const),
				(pieces, maxTokens, keep) => {
					const text = pieces.join("");
					const short = shortenText(text, maxTokens, keep, count);
					if (count(text) <= maxTokens) expect(short).toBe(text);
					expect(wellFormed(short)).toBe(short);
					expect(count(short)).toBeLessThanOrEqual(maxTokens);
					expect(shortenText(short, maxTokens, keep, count)).toBe(short);
				},
			),
			{ numRuns: Number(process.env.PRECIS_RUNS ?? 200) },
		);
	});
});
