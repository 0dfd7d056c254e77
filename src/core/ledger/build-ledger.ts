import type { Sections, TemplateSection } from "../template/template.ts";
import type { Message } from "../transcript/message.ts";
import { LEDGER_KINDS, type LedgerKind } from "./kinds.ts";
import { LEDGER_SECTION } from "./ledger-section.ts";
import { packEntries } from "./pack-entries.ts";
import { type RankedIdentifier, rankIdentifiers } from "./rank-identifiers.ts";
import { NameReader } from "./read-names.ts";

export { LEDGER_SECTION } from "./ledger-section.ts";
export { splitLedgerEntry } from "./pack-entries.ts";

/** The options of a ledger, as the summary options have them. */
export interface LedgerOptions {
	readonly maxTokens?: number;
	readonly fraction?: number;
	readonly kinds?: readonly string[];
}

/** What a ledger is made of. */
export interface LedgerInput {
	/** The messages that the summary replaces. */
	readonly evicted: readonly Message[];
	/** The messages that stay after it. */
	readonly kept: readonly Message[];
	/** The sections of the previous summary, its own ledger included. */
	readonly previous?: Sections | undefined;
	/** The kinds to list; absent means all. */
	readonly kinds?: readonly string[] | undefined;
	/** The most tokens that the rendered section may have, its heading included. */
	readonly budgetTokens: number;
	countTokens(text: string): number;
}

/** A ledger in the making: its room is set aside first, and it is written when the rest of the summary is known. */
export interface LedgerPlan {
	/** The section for the template; it comes last. */
	readonly section: TemplateSection;
	/** Tokens to keep free for it: less than the budget where the evicted part names little, 0 where it names nothing. */
	readonly reserveTokens: number;
	/**
	 * The entries, best first, within what was set aside; what stands in the summary's sections is not listed again.
	 * @param roomTokens what the rest of the summary left, where that is less
	 */
	entries(summary?: Sections, roomTokens?: number): readonly string[];
}

/** Share of the summary's budget that the ledger takes at most, where the options give no figure at all. */
export const LEDGER_FRACTION = 0.5;
/** Its tokens at most, likewise: a long list repeats what a long summary says anyway. */
export const LEDGER_MAX_TOKENS = 1400;

/** A budget of fewer tokens is the summary's alone, likewise: header, headings and two sentences take that much. */
export const LEDGER_LEAST = 200;

/** The most tokens that the ledger may take of a summary's budget; 0 where it is switched off. */
export function ledgerTokens(options: false | LedgerOptions, budgetTokens: number): number {
	if (options === false) return 0;
	const { fraction, maxTokens } = options;
	if (fraction === undefined && maxTokens === undefined)
		return budgetTokens < LEDGER_LEAST
			? 0
			: Math.min(Math.floor(budgetTokens * LEDGER_FRACTION), LEDGER_MAX_TOKENS);
	return Math.min(Math.floor(budgetTokens * (fraction ?? 1)), maxTokens ?? budgetTokens);
}

/** The section as it stands at the end of a render: a blank line, the heading, the bullets. */
export function renderLedger(entries: readonly string[]): string {
	if (entries.length === 0) return "";
	return `\n\n### ${LEDGER_SECTION.title}\n${entries.map((entry) => `- ${entry}`).join("\n")}`;
}

/**
 * Ranks the identifiers of the evicted messages and the previous summary by how likely later work needs them.
 * Deterministic; secrets are never listed; every identifier stands in what was evicted or in the previous summary.
 */
export function planLedger(input: LedgerInput): LedgerPlan {
	const kinds = new Set<LedgerKind>(
		LEDGER_KINDS.filter((kind) => input.kinds === undefined || input.kinds.includes(kind)),
	);
	const ranked = rankIdentifiers({
		evicted: input.evicted,
		kept: input.kept,
		previous: input.previous ?? {},
		kinds,
	});
	const measure = (entries: readonly string[]): number => Math.ceil(input.countTokens(renderLedger(entries)));
	const pack = (list: readonly RankedIdentifier[], budget: number): readonly string[] =>
		packEntries(list, LEDGER_SECTION.maxItems, budget, measure);
	const telling = ranked.filter((identifier) => identifier.telling);
	const reserveTokens = measure(pack(telling, input.budgetTokens));
	return {
		section: LEDGER_SECTION,
		reserveTokens,
		entries: (summary = {}, roomTokens = reserveTokens) =>
			pack(ranked.filter(notIn(summary)), Math.min(reserveTokens, roomTokens)),
	};
}

/** Tells what the sections do not name already. */
function notIn(sections: Sections): (identifier: RankedIdentifier) => boolean {
	const said = new Set<string>();
	const reader = new NameReader();
	for (const entries of Object.values(sections)) {
		for (const entry of entries) {
			reader.read(entry, ({ kind, text }) => {
				said.add(text);
				if (kind !== "path") return;
				// A path also says its endings.
				for (let at = text.indexOf("/"); at >= 0; at = text.indexOf("/", at + 1))
					said.add(text.slice(at + 1));
			});
		}
	}
	return ({ text }) => !said.has(text);
}
