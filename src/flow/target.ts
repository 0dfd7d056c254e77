import type { CheckedConfig } from "../config/check-config.ts";

/** Share of the smallest token threshold of the trigger that a pass aims at, in thousandths. */
const OF_THRESHOLD = 700;
/** Share of the window that a pass aims at where no trigger has a token threshold, in thousandths. */
const OF_WINDOW = 560;

/** The size in tokens that a pass aims at. */
export function targetOf(config: CheckedConfig, windowTokens: number, thresholds: readonly number[]): number {
	const { target } = config;
	if (target !== undefined && "tokens" in target) return target.tokens;
	if (target !== undefined) return Math.max(1, Math.floor((windowTokens * target.percent) / 100));
	const smallest = Math.min(...thresholds);
	const aimed = Number.isFinite(smallest)
		? (smallest * OF_THRESHOLD) / 1000
		: (windowTokens * OF_WINDOW) / 1000;
	return Math.max(1, Math.floor(aimed));
}
