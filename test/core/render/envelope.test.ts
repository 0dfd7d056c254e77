import { describe, expect, it } from "vitest";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import { previousSummaryOf, renderOf, summaryMessage } from "../../../src/core/render/envelope.ts";
import { renderSummary } from "../../../src/core/render/render-summary.ts";
import { ACTION_ONLY_TEMPLATE, DEFAULT_TEMPLATE } from "../../../src/core/template/resolve-template.ts";
import { kindOf, summaryMarkOf } from "../../../src/core/transcript/kinds.ts";
import { type Message, partsOf } from "../../../src/core/transcript/message.ts";

const sections = { key_facts: ["a\n\nb"], decisions: [], pending_tasks: ["c"], open_questions: [] };
const render = renderSummary(sections);

function textOf(message: Message): string {
	return partsOf(message)
		.map((part) => part.text ?? "")
		.join("");
}

describe("the message that carries a summary", () => {
	const message = summaryMessage(render, DEFAULT_TEMPLATE, "user");

	it("is one text part of the role, and marked as ours", () => {
		expect(message.role).toBe("user");
		expect(message.content).toHaveLength(1);
		expect(kindOf(message)).toBe("context");
		expect(summaryMarkOf(message)).toEqual({ v: 1, template: "default" });
		expect(summaryMessage(render, DEFAULT_TEMPLATE, "assistant").role).toBe("assistant");
	});

	it("prompt-injection-04: opens as background, ends with a mark, and orders nothing", () => {
		const lines = textOf(message).split("\n");
		expect(lines[0]).toMatch(/background/i);
		expect(lines[1]).toBe("");
		expect(lines.at(-1)).toMatch(/end of the summary/i);
		expect(`${lines[0]} ${lines.at(-1)}`).not.toMatch(/\b(?:continue|resume|do this|next step)\b/i);
	});

	it("gives the render back", () => {
		expect(renderOf(message)).toBe(render);
		expect(renderOf({ ...message, content: textOf(message) })).toBe(render);
		expect(renderOf({ role: "user", content: textOf(message) })).toBeUndefined();
	});

	it("gives what a host has changed as it is", () => {
		expect(renderOf({ ...message, content: "changed" })).toBe("changed");
	});

	it("is read by the parser as a whole", () => {
		expect(parseSummary(textOf(message))?.sections).toEqual(sections);
	});

	it("is handed on as text and sections", () => {
		expect(previousSummaryOf(message, DEFAULT_TEMPLATE)).toEqual({ text: render, sections });
		expect(previousSummaryOf({ role: "user", content: render }, DEFAULT_TEMPLATE)).toBeUndefined();
	});

	it("is handed on under another template, with the canonical sections that this one lacks", () => {
		expect(previousSummaryOf(message, ACTION_ONLY_TEMPLATE)?.sections).toMatchObject({
			pending_tasks: ["c"],
		});
		expect(previousSummaryOf(message, ACTION_ONLY_TEMPLATE)?.text).toBe(render);
	});

	it("is handed on as text where no section is known", () => {
		const raw = summaryMessage("free words", DEFAULT_TEMPLATE, "user");
		expect(previousSummaryOf(raw, DEFAULT_TEMPLATE)).toEqual({ text: "free words", sections: {} });
	});
});
