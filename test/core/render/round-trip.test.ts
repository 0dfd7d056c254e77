import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import { renderSummary, STUB } from "../../../src/core/render/render-summary.ts";
import { ACTION_ONLY_TEMPLATE, DEFAULT_TEMPLATE } from "../../../src/core/template/resolve-template.ts";
import type { Template } from "../../../src/core/template/template.ts";
import { wellFormed } from "../../../src/core/text/well-formed.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 300);

const HANDOVER: Template = {
	name: "handover",
	header: "",
	sections: [
		{ id: "files", title: "Arquivos", purpose: "Paths.", aliases: [], maxItems: 3 },
		{ id: "next", title: "次の作業", purpose: "Steps.", aliases: ["Next"], maxItems: 50 },
	],
};
const TWO_LINES: Template = { ...DEFAULT_TEMPLATE, name: "two-lines", header: "# A\n\n- b" };

const line = fc.oneof(
	fc.string({ maxLength: 20, unit: "binary" }),
	fc.string({ maxLength: 20 }),
	fc.constantFrom(
		"- nested",
		"  - deeper",
		"### Key facts",
		"```",
		"[trimmed]",
		"",
		"None",
		"1. one",
		"# Decisions",
		"<think>",
		"</tool_call>",
		"<|channel|>final<|message|>",
	),
);
/** An entry as the parser gives it: no other line break than LF, no blank ends, no line of white space alone. */
const entry = fc
	.array(line, { minLength: 1, maxLength: 5 })
	.map((lines) =>
		wellFormed(lines.join("\n"))
			.replace(/\r/g, "")
			.split("\n")
			.map((one) => (one.trim() === "" ? "" : one))
			.join("\n")
			.trim(),
	)
	.filter((text) => text !== "");
const template = fc.constantFrom(DEFAULT_TEMPLATE, ACTION_ONLY_TEMPLATE, HANDOVER, TWO_LINES);

/** The ledger of a pass: it belongs to no template, and comes last under each. */
const ledger = fc.option(
	fc.array(fc.constantFrom("src/a.ts BUG-12", "v1.2.3", "### Decisions"), { minLength: 1, maxLength: 4 }),
	{ nil: undefined },
);
const summary = fc.tuple(template, ledger).chain(([chosen, identifiers]) =>
	fc
		.tuple(...chosen.sections.map(({ maxItems }) => fc.array(entry, { maxLength: Math.min(maxItems, 6) })))
		.map((lists) => ({
			template: chosen,
			// One entry says something, or the whole would be an empty summary.
			sections: Object.fromEntries([
				...chosen.sections.map(({ id }, index): [string, readonly string[]] => [
					id,
					index === 0 ? ["word", ...(lists[0] ?? []).slice(1)] : (lists[index] ?? []),
				]),
				...(identifiers === undefined ? [] : [["identifiers", identifiers] as const]),
			]),
		})),
);

describe("a rendered summary", () => {
	it("reads back to the same sections, whatever its entries say", () => {
		fc.assert(
			fc.property(summary, ({ template: chosen, sections }) => {
				const text = renderSummary(sections, chosen);
				expect(parseSummary(text, chosen)).toEqual({ sections, source: "headings" });
				expect(parseSummary(`${text}\n`, chosen)?.sections).toEqual(sections);
				expect(parseSummary(text.replaceAll("\n", "\r\n"), chosen)?.sections).toEqual(sections);
			}),
			{ numRuns },
		);
	});

	it("has as many headings and bullets at the start of a line as there are sections and entries", () => {
		fc.assert(
			fc.property(summary, ({ template: chosen, sections }) => {
				const body = renderSummary(sections, chosen).slice(chosen.header.length).split("\n");
				const filled = Object.values(sections).filter((entries) => entries.length > 0);
				expect(body.filter((one) => one.startsWith("#"))).toHaveLength(filled.length);
				expect(body.filter((one) => one.startsWith("- "))).toHaveLength(filled.flat().length);
			}),
			{ numRuns },
		);
	});

	it("is the header and the stub where there is nothing, which reads back to nothing", () => {
		expect(renderSummary({})).toBe(`${DEFAULT_TEMPLATE.header}\n\n${STUB}`);
		expect(renderSummary({ key_facts: ["", "  "] })).toBe(renderSummary({}));
		expect(parseSummary(renderSummary({}))?.sections).toEqual({
			key_facts: [],
			decisions: [],
			pending_tasks: [],
			open_questions: [],
		});
	});

	it("keeps what other line breaks part within the entry, indented", () => {
		expect(renderSummary({ key_facts: ["a\r\n### Decisions\r- b"] })).toBe(
			`${DEFAULT_TEMPLATE.header}\n\n### Key facts\n- a\n  ### Decisions\n  - b`,
		);
	});

	it("falls back to the canonical sections where the template lists none", () => {
		expect(renderSummary({ decisions: ["a"] }, { header: "## Recap", sections: [] })).toBe(
			"## Recap\n\n### Decisions\n- a",
		);
	});

	it("has the identifiers of a pass last, unless the template has a section of its own for them", () => {
		const sections = { identifiers: ["src/a.ts"], decisions: ["a"] };
		expect(renderSummary(sections, "action-only")).toBe(
			`${DEFAULT_TEMPLATE.header}\n\n### Decisions\n- a\n\n### Identifiers\n- src/a.ts`,
		);
		const own = {
			sections: [{ id: "identifiers", title: "Names", purpose: "Names." }, "decisions"],
		} as const;
		expect(renderSummary(sections, own)).toBe(
			`${DEFAULT_TEMPLATE.header}\n\n### Names\n- src/a.ts\n\n### Decisions\n- a`,
		);
	});

	it("looks at own properties only", () => {
		expect(renderSummary(Object.create({ decisions: ["a"] }))).toBe(renderSummary({}));
	});
});
