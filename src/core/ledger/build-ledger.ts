import type { Sections, TemplateSection } from "../template/template.ts";
import type { Message } from "../transcript/message.ts";
import { LEDGER_KINDS, type LedgerKind } from "./kinds.ts";
import { packEntries } from "./pack-entries.ts";
import { rankIdentifiers } from "./rank-identifiers.ts";

export { splitLedgerEntry } from "./pack-entries.ts";

/** The section that carries the ledger; it comes last. */
export const LEDGER_SECTION: TemplateSection = {
	id: "identifiers",
	title: "Identifiers",
	purpose:
		"Paths, URLs, symbols, ids, versions, error codes and numbers that later work is likely to need, separated by spaces.",
	aliases: [],
	maxItems: 50,
};

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
	/** The sections that the new summary has: what stands in them is not listed again. */
	readonly summary?: Sections | undefined;
	/** The kinds to list; absent means all. */
	readonly kinds?: readonly string[] | undefined;
	/** The most tokens that the rendered section may have, its heading included. */
	readonly budgetTokens: number;
	countTokens(text: string): number;
}

/** A ledger: the section for the template and its entries, none where nothing is worth listing or nothing fits. */
export interface Ledger {
	readonly section: TemplateSection;
	readonly entries: readonly string[];
}

/** Share of the summary's budget that the ledger takes where the options say nothing. */
export const LEDGER_FRACTION = 0.25;

/** The tokens that the ledger may take of a summary's budget; 0 where it is switched off. */
export function ledgerTokens(options: false | LedgerOptions, budgetTokens: number): number {
	if (options === false) return 0;
	const share = Math.floor(
		budgetTokens * (options.fraction ?? (options.maxTokens === undefined ? LEDGER_FRACTION : 1)),
	);
	return Math.max(0, Math.min(share, options.maxTokens ?? share));
}

/** The section as it stands at the end of a render: a blank line, the heading, the bullets. */
export function renderLedger(entries: readonly string[]): string {
	return entries.length === 0
		? ""
		: `\n\n### ${LEDGER_SECTION.title}\n${entries.map((entry) => `- ${entry}`).join("\n")}`;
}

/**
 * Lists the identifiers of the evicted messages that later work is most likely to need, best first, within the
 * budget. Deterministic; secrets are never listed; every identifier stands in what was evicted or in the previous
 * summary.
 */
export function buildLedger(input: LedgerInput): Ledger {
	const kinds = new Set<LedgerKind>(
		LEDGER_KINDS.filter((kind) => input.kinds === undefined || input.kinds.includes(kind)),
	);
	const ranked = rankIdentifiers({
		evicted: input.evicted,
		kept: input.kept,
		previous: input.previous ?? {},
		summary: input.summary ?? {},
		kinds,
	});
	const entries = packEntries(ranked, LEDGER_SECTION.maxItems, input.budgetTokens, (packed) =>
		input.countTokens(renderLedger(packed)),
	);
	return { section: LEDGER_SECTION, entries };
}
