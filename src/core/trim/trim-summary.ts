import { type RenderedSection, renderSections, renderSummary } from "../render/render-summary.ts";
import { asTemplate } from "../template/resolve-template.ts";
import type { Sections, Template, TemplateDefinition } from "../template/template.ts";
import { countCodePoints } from "../text/code-points.ts";
import { LEAST_CHARACTERS } from "./cut-text.ts";
import { type Cuttable, type Fitted, fitLines } from "./fit-lines.ts";
import { budgetTooSmall } from "./too-small.ts";

/** A quarter of the characters, and five for the message around them. */
function countRoughly(text: string): number {
	return Math.floor(countCodePoints(text) / 4 + 5);
}

/** Where an entry stands in a render. */
interface PlacedEntry {
	readonly section: string;
	readonly start: number;
	readonly lines: readonly string[];
}

interface PlacedSummary extends Cuttable {
	readonly entries: readonly PlacedEntry[];
}

function place(header: string, sections: readonly RenderedSection[]): PlacedSummary {
	const lines = header.split("\n");
	const cuts: number[] = [];
	const entries: PlacedEntry[] = [];
	for (const { section, heading, entries: rendered } of sections) {
		lines.push("", heading);
		for (const entry of rendered) {
			const start = lines.length;
			let characters = -2;
			for (const line of entry) {
				lines.push(line);
				characters += line.length;
				// Of the first entry enough must be left, unless it is whole.
				const says = entries.length > 0 || characters >= LEAST_CHARACTERS;
				if (line !== "" && (says || lines.length === start + entry.length)) cuts.push(lines.length);
			}
			entries.push({ section: section.id, start, lines: entry });
		}
	}
	const [one] = entries;
	const first =
		one === undefined ? undefined : { start: one.start, end: one.start + one.lines.length, from: 2 };
	return { lines, cuts, first, entries };
}

/** An entry out of the lines of its bullet. */
function entryOf(lines: readonly string[]): string {
	return lines.map((line) => line.slice(2)).join("\n");
}

function keptSections(placed: PlacedSummary, fitted: Fitted, template: Template): Sections {
	const kept = new Map<string, string[]>(template.sections.map(({ id }) => [id, []]));
	const seen = new Set<string>();
	let section: string | undefined;
	for (const entry of placed.entries) {
		if (entry.start > fitted.kept || (entry.start === fitted.kept && fitted.rest === undefined)) break;
		// A section that the template lists twice says the same twice.
		if (entry.section !== section && seen.has(entry.section)) continue;
		section = entry.section;
		seen.add(section);
		const list = kept.get(section) ?? [];
		kept.set(section, list);
		if (entry.start === fitted.kept) list.push((fitted.rest ?? "").replace(/\n {2}/g, "\n"));
		else list.push(entryOf(entry.lines.slice(0, fitted.kept - entry.start)));
	}
	return Object.fromEntries(kept);
}

/**
 * A summary as text of at most so many tokens. What fits is rendered whole; else the leading lines that fit are
 * kept, then a blank line and `[trimmed]` alone on the last line, never with a heading that has lost its entries.
 * Only where not one entry would be left whole is the first one cut within its line. `sections` is what the text
 * still says.
 *
 * `countTokens` measures a text however it likes, within a whole message for example. At most three candidates are
 * measured with it, and each line once on its own; a result is never over the budget, and the longest that fits if
 * the counter adds up over lines. Without it, a token is four characters, and the message has five more.
 * @throws CompactionError BUDGET_TOO_SMALL where fewer than 20 characters of the first entry would be left;
 * CONFIG_INVALID for a template that cannot be resolved
 */
export function trimSummary(
	sections: Sections,
	template: string | Template | TemplateDefinition | undefined,
	budget: number,
	countTokens: (text: string) => number = countRoughly,
): { readonly text: string; readonly sections: Sections; readonly trimmed: boolean } {
	const resolved = asTemplate(template);
	const rendered = renderSections(sections, resolved);
	if (rendered.length === 0) {
		const text = renderSummary(sections, resolved);
		if (!(countTokens(text) <= budget)) throw budgetTooSmall(budget);
		return {
			text,
			sections: Object.fromEntries(resolved.sections.map(({ id }) => [id, []])),
			trimmed: false,
		};
	}
	const placed = place(resolved.header, rendered);
	const fitted = fitLines(placed, budget, countTokens);
	if (fitted === undefined) throw budgetTooSmall(budget);
	return { text: fitted.text, sections: keptSections(placed, fitted, resolved), trimmed: fitted.trimmed };
}
