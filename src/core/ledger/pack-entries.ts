import type { RankedIdentifier } from "./rank-identifiers.ts";

/** Identifiers on one bullet: short enough that a trim, which takes whole lines, loses little. */
const PER_ENTRY = 12;

/** The identifiers of an entry of the ledger. */
export function splitLedgerEntry(entry: string): readonly string[] {
	return entry.split(/\s+/).filter((text) => text !== "");
}

/** Entries of a number of identifiers, best first; a bullet holds what stands next to each other in rank. */
function pack(ranked: readonly RankedIdentifier[], count: number, maxItems: number): readonly string[] {
	const per = Math.max(PER_ENTRY, Math.ceil(count / maxItems));
	const entries: string[] = [];
	for (let from = 0; from < count; from += per) {
		const texts = ranked.slice(from, Math.min(count, from + per)).map(({ text }) => text);
		entries.push(texts.join(" "));
	}
	return entries;
}

/** As many of the ranked identifiers, from the best on, as fit the budget by `measure`. */
export function packEntries(
	ranked: readonly RankedIdentifier[],
	maxItems: number,
	budgetTokens: number,
	measure: (entries: readonly string[]) => number,
): readonly string[] {
	// Nothing that fits is longer than eight characters a token.
	let most = 0;
	for (let characters = 0; most < ranked.length && characters <= budgetTokens * 8; most += 1)
		characters += (ranked[most]?.text.length ?? 0) + 1;
	let low = 0;
	let high = most;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (measure(pack(ranked, middle, maxItems)) <= budgetTokens) low = middle;
		else high = middle - 1;
	}
	return pack(ranked, low, maxItems);
}
