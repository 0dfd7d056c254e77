/** The token ceiling of a summary as options give it. */
export interface SummaryTokens {
	/** Share of the target. */
	readonly fraction: number;
	/** Upper bound in tokens. */
	readonly max: number;
}

/** Digits to which a product is trusted: floating point would make 0.29 × 100 into 28.999…. */
const TRUSTED_DIGITS = 12;

/** The most tokens that a summary may have at a target, whatever it replaces. */
export function summaryCeiling(options: SummaryTokens, targetTokens: number): number {
	const share = Number((targetTokens * options.fraction).toPrecision(TRUSTED_DIGITS));
	return Math.min(options.max, Math.floor(share));
}

/** The most tokens that a summary may have: its ceiling, and never more than half of what it replaces. */
export function summaryBudget(options: SummaryTokens, targetTokens: number, replacedTokens: number): number {
	return Math.min(summaryCeiling(options, targetTokens), Math.floor(replacedTokens / 2));
}
