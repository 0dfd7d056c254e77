import { CompactionError } from "../../errors/compaction-error.ts";
import { forSections } from "../ledger/ledger-section.ts";
import { renderSections } from "../render/render-summary.ts";
import { checkSections } from "../template/check-sections.ts";
import { asTemplate } from "../template/resolve-template.ts";
import type { Sections, Template, TemplateDefinition } from "../template/template.ts";
import { fitCharacters } from "./fit-characters.ts";
import { type Fitted, fitLines } from "./fit-lines.ts";
import { type PlacedSummary, placeEntries } from "./place-entries.ts";
import { budgetTooSmall } from "./too-small.ts";

/** A summary within its budget. */
export interface TrimmedSummary {
	readonly text: string;
	/** What the text says: every section of the template, with the entries that are left. */
	readonly sections: Sections;
	readonly trimmed: boolean;
}

/** An entry out of the lines of its bullet. */
function entryOf(lines: readonly string[]): string {
	return lines.map((line) => line.slice(2)).join("\n");
}

function keptSections(placed: PlacedSummary, fitted: Fitted, template: Template): Sections {
	const kept = new Map<string, string[]>(template.sections.map(({ id }) => [id, []]));
	let section: string | undefined;
	let list: string[] = [];
	for (const entry of placed.entries) {
		const isCut = entry.start === fitted.kept && fitted.rest !== undefined;
		if (entry.start >= fitted.kept && !isCut) break;
		if (entry.isRepeated) continue;
		if (entry.section !== section) {
			section = entry.section;
			list = kept.get(section) ?? [];
			kept.set(section, list);
		}
		if (entry.end <= fitted.kept) list.push(entry.text);
		else if (isCut) list.push((fitted.rest ?? "").replaceAll("\n  ", "\n"));
		else list.push(entryOf(placed.lines.slice(entry.start, fitted.kept)));
	}
	return Object.fromEntries(kept);
}

/** A token is four characters (UTF-16 units), and the message around the summary has five more: `floor(n / 4 + 5)`. */
function mostCharacters(budget: number): number {
	return (Math.floor(budget) - 4) * 4 - 1;
}

/**
 * A summary as text of at most so many tokens. What fits is rendered whole; else the leading lines that fit are
 * kept, then a blank line and `[trimmed]` alone on the last line, never with a heading that has lost its entries.
 * Only where not one entry would be left whole is the first one cut within its line.
 *
 * `countTokens` measures a text however it likes, within a whole message for example. At most three candidates are
 * measured with it, and each line once on its own; a result is never over the budget, and the longest that fits if
 * the counter adds up over lines. Without it, a text of n characters has `floor(n / 4 + 5)` tokens.
 * @throws CompactionError BUDGET_TOO_SMALL where fewer than 20 characters of the first entry would be left;
 * CONFIG_INVALID for a template that cannot be resolved, and a budget that is no number; TypeError for what is no
 * sections
 */
export function trimSummary(
	sections: Sections,
	template: string | Template | TemplateDefinition | undefined,
	budget: number,
	countTokens?: (text: string) => number,
): TrimmedSummary {
	checkSections("trim the summary", sections);
	checkBudget(budget);
	return trimSections(sections, forSections(asTemplate(template), sections), budget, countTokens);
}

/** The same by a resolved template, and nothing that is not in it. */
export function trimSections(
	sections: Sections,
	template: Template,
	budget: number,
	countTokens?: (text: string) => number,
): TrimmedSummary {
	const most = countTokens === undefined ? mostCharacters(budget) : Number.POSITIVE_INFINITY;
	const placed = placeEntries(sections, template, most);
	const [first] = placed.entries;
	if (first === undefined) return stub(sections, template, budget, most, countTokens);
	const source = { ...placed, first: { start: first.start, end: first.end, from: 2 } };
	const fitted =
		countTokens === undefined ? fitCharacters(source, most) : fitLines(source, budget, countTokens);
	if (fitted === undefined) throw budgetTooSmall(budget);
	return { text: fitted.text, sections: keptSections(placed, fitted, template), trimmed: fitted.trimmed };
}

function checkBudget(budget: unknown): void {
	if (typeof budget === "number") return;
	throw new CompactionError(
		"CONFIG_INVALID",
		`Cannot trim the summary: the budget is ${JSON.stringify(budget) ?? "missing"}; expected a number of tokens.`,
	);
}

function stub(
	sections: Sections,
	template: Template,
	budget: number,
	most: number,
	countTokens: ((text: string) => number) | undefined,
): TrimmedSummary {
	const text = renderSections(sections, template);
	const fits = countTokens === undefined ? text.length <= most : countTokens(text) <= budget;
	if (!fits) throw budgetTooSmall(budget);
	return { text, sections: Object.fromEntries(template.sections.map(({ id }) => [id, []])), trimmed: false };
}
