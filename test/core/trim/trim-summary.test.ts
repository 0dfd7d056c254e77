import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import { renderSummary } from "../../../src/core/render/render-summary.ts";
import { DEFAULT_TEMPLATE } from "../../../src/core/template/resolve-template.ts";
import type { Sections } from "../../../src/core/template/template.ts";
import { type TrimmedSummary, trimSummary } from "../../../src/core/trim/trim-summary.ts";
import { trimText } from "../../../src/core/trim/trim-text.ts";
import { isCompactionError } from "../../../src/errors/compaction-error.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 300);

const END = "\n\n[trimmed]";
const HEADER = DEFAULT_TEMPLATE.header;

type Counter = (text: string) => number;

/** A number from 0 to 12 that depends on a line in no way that its length tells. */
function weightOf(line: string): number {
	let hash = 7;
	for (const character of line) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 10_007;
	return hash % 13;
}

/** Counters that add up over lines, with something for the whole. */
const ADDITIVE: readonly [string, Counter][] = [
	["characters", (text) => text.length],
	["quarters of characters", (text) => text.length / 4],
	["characters and a message", (text) => text.length / 3.7 + 21],
	["lines", (text) => text.split("\n").length],
	["words", (text) => text.split(/\s+/).length],
	["weights of lines", (text) => text.split("\n").reduce((sum, line) => sum + weightOf(line), 11)],
	["rounded lines", (text) => text.split("\n").reduce((sum, line) => sum + Math.ceil(line.length / 4), 0)],
];

/** Counters that do not. */
const OTHERS: readonly [string, Counter][] = [
	["rounded quarters", (text) => Math.ceil(text.length / 4)],
	["floored quarters", (text) => Math.floor((Array.from(text).length + 20) / 4)],
	["square roots", (text) => Math.sqrt(text.length) * 3],
	["squares", (text) => text.length ** 2 / 1000],
	["always the same", () => 40],
	["nothing", () => 0],
	["not a number", () => Number.NaN],
	["negative", (text) => -text.length],
	["infinite", (text) => (text.length > 100 ? Number.POSITIVE_INFINITY : 1)],
	["erratic", (text) => weightOf(text) * 20],
	["bytes", (text) => new TextEncoder().encode(text).length / 4],
];

const word = fc.oneof(
	fc.string({ minLength: 1, maxLength: 12 }),
	fc.constantFrom("🚀🚀🚀", "数据库在东京", "naïve", "word", "a"),
);
const line = fc
	.array(word, { minLength: 1, maxLength: 14 })
	.map((words) => words.join(" ").replace(/\s+/g, " ").trim());
const entry = fc
	.array(line, { minLength: 1, maxLength: 3 })
	.map((lines) => lines.join("\n").trim())
	.filter((text) => text !== "");
const entries = fc.array(entry, { maxLength: 8 });
const summary: fc.Arbitrary<Sections> = fc.record({
	key_facts: entries,
	decisions: entries,
	pending_tasks: entries,
	open_questions: entries,
});
/** The budget as a share of what the whole measures. */
const share = fc.double({ min: 0, max: 1.2, noNaN: true });

function attempt(sections: Sections, budget: number, count: Counter): TrimmedSummary | undefined {
	try {
		return trimSummary(sections, DEFAULT_TEMPLATE, budget, count);
	} catch (error) {
		if (isCompactionError(error) && error.code === "BUDGET_TOO_SMALL") return undefined;
		throw error;
	}
}

function checkForm(result: TrimmedSummary, render: string): void {
	expect(result.text).not.toMatch(/\p{Surrogate}/u);
	if (!result.trimmed) {
		expect(result.text).toBe(render);
		return;
	}
	expect(result.text.endsWith(END)).toBe(true);
	const kept = result.text.slice(0, -END.length).split("\n");
	const whole = render.split("\n");
	const last = kept.at(-1) ?? "";
	// Whole lines in order; only where the first entry is cut is the last one the start of a line.
	expect(whole.slice(0, kept.length - 1)).toEqual(kept.slice(0, -1));
	if (whole[kept.length - 1] !== last) {
		expect(last.endsWith("…")).toBe(true);
		expect(whole[kept.length - 1]?.startsWith(last.slice(0, -1))).toBe(true);
		expect(Object.values(result.sections).flat()).toHaveLength(1);
	}
	expect(last).not.toMatch(/^(?:#|$)/);
}

function budgetOf(total: number, part: number): number {
	return Number.isFinite(total) ? Math.floor(total * part) : 50;
}

describe("trimming", () => {
	it("is never over the budget under any counter, and keeps whole lines in order", () => {
		fc.assert(
			fc.property(summary, fc.constantFrom(...ADDITIVE, ...OTHERS), share, (sections, [, count], part) => {
				const render = renderSummary(sections);
				const budget = budgetOf(count(render), part);
				const result = attempt(sections, budget, count);
				if (count(render) <= budget) expect(result?.trimmed).toBe(false);
				if (result === undefined) return;
				expect(count(result.text)).toBeLessThanOrEqual(budget);
				checkForm(result, render);
			}),
			{ numRuns },
		);
	});

	it("measures at most three candidates, whatever the counter says", () => {
		fc.assert(
			fc.property(summary, fc.constantFrom(...ADDITIVE, ...OTHERS), share, (sections, [, count], part) => {
				let candidates = 0;
				const budget = budgetOf(count(renderSummary(sections)), part);
				attempt(sections, budget, (text) => {
					// Single lines are counted on their own; what starts as a summary does is a candidate.
					if (text.startsWith(`${HEADER}\n\n`)) candidates += 1;
					return count(text);
				});
				expect(candidates).toBeLessThanOrEqual(3);
			}),
			{ numRuns },
		);
	});

	it("keeps the longest that fits under a counter that adds up over lines", () => {
		const single = fc.array(
			line.filter((text) => text !== ""),
			{ maxLength: 8 },
		);
		const flat = fc.record({
			key_facts: single,
			decisions: single,
			pending_tasks: single,
			open_questions: single,
		});
		fc.assert(
			fc.property(flat, fc.constantFrom(...ADDITIVE), share, (sections, [, count], part) => {
				const render = renderSummary(sections);
				const budget = Math.floor(count(render) * part);
				if (count(render) <= budget) return;
				const lines = render.split("\n");
				let longest: string | undefined;
				for (let kept = 1; kept < lines.length; kept += 1) {
					const text = lines.slice(0, kept).join("\n") + END;
					if ((lines[kept - 1] ?? "").startsWith("- ") && count(text) <= budget) longest = text;
				}
				if (longest !== undefined) expect(attempt(sections, budget, count)?.text).toBe(longest);
			}),
			{ numRuns },
		);
	});

	it("keeps what fits under a counter that takes an empty text for more than the header", () => {
		const weights: Counter = (text) => text.split("\n").reduce((sum, line) => sum + weightOf(line), 11);
		expect(weightOf("")).toBeGreaterThan(weightOf(HEADER));
		const { text } = trimSummary(
			{ decisions: ["<-"], pending_tasks: ["!", "2]", "- a a"], open_questions: ["[", "3a2"] },
			DEFAULT_TEMPLATE,
			36,
			weights,
		);
		expect(text).toBe(`${HEADER}\n\n### Decisions\n- <-${END}`);
	});

	it("cuts within a word rather than give up where a word's end would leave too few code points", () => {
		const entry = `${"🚀".repeat(12)} ${"b".repeat(60)}`;
		const most = `${HEADER}\n\n### Key facts\n- ${"🚀".repeat(12)} ${"b".repeat(12)}…${END}`.length;
		const { sections } = trimSummary({ key_facts: [entry] }, DEFAULT_TEMPLATE, most, (text) => text.length);
		expect(Array.from(sections.key_facts?.[0] ?? "").length).toBeGreaterThanOrEqual(20);
	});

	it("without a counter is exact, and never over by the formula that it documents", () => {
		fc.assert(
			fc.property(summary, fc.integer({ min: 0, max: 400 }), (sections, budget) => {
				const formula: Counter = (text) => Math.floor(text.length / 4 + 5);
				let plain: TrimmedSummary | undefined;
				try {
					plain = trimSummary(sections, DEFAULT_TEMPLATE, budget);
				} catch (error) {
					expect(error).toMatchObject({ code: "BUDGET_TOO_SMALL" });
					const [first] = Object.values(sections).flat();
					// A budget that holds the header, the heading and twenty characters of the entry is enough.
					const start = Array.from((first ?? "").replaceAll("\n", "\n  "))
						.slice(0, 24)
						.join("");
					const least = `${HEADER}\n\n### Open questions\n- ${start}…${END}`;
					if (first !== undefined && first.length > 60) expect(formula(least)).toBeGreaterThan(budget);
					return;
				}
				expect(formula(plain.text)).toBeLessThanOrEqual(budget);
				checkForm(plain, renderSummary(sections));
				if (!plain.trimmed) return;
				const lines = renderSummary(sections).split("\n");
				const kept = plain.text.slice(0, -END.length).split("\n");
				const next = lines.findIndex((text, index) => index >= kept.length && !/^(?:#|$)/.test(text));
				const more = lines.slice(0, next + 1).join("\n") + END;
				if (next !== -1 && !kept.at(-1)?.endsWith("…")) expect(formula(more)).toBeGreaterThan(budget);
			}),
			{ numRuns },
		);
	});

	it("says in its sections what its text says", () => {
		fc.assert(
			fc.property(summary, share, (sections, part) => {
				const render = renderSummary(sections);
				const result = attempt(sections, Math.floor(render.length * part), (text) => text.length);
				if (result === undefined || Object.values(result.sections).flat().join("").length < 30) return;
				expect(parseSummary(result.text)?.sections).toEqual(result.sections);
			}),
			{ numRuns },
		);
	});
});

describe("a budget for less than one entry", () => {
	const long = "The queue listens on port 7411 and is shared by all of the workers in both regions";

	it("cuts the first entry at a word, with an ellipsis", () => {
		const { text, sections } = trimSummary({ key_facts: [long, "b"] }, "default", 30);
		expect(text.startsWith(`${HEADER}\n\n### Key facts\n- The queue listens on port`)).toBe(true);
		expect(sections.key_facts).toHaveLength(1);
		expect(long.split(" ")).toContain(sections.key_facts?.[0]?.replace("…", "").split(" ").at(-1));
		expect(sections.key_facts?.[0]?.endsWith("…")).toBe(true);
	});

	it("cuts between code points where there is no word's end", () => {
		const rockets = "🚀".repeat(200);
		for (let budget = 32; budget < 44; budget += 1) {
			const { text } = trimSummary({ key_facts: [rockets] }, "default", budget, (one) => one.length / 4);
			expect(text).toMatch(/- (?:🚀){20,}…\n\n\[trimmed\]$/u);
		}
	});

	it("fails where fewer than 20 characters would be left, and where the header alone is too much", () => {
		for (const budget of [0, 1, 5, 24, Number.NaN, -3])
			expect(() => trimSummary({ key_facts: [long] }, "default", budget), String(budget)).toThrow(
				expect.objectContaining({ code: "BUDGET_TOO_SMALL" }),
			);
		expect(() => trimSummary({ key_facts: ["short"] }, "default", 18)).toThrow("18 tokens");
		expect(() => trimSummary({}, "default", 10)).toThrow(
			expect.objectContaining({ code: "BUDGET_TOO_SMALL" }),
		);
	});

	it("keeps lines of the first entry rather than cutting one, if they say enough", () => {
		const lines = ["The first line is long enough", "The second line is longer than what is left"];
		const { sections } = trimSummary({ key_facts: [lines.join("\n")] }, "default", 34);
		expect(sections.key_facts).toEqual([lines[0]]);
	});
});

describe("trimming reports of other systems", () => {
	const input = (
		id: string,
	): {
		maxTokens: number;
		sections: Record<string, (string | { $repeat: { text: string; times: number } })[]>;
	} => {
		const reports: { id: string; input: { op: { maxTokens: number }; sections: never } }[] = JSON.parse(
			readFileSync(new URL("../../cases/reports.json", import.meta.url), "utf8"),
		);
		const found = reports.find((one) => one.id === id)?.input;
		return { maxTokens: found?.op.maxTokens ?? 0, sections: found?.sections ?? {} };
	};
	const sectionsOf = (id: string): Sections => {
		const keys: Record<string, string> = {
			keyFacts: "key_facts",
			pendingTasks: "pending_tasks",
			openQuestions: "open_questions",
		};
		return Object.fromEntries(
			Object.entries(input(id).sections).map(([key, list]) => [
				keys[key] ?? key,
				list.map((one) =>
					typeof one === "string" ? one : one.$repeat.text.repeat(one.$repeat.times).trim(),
				),
			]),
		);
	};
	const count: Counter = (text) => Math.ceil(text.length / 4);

	// Which sections come first is the template's to say: one with the tasks first keeps them.
	it("template-03: a summary of many entries is cut to its budget, and a template can say what goes last", () => {
		const { maxTokens } = input("template-03");
		const sections = sectionsOf("template-03");
		const tasksFirst = { sections: ["pending_tasks", "decisions", "key_facts", "open_questions"] };
		const { text, sections: kept, trimmed } = trimSummary(sections, tasksFirst, maxTokens, count);
		expect(count(text)).toBeLessThanOrEqual(200);
		expect(trimmed).toBe(true);
		expect(kept.pending_tasks).toEqual(["task 1 count A2", "task 2 log A3"]);
		expect(text).not.toMatch(/###[^\n]*\n(?:\n|$)/);
		const all = Object.values(sections).flat().length;
		expect(all - Object.values(kept).flat().length).toBeGreaterThan(0);
	});

	it("template-05: one entry over the budget is shortened with an ellipsis", () => {
		const { maxTokens } = input("template-05");
		const { text, sections } = trimSummary(sectionsOf("template-05"), "default", maxTokens, count);
		expect(count(text)).toBeLessThanOrEqual(120);
		expect(sections.key_facts?.[0]).toMatch(/^very long fact .* (?:very|long|fact)…$/);
	});
});

describe("trimming text without sections", () => {
	const text = `${HEADER}\n\nThe first paragraph says this.\n\nThe second one says that.\nAnd this line, too.`;
	const count: Counter = (one) => one.length;

	it("gives what fits as it is", () => {
		expect(trimText(text, HEADER, text.length, count)).toEqual({ text, trimmed: false });
	});

	it("keeps the header and leading lines, and no blank line above the marker's own", () => {
		const { text: cut, trimmed } = trimText(text, HEADER, text.length - 25, count);
		expect(cut).toBe(`${HEADER}\n\nThe first paragraph says this.${END}`);
		expect(trimmed).toBe(true);
	});

	it("cuts one paragraph at a word", () => {
		const one = `${HEADER}\n\n${"many words in a row ".repeat(40)}`;
		const { text: cut } = trimText(one, HEADER, 200, count);
		expect(cut.length).toBeLessThanOrEqual(200);
		expect(cut.length).toBeGreaterThan(150);
		expect(cut).toMatch(/ (?:many|words|in|a|row)…\n\n\[trimmed\]$/);
	});

	it("fails where fewer than 20 characters would be left", () => {
		expect(() => trimText(text, HEADER, HEADER.length + 20, count)).toThrow(
			expect.objectContaining({ code: "BUDGET_TOO_SMALL" }),
		);
	});

	it("is never over the budget under any counter", () => {
		fc.assert(
			fc.property(
				fc.array(line, { minLength: 1, maxLength: 12 }),
				fc.constantFrom(...ADDITIVE, ...OTHERS),
				share,
				(lines, [, counter], part) => {
					const whole = `${HEADER}\n\n${lines.join("\n")}`;
					const budget = budgetOf(counter(whole), part);
					let cut: { text: string } | undefined;
					try {
						cut = trimText(whole, HEADER, budget, counter);
					} catch (error) {
						expect(error).toMatchObject({ code: "BUDGET_TOO_SMALL" });
					}
					if (cut !== undefined) expect(counter(cut.text)).toBeLessThanOrEqual(budget);
				},
			),
			{ numRuns },
		);
	});
});
