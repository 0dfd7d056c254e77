import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Answer, readAnswer } from "../../../src/core/parse/read-answer.ts";
import { renderSummary } from "../../../src/core/render/render-summary.ts";
import { DEFAULT_TEMPLATE } from "../../../src/core/template/resolve-template.ts";

type Text = string | { readonly $repeat: { readonly text: string; readonly times: number } };

interface Report {
	readonly id: string;
	readonly input: {
		readonly answerVariants?: readonly (readonly { readonly text: Text }[])[];
		readonly modelAnswers?: readonly { readonly text: Text }[];
	};
}

const reports: readonly Report[] = JSON.parse(
	readFileSync(new URL("../../cases/reports.json", import.meta.url), "utf8"),
);

/** The first answer of each variant of a report. */
function answersOf(id: string): string[] {
	const input = reports.find((one) => one.id === id)?.input;
	const queues = input?.answerVariants ?? [input?.modelAnswers ?? []];
	return queues.map(([first]) => {
		const text = first?.text ?? "";
		return typeof text === "string" ? text : text.$repeat.text.repeat(text.$repeat.times);
	});
}

function read(text: string): Answer {
	return readAnswer(text, DEFAULT_TEMPLATE);
}

function sectionsOf(text: string): Record<string, readonly string[]> {
	const answer = read(text);
	return answer.kind === "summary" ? { ...answer.sections } : {};
}

const SHELF = {
	key_facts: ["Shelf A1 holds 14 boxes"],
	decisions: ["Count by hand"],
	pending_tasks: ["Count shelf A2"],
	open_questions: [],
};

describe("answers that broke other systems", () => {
	it("answer-parse-01: JSON and headings within a code fence", () => {
		const [json, prose, markdown] = answersOf("answer-parse-01");
		const expected = {
			key_facts: ["A1 holds 14"],
			decisions: [],
			pending_tasks: ["Count A2"],
			open_questions: [],
		};
		expect(sectionsOf(json ?? "")).toEqual(expected);
		expect(sectionsOf(prose ?? "")).toEqual(expected);
		expect(sectionsOf(markdown ?? "")).toEqual(SHELF);
	});

	it("answer-parse-02: trailing commas, and the same marks within a string", () => {
		const [answer] = answersOf("answer-parse-02");
		expect(sectionsOf(answer ?? "")).toEqual({
			key_facts: ["A1 holds 14", "text with ,] inside"],
			decisions: [],
			pending_tasks: ["Count A2"],
			open_questions: [],
		});
	});

	it("answer-parse-05: headings in any dress", () => {
		const [dressed, capitals, crlf, twice] = answersOf("answer-parse-05").map(sectionsOf);
		expect(dressed).toEqual({
			key_facts: ["A1 holds 14"],
			decisions: ["Count by hand"],
			pending_tasks: [],
			open_questions: ["Who counts A3?"],
		});
		expect(capitals).toMatchObject({ key_facts: ["A1 holds 14"], pending_tasks: ["Count A2"] });
		// A checkbox says whether the task is done: it stays, as the model wrote it.
		expect(crlf).toMatchObject({ key_facts: ["A1 holds 14"], pending_tasks: ["[ ] Count A2"] });
		expect(twice).toMatchObject({ key_facts: ["A1 holds 14", "A2 holds 9"], decisions: ["d1"] });
	});

	it("answer-parse-06, empty-summary-03: a form that was not filled in is empty, and says so", () => {
		for (const id of ["answer-parse-06", "empty-summary-03"]) {
			for (const text of answersOf(id)) {
				expect(read(text)).toMatchObject({ kind: "summary", empty: true });
				expect(Object.values(sectionsOf(text)).flat()).toEqual([]);
			}
		}
	});

	it("empty-summary-01: nothing and white space are blank", () => {
		expect(read("")).toEqual({ kind: "blank" });
		expect(read("   \n\t")).toEqual({ kind: "blank" });
	});

	it("thinking-tags-01: what stands behind a closed block is the answer", () => {
		for (const text of answersOf("thinking-tags-01")) {
			expect(sectionsOf(text)).toEqual(SHELF);
			expect(JSON.stringify(sectionsOf(text))).not.toContain("plan");
		}
	});

	it("thinking-tags-03: nothing behind an unclosed block is used", () => {
		for (const text of answersOf("thinking-tags-03")) expect(read(text)).toEqual({ kind: "blank" });
	});

	it("redos-01: a flood of tags is read at once, and is no summary", () => {
		for (const text of answersOf("redos-01")) {
			const start = performance.now();
			expect(read(text).kind).not.toBe("summary");
			expect(performance.now() - start).toBeLessThan(1000);
		}
	});

	it("template-01: dollar signs stay what they are", () => {
		const [answer] = answersOf("template-01");
		const { key_facts } = sectionsOf(answer ?? "");
		expect(key_facts).toEqual(["Cost is $$5, pattern $& and $' and $`"]);
		expect(renderSummary({ key_facts: key_facts ?? [] })).toContain(
			"- Cost is $$5, pattern $& and $' and $`",
		);
	});

	it("truncated-answer-01: the section of the entry that broke off is known", () => {
		const [answer] = answersOf("truncated-answer-01");
		expect(read(answer ?? "")).toMatchObject({ kind: "summary", lastEntry: "key_facts" });
	});

	it("summarizer-misbehaves-01: a continued transcript is no summary", () => {
		for (const text of answersOf("summarizer-misbehaves-01")) expect(read(text).kind).toBe("malformed");
	});

	it("language-01: entries in another language arrive unchanged", () => {
		const [answer] = answersOf("language-01");
		expect(sectionsOf(answer ?? "")).toMatchObject({
			key_facts: ["A prateleira A1 tem 14 caixas"],
			pending_tasks: ["Contar a A2"],
		});
	});
});
