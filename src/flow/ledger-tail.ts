import {
	buildLedger,
	LEDGER_SECTION,
	type LedgerOptions,
	ledgerTokens,
	renderLedger,
} from "../core/ledger/build-ledger.ts";
import type { Sections, Template } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";

/** The last line of a render that was cut. */
const MARKER = "\n\n[trimmed]";

/** What a ledger is made from, and what it may take. */
export interface LedgerSource {
	readonly options: false | LedgerOptions;
	readonly evicted: readonly Message[];
	readonly kept: readonly Message[];
	/** The sections of the previous summary, its own ledger included. */
	readonly previous: Sections | undefined;
	/** The budget of the whole summary, in tokens. */
	readonly budgetTokens: number;
	countTokens(text: string): number;
}

/** Whether a template leaves the ledger's section to the ledger. */
export function takesLedger(template: Template): boolean {
	return template.sections.every(
		({ id, title }) => id !== LEDGER_SECTION.id && title !== LEDGER_SECTION.title,
	);
}

/** A template as renders with a ledger are read back. */
export function withLedgerSection(template: Template): Template {
	return takesLedger(template) ? { ...template, sections: [...template.sections, LEDGER_SECTION] } : template;
}

/** The entries of the ledger; with a summary, only what does not stand in it already. */
export function ledgerEntries(
	source: LedgerSource,
	budgetTokens: number,
	summary?: Sections,
): readonly string[] {
	const { options } = source;
	if (options === false || budgetTokens <= 0) return [];
	const { evicted, kept, previous } = source;
	const countTokens = (text: string): number => source.countTokens(text);
	return buildLedger({
		evicted,
		kept,
		previous,
		kinds: options.kinds,
		budgetTokens,
		countTokens,
		...(summary === undefined ? {} : { summary }),
	}).entries;
}

/** The tokens that the ledger will take: what it has to say, within its share of the budget. */
export function ledgerReserve(source: LedgerSource): number {
	const entries = ledgerEntries(source, ledgerTokens(source.options, source.budgetTokens));
	return Math.ceil(source.countTokens(renderLedger(entries)));
}

/** A render with the ledger as its last section; the marker of a cut stays on the last line. */
export function appendLedger(render: string, entries: readonly string[]): string {
	const tail = renderLedger(entries);
	return render.endsWith(MARKER) ? `${render.slice(0, -MARKER.length)}${tail}${MARKER}` : `${render}${tail}`;
}
