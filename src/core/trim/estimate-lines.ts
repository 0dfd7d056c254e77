/** What each line adds to a text, in tokens, as far as single lines tell. */
export interface LineEstimates {
	/** What a text has beside its lines: the message around it, say. */
	readonly base: number;
	/** At index k, what the first k lines add together. */
	readonly sums: Float64Array;
}

function finite(tokens: number): number {
	return Number.isFinite(tokens) ? tokens : 0;
}

/**
 * Counts each line once, on its own, and scales the sums to what the whole measured. For a counter that adds up over
 * lines, whatever it adds for the whole, the sums are exact; for any other they share its error evenly.
 */
export function estimateLines(
	lines: readonly string[],
	total: number,
	countTokens: (text: string) => number,
): LineEstimates {
	const base = finite(countTokens(""));
	// A blank line is counted between others: on its own it is an empty text, of which counters think differently.
	const blank = finite(countTokens("\n\n-")) - finite(countTokens("\n-"));
	const sums = new Float64Array(lines.length + 1);
	for (let index = 0; index < lines.length; index += 1) {
		const line = lines[index] ?? "";
		const isBlank = index > 0 && line === "";
		const tokens = isBlank ? blank : finite(countTokens(index === 0 ? line : `\n${line}`)) - base;
		// A counter may take an empty text for more than the first line: then that one stands below nothing.
		sums[index + 1] = (sums[index] ?? 0) + (index === 0 ? tokens : Math.max(0, tokens));
	}
	const sum = sums[lines.length] ?? 0;
	const measured = finite(total) - base;
	// A sum that differs by rounding of its additions alone is exact; scaling would only blur it.
	if (sum > 0 && measured > 0 && Math.abs(sum - measured) > 1e-9 * sum) {
		const scale = measured / sum;
		for (let index = 1; index < sums.length; index += 1) sums[index] = (sums[index] ?? 0) * scale;
	}
	return { base, sums };
}
