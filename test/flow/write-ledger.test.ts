import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planLedger } from "../../src/core/ledger/build-ledger.ts";
import { renderSummary } from "../../src/core/render/render-summary.ts";
import { DEFAULT_TEMPLATE } from "../../src/core/template/resolve-template.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { writeLedger } from "../../src/flow/write-ledger.ts";

const countTokens = (text: string): number => text.length / 4;
const measure = (render: string): number => Math.floor(countTokens(render)) + 30;
const evicted: readonly Message[] = [
	{
		role: "user",
		content: "Please fix src/shelf/count-boxes.ts, it throws E4711 for order 88213 since version 2.14.0.",
	},
	{
		role: "assistant",
		content: "I read src/shelf/count-boxes.ts and src/shelf/label-printer.ts; request req_9f8e7d6c failed.",
	},
];

function written(entries: readonly string[]): Parameters<typeof writeLedger>[0] & { readonly text: string } {
	const sections = { key_facts: entries, decisions: [], pending_tasks: [], open_questions: [] };
	const text = renderSummary(sections, DEFAULT_TEMPLATE);
	return { text, sections, source: "headings", trimmed: false, empty: false, degraded: false };
}

function write(entries: readonly string[], budgetTokens: number): ReturnType<typeof writeLedger> {
	const ledger = planLedger({ evicted, kept: [], budgetTokens: Math.floor(budgetTokens / 2), countTokens });
	return writeLedger(written(entries), ledger, {
		template: DEFAULT_TEMPLATE,
		evicted,
		budgetTokens,
		measure,
		countTokens,
	});
}

describe("the ledger beside a summary", () => {
	test("takes the room that the summary left, and leaves the summary alone", () => {
		const { sections, trimmed } = write(["The shelf is counted."], 400);
		expect(sections.key_facts).toEqual(["The shelf is counted."]);
		expect(sections.identifiers?.join(" ")).toContain("src/shelf/count-boxes.ts");
		expect(trimmed).toBe(false);
	});

	test("has the entries that say least make room where the summary fills its budget, and says so", () => {
		const entries = Array.from(
			{ length: 40 },
			(_, index) => `Step ${index} of the work was done, as it was said before.`,
		);
		const own = "please fix the thing that throws for order";
		const budget = measure(written([own, ...entries]).text);
		const { text, sections, trimmed } = write([own, ...entries], budget);
		expect(sections.identifiers?.join(" ")).toContain("E4711");
		expect(sections.key_facts).toContain(own);
		expect(sections.key_facts?.length).toBeLessThan(41);
		expect(trimmed).toBe(true);
		expect(text.endsWith("\n\n[trimmed]")).toBe(true);
	});

	test("never takes a summary over its budget, and entries stay the summary's own, in their order", () => {
		const sentence = fc
			.array(fc.constantFrom("shelf", "A1", "order", "88213", "count", "box", "🚚", "仓库"), {
				minLength: 1,
				maxLength: 12,
			})
			.map((words) => words.join(" "));
		fc.assert(
			fc.property(
				fc.array(sentence, { minLength: 1, maxLength: 30 }),
				fc.integer({ min: 0, max: 200 }),
				(entries, more) => {
					const budget = measure(written(entries).text) + more;
					const { text, sections } = write(entries, budget);
					expect(measure(text)).toBeLessThanOrEqual(budget);
					let at = 0;
					for (const entry of sections.key_facts ?? []) at = entries.indexOf(entry, at) + 1;
					expect((sections.key_facts ?? []).every((entry) => entries.includes(entry)) && at >= 0).toBe(true);
				},
			),
			{ numRuns: Number(process.env.PRECIS_RUNS ?? 200) },
		);
	});
});
