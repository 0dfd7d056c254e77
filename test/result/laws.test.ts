import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/core/edits/apply-edits.ts";
import { Draft, startDraft } from "../../src/core/edits/draft.ts";
import type { Edit } from "../../src/core/edits/edit.ts";
import type { Message, Part } from "../../src/core/transcript/message.ts";
import { checkLaws, type LawFacts } from "../../src/result/laws.ts";
import { summaryMessage } from "../support/steps.ts";

const callPart = (toolCallId: string, more: object = {}): Part => ({
	type: "tool-call",
	toolCallId,
	toolName: "count",
	input: {},
	...more,
});

const resultPart = (toolCallId: string, value = "14"): Part => ({
	type: "tool-result",
	toolCallId,
	toolName: "count",
	output: { type: "text", value },
});

const talk: readonly Message[] = [
	{ role: "system", content: "Rules." },
	{ role: "user", content: "Count A1." },
	{ role: "assistant", content: [{ type: "text", text: "Counting." }, callPart("a"), callPart("b")] },
	{ role: "tool", content: [resultPart("a"), resultPart("b")] },
	{ role: "assistant", content: "Fourteen." },
	{ role: "user", content: "Thanks." },
];

function verdict(
	edits: readonly Edit[],
	messages = talk,
	summarized?: readonly number[],
	facts?: LawFacts,
): string {
	const before = startDraft(messages);
	const summary =
		summarized === undefined ? undefined : { message: summaryMessage("So far: 14."), indices: summarized };
	try {
		checkLaws("acme", before, applyEdits(before, edits, summary), facts);
		return "kept";
	} catch (error) {
		const { code, message } = error as { code: string; message: string };
		expect(code).toBe("PLUGIN_INVALID");
		expect(message).toContain('"acme"');
		expect(message).toContain("untouched");
		return /the law "([a-z-]+)"/.exec(message)?.[1] ?? message;
	}
}

/** A message with other content. */
function rewrite(index: number, content: Message["content"], messages = talk): Edit {
	return { replace: index, with: { ...(messages[index] as Message), content } };
}

describe("the laws", () => {
	test("let through what breaks nothing", () => {
		expect(verdict([{ drop: [2, 3] }])).toBe("kept");
		expect(verdict([], talk, [1, 2, 3, 4])).toBe("kept");
		expect(verdict([rewrite(3, [resultPart("a", "cleared"), resultPart("b")])])).toBe("kept");
		expect(
			verdict([
				rewrite(2, [{ type: "text", text: "Counting." }, callPart("b")]),
				rewrite(3, [resultPart("b")]),
			]),
		).toBe("kept");
	});

	test("name pairs: a call that lost its result, a result that lost its call", () => {
		expect(verdict([{ drop: [3] }])).toBe("pairs");
		expect(verdict([{ drop: [2] }])).toBe("pairs");
		expect(verdict([rewrite(3, [resultPart("a")])])).toBe("pairs");
		expect(verdict([rewrite(2, [callPart("b")])])).toBe("pairs");
		expect(verdict([], talk, [1, 2])).toBe("pairs");
	});

	test("name pairs: a result that would answer another call of the same id", () => {
		const messages: readonly Message[] = [
			{ role: "user", content: "Go." },
			{ role: "assistant", content: [callPart("x")] },
			{ role: "user", content: "Again." },
			{ role: "assistant", content: [callPart("x")] },
			{ role: "tool", content: [resultPart("x")] },
			{ role: "user", content: "Thanks." },
		];
		expect(verdict([{ drop: [3] }], messages)).toBe("pairs");
		expect(verdict([{ drop: [1] }], messages)).toBe("kept");
		expect(verdict([{ drop: [3, 4] }], messages)).toBe("kept");
	});

	test("name pairs: an invented call, and an approval or an inner call whose call is gone", () => {
		expect(verdict([rewrite(4, [callPart("new")])])).toBe("pairs");
		const messages: readonly Message[] = [
			{ role: "user", content: "Go." },
			{
				role: "assistant",
				content: [callPart("m"), { type: "tool-approval-request", approvalId: "ap", toolCallId: "m" }],
			},
			{ role: "tool", content: [{ type: "tool-approval-response", approvalId: "ap", approved: true }] },
			{ role: "tool", content: [resultPart("m")] },
			{
				role: "assistant",
				content: [callPart("i", { providerOptions: { anthropic: { caller: { toolId: "m" } } } })],
			},
			{ role: "tool", content: [resultPart("i")] },
			{ role: "user", content: "Thanks." },
		];
		expect(verdict([{ drop: [1, 3] }], messages)).toBe("pairs");
		expect(verdict([{ drop: [1, 2, 3] }], messages)).toBe("pairs");
		expect(verdict([{ drop: [1, 2, 3, 4, 5] }], messages)).toBe("kept");
	});

	test("forbid new breaks only: what came in alone may stay alone", () => {
		const messages: readonly Message[] = [
			{ role: "user", content: "Go." },
			{ role: "tool", content: [resultPart("lost")] },
			{ role: "assistant", content: [callPart("open")] },
			{ role: "user", content: "Stop." },
			{ role: "assistant", content: "Stopped." },
		];
		expect(verdict([{ drop: [4] }], messages)).toBe("kept");
		expect(verdict([rewrite(1, [resultPart("lost", "cleared")], messages)], messages)).toBe("kept");
	});

	test("name leading-system, last-user and user-first", () => {
		expect(verdict([{ drop: [0] }])).toBe("leading-system");
		expect(verdict([rewrite(0, "Other rules.")])).toBe("leading-system");
		expect(verdict([{ drop: [5] }])).toBe("last-user");
		expect(verdict([{ drop: [1, 2, 3] }])).toBe("user-first");
		expect(verdict([{ drop: [1, 2, 3, 4] }])).toBe("kept");
	});

	test("name pins, also where a message tied to the pinned one goes or changes", () => {
		const pinned = talk.map((message, index) =>
			index === 2 ? { ...message, providerOptions: { precis: { pin: true } } } : message,
		);
		expect(verdict([{ drop: [2, 3] }], pinned)).toBe("pins");
		expect(verdict([rewrite(3, [resultPart("a", "cleared"), resultPart("b")], pinned)], pinned)).toBe("pins");
		expect(verdict([], pinned, [1, 2, 3])).toBe("pins");
		expect(verdict([{ drop: [4] }], pinned)).toBe("kept");
	});

	test("name no-empty, and let a message that came in empty stay", () => {
		expect(verdict([rewrite(4, "")])).toBe("no-empty");
		expect(verdict([rewrite(4, [{ type: "text", text: " \n" }])])).toBe("no-empty");
		const messages = [...talk.slice(0, 5), { role: "assistant", content: [] }, ...talk.slice(5)];
		expect(verdict([{ drop: [2, 3] }], messages)).toBe("kept");
	});

	test("name order", () => {
		const before = startDraft(talk);
		const source = Int32Array.of(0, 2, 3, 4, 1, 5);
		const turned = new Draft(
			[...source].map((index) => talk[index] as Message),
			source,
			before.isRewritten,
			[],
		);
		expect(() => checkLaws("acme", before, turned)).toThrowError('law "order"');
	});

	test("name summary-budget", () => {
		expect(verdict([], talk, [1, 2, 3, 4], { summary: { tokens: 11, budgetTokens: 10 } })).toBe(
			"summary-budget",
		);
		expect(verdict([], talk, [1, 2, 3, 4], { summary: { tokens: 10, budgetTokens: 10 } })).toBe("kept");
	});
});

describe("the law of reasoning", () => {
	const signed: Part = {
		type: "reasoning",
		text: "First A.",
		providerOptions: { anthropic: { signature: "c2ln" } },
	};
	const item: Part = { type: "reasoning", text: "Count.", providerOptions: { openai: { itemId: "rs_1" } } };
	const open: readonly Message[] = [
		{ role: "user", content: "Weigh." },
		{ role: "assistant", content: [signed, callPart("a")] },
		{ role: "tool", content: [resultPart("a")] },
	];

	test("keeps signed reasoning beside a call of the turn that still goes on", () => {
		expect(verdict([rewrite(1, [callPart("a")], open)], open)).toBe("reasoning");
		const over = [...open, { role: "assistant", content: "120." }, { role: "user", content: "Thanks." }];
		expect(verdict([rewrite(1, [callPart("a")], over)], over)).toBe("kept");
		const unsigned = open.map((message, index) =>
			index === 1 ? { ...message, content: [{ type: "reasoning", text: "Hm." }, callPart("a")] } : message,
		);
		expect(verdict([rewrite(1, [callPart("a")], unsigned)], unsigned)).toBe("kept");
	});

	test("keeps an item's reasoning, or takes the item's id as well", () => {
		const messages: readonly Message[] = [
			{ role: "user", content: "Count." },
			{
				role: "assistant",
				content: [item, { type: "text", text: "14.", providerOptions: { openai: { itemId: "msg_1" } } }],
			},
			{ role: "user", content: "Thanks." },
		];
		const named = { type: "text", text: "14.", providerOptions: { openai: { itemId: "msg_1" } } };
		expect(verdict([rewrite(1, [named], messages)], messages)).toBe("reasoning");
		expect(verdict([rewrite(1, [{ type: "text", text: "14." }], messages)], messages)).toBe("kept");
	});

	test("keeps what must follow an item of reasoning", () => {
		const messages: readonly Message[] = [
			{ role: "user", content: "Count." },
			{ role: "assistant", content: [{ type: "text", text: "Now." }, item, callPart("a")] },
			{ role: "tool", content: [resultPart("a")] },
			{ role: "assistant", content: "14." },
			{ role: "user", content: "Thanks." },
		];
		expect(
			verdict([rewrite(1, [{ type: "text", text: "Now." }, item], messages), { drop: [2] }], messages),
		).toBe("reasoning");
	});

	test("does not mind copies: a rewritten message may be rebuilt part by part", () => {
		const copy = structuredClone([signed, callPart("a")]);
		expect(verdict([rewrite(1, [...copy, { type: "text", text: "Weighing." }], open)], open)).toBe("kept");
	});
});
