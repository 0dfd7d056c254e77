import { describe, expect, test } from "vitest";
import { applyEdits, gatherSummary } from "../../../src/core/edits/apply-edits.ts";
import { checkEdits } from "../../../src/core/edits/check-edits.ts";
import { startDraft } from "../../../src/core/edits/draft.ts";
import type { Message } from "../../../src/core/transcript/message.ts";
import { outOf, summaryMessage } from "../../support/steps.ts";

const talk: readonly Message[] = Array.from({ length: 6 }, (_, index) => ({
	role: index % 2 === 0 ? "user" : "assistant",
	content: `m${index}`,
}));

const out = (draft: ReturnType<typeof applyEdits>): readonly unknown[] =>
	outOf({ provenance: draft.provenance() });

describe("edits", () => {
	test("keep the very same messages, drop, replace, and put the summary where its first message stood", () => {
		const draft = startDraft(talk);
		const rewritten: Message = { role: "user", content: "shorter" };
		const message = summaryMessage("S");
		const next = applyEdits(draft, [{ drop: [5] }, { replace: 4, with: rewritten }, { summarize: [3, 1] }], {
			message,
			indices: [3, 1],
		});
		expect(out(next)).toEqual([0, "S", 2, 4]);
		expect(next.messages[0]).toBe(talk[0]);
		expect(next.messages[1]).toBe(message);
		expect(next.messages[3]).toBe(rewritten);
		expect(next.provenance().slice(1)).toEqual([{ summaryOf: [1, 3] }, { kept: 2 }, { rewritten: 4 }]);
		expect(draft).toEqual(startDraft(talk));
	});

	test("that change nothing give the draft itself back", () => {
		const draft = startDraft(talk);
		expect(applyEdits(draft, [])).toBe(draft);
		expect(applyEdits(draft, [{ drop: [] }])).toBe(draft);
		expect(applyEdits(draft, [{ replace: 1, with: talk[1] as Message }])).toBe(draft);
		expect(applyEdits(draft, [{ summarize: [1] }])).toBe(draft);
	});

	test("of later steps still tell indices of the first input, a summary of a summary too", () => {
		const first = applyEdits(startDraft(talk), [
			{ drop: [0] },
			{ replace: 5, with: { role: "assistant", content: "x" } },
		]);
		const second = applyEdits(first, [], { message: summaryMessage("S1"), indices: [0, 1] });
		expect(second.provenance()).toEqual([{ summaryOf: [1, 2] }, { kept: 3 }, { kept: 4 }, { rewritten: 5 }]);
		const third = applyEdits(second, [], { message: summaryMessage("S2"), indices: [0, 1, 3] });
		expect(third.provenance()).toEqual([{ summaryOf: [1, 2, 3, 5] }, { kept: 4 }]);
	});

	test("never put a summary before a leading system message", () => {
		const messages: readonly Message[] = [{ role: "system", content: "Rules." }, ...talk];
		const usual = applyEdits(startDraft(messages), [], { message: summaryMessage("S"), indices: [1, 2] });
		expect(out(usual)).toEqual([0, "S", 3, 4, 5, 6]);
	});

	test("never put a summary between a call and its result because a lost result stood there", () => {
		const result = (toolCallId: string): Message => ({
			role: "tool",
			content: [
				{ type: "tool-result", toolCallId, toolName: "count", output: { type: "text", value: "14" } },
			],
		});
		const messages: readonly Message[] = [
			{ role: "user", content: "Count." },
			{
				role: "assistant",
				content: ["a", "b"].map((toolCallId) => ({
					type: "tool-call",
					toolCallId,
					toolName: "count",
					input: {},
				})),
			},
			result("a"),
			result("lost"),
			result("b"),
		];
		const next = applyEdits(startDraft(messages), [], { message: summaryMessage("S"), indices: [3] });
		expect(out(next)).toEqual([0, "S", 1, 2, 4]);
	});
});

describe("the summaries asked for", () => {
	const withSummary: readonly Message[] = [summaryMessage("Earlier."), ...talk];

	test("are joined into one, with every earlier summary folded in wherever it stands", () => {
		const gathered = gatherSummary(startDraft(withSummary), [
			{ summarize: [1], options: { template: "default" } },
			{ summarize: [3, 2], options: { template: "other", malformed: "fail" } },
		]);
		expect(gathered).toEqual({
			indices: [1, 2, 3],
			previous: [0],
			options: { template: "default", malformed: "fail" },
		});
	});

	test("are none where only an earlier summary is named", () => {
		expect(gatherSummary(startDraft(withSummary), [{ summarize: [0] }])).toBeUndefined();
		expect(gatherSummary(startDraft(withSummary), [{ drop: [1] }])).toBeUndefined();
	});

	test("leave a pinned earlier summary alone", () => {
		const earlier = summaryMessage("Earlier.");
		const pinned: Message = {
			...earlier,
			providerOptions: { precis: { ...earlier.providerOptions?.precis, pin: true } },
		};
		expect(gatherSummary(startDraft([pinned, ...talk]), [{ summarize: [1, 2] }])?.previous).toEqual([]);
	});
});

describe("what a strategy proposes", () => {
	test.each([
		["nothing", undefined, "undefined"],
		["no list", {}, "object"],
		["an unknown edit", [{ remove: [1] }], "edit 0"],
		["two edits in one", [{ drop: [1], summarize: [2] }], "exactly one"],
		["an index out of range", [{ drop: [6] }], "message 6"],
		["an index that is none", [{ summarize: ["1"] }], 'message "1"'],
		["a message twice, in different ways", [{ drop: [1] }, { summarize: [1] }], "message 1"],
		[
			"a message replaced twice",
			[
				{ replace: 1, with: talk[0] },
				{ replace: 1, with: talk[1] },
			],
			"message 1",
		],
		["a replacement that is no message", [{ replace: 1, with: { role: "user" } }], "/content"],
		["options that are none", [{ summarize: [1], options: 3 }], "options"],
		["a why that is no text", [{ drop: [1], why: 3 }], "why"],
	])("is refused by name where it is %s", (_, edits, found) => {
		expect(() => checkEdits(edits, 6, "acme")).toThrowError(
			expect.objectContaining({ code: "PLUGIN_INVALID", message: expect.stringContaining(found) }),
		);
		expect(() => checkEdits(edits, 6, "acme")).toThrowError('"acme"');
	});

	test("passes as it is where its form is right", () => {
		const edits = [
			{ drop: [1, 1] },
			{ summarize: [2, 3] },
			{ summarize: [3] },
			{ replace: 4, with: talk[4] },
		];
		expect(checkEdits(edits, 6, "acme")).toBe(edits);
	});
});
