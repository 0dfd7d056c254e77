import { dropLines } from "../core/ledger/drop-lines.ts";
import { renderSections } from "../core/render/render-summary.ts";
import type { Sections, Template } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";

/** Share of a summary's budget that a ledger may claim where the summary left it no room. */
const CLAIM = 0.2;

/** The tokens that a ledger may claim of a summary that fills its budget. */
export function claimedTokens(reserveTokens: number, budgetTokens: number): number {
	return Math.min(reserveTokens, Math.floor(budgetTokens * CLAIM));
}

/** What room is made from. */
export interface RoomInput {
	readonly sections: Sections;
	readonly template: Template;
	/** The messages that the summary replaces. */
	readonly evicted: readonly Message[];
	/** The most tokens that the render may have. */
	readonly tokens: number;
	countTokens(text: string): number;
}

/**
 * Leaves out the entries that say least, wherever they stand, so that identifiers fit beside a summary that fills its
 * budget: cutting its end would lose what was said last.
 */
export function makeRoom(input: RoomInput): Sections {
	const { sections, template, countTokens } = input;
	const entries = template.sections.flatMap(({ id }) => (sections[id] ?? []).map((entry) => ({ id, entry })));
	const lines = entries.map(({ entry }) => `- ${entry.replace(/\s+/g, " ")}`);
	const text = [template.name, ...lines].join("\n");
	const beside = countTokens(renderSections(sections, template)) - countTokens(text);
	const left = dropLines(text, { evicted: input.evicted, tokens: input.tokens - beside, countTokens }).split(
		"\n",
	);
	const kept: Record<string, string[]> = Object.fromEntries(Object.keys(sections).map((id) => [id, []]));
	// What is left are lines of the text in its order, the first among them.
	let next = 1;
	for (const [index, { id, entry }] of entries.entries()) {
		if (left[next] !== lines[index]) continue;
		next += 1;
		kept[id] = [...(kept[id] ?? []), entry];
	}
	return kept;
}
