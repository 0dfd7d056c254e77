/** The token ceiling of a summary as options give it. */
export interface SummaryTokens {
	/** Share of the target. */
	readonly fraction: number;
	/** Upper bound in tokens. */
	readonly max: number;
}

/**
 * A share in whole thousandths, cut and not rounded, read off its shortest decimal form: floating point would
 * make 0.29 × 1000 into 289.99….
 */
function thousandths(share: number): number {
	const text = String(share);
	// Below 1e-6 JavaScript writes an exponent; nothing of it reaches a thousandth.
	if (text.includes("e")) return 0;
	const [whole = "0", decimals = ""] = text.split(".");
	return Number(whole) * 1000 + Number(decimals.slice(0, 3).padEnd(3, "0"));
}

/** The most tokens that a summary may have at a target, whatever it replaces. */
export function summaryCeiling(options: SummaryTokens, targetTokens: number): number {
	return Math.min(options.max, Math.floor((targetTokens * thousandths(options.fraction)) / 1000));
}

/** The most tokens that a summary may have: its ceiling, and never more than half of what it replaces. */
export function summaryBudget(options: SummaryTokens, targetTokens: number, replacedTokens: number): number {
	return Math.min(summaryCeiling(options, targetTokens), Math.floor(replacedTokens / 2));
}
