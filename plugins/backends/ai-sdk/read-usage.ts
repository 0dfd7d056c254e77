import type { ModelFacts, Usage } from "../../../src/plugin.ts";

/** Usage as `ai` reports it: flat figures in version 6, details in 6 and 7. */
interface ReportedUsage {
	readonly inputTokens?: number | undefined;
	readonly outputTokens?: number | undefined;
	readonly cachedInputTokens?: number | undefined;
	readonly inputTokenDetails?:
		| { readonly cacheReadTokens?: number | undefined; readonly cacheWriteTokens?: number | undefined }
		| undefined;
}

const MILLION = 1_000_000;

/** The cost in USD; what is read from and written to a cache counts as input where it has no price of its own. */
function costOf(usage: ReportedUsage, facts: ModelFacts | undefined): number | undefined {
	const { inputTokens, outputTokens, inputTokenDetails: details } = usage;
	const { inputPrice, outputPrice } = facts ?? {};
	if (inputPrice === undefined || outputPrice === undefined) return undefined;
	if (inputTokens === undefined || outputTokens === undefined) return undefined;
	const read = Math.min(inputTokens, details?.cacheReadTokens ?? usage.cachedInputTokens ?? 0);
	const written = Math.min(inputTokens - read, details?.cacheWriteTokens ?? 0);
	const total =
		(inputTokens - read - written) * inputPrice +
		read * (facts?.cacheReadPrice ?? inputPrice) +
		written * (facts?.cacheWritePrice ?? inputPrice) +
		outputTokens * outputPrice;
	return total / MILLION;
}

/** What a call used and cost; figures that the provider did not report, or prices that nobody knows, are absent. */
export function readUsage(reported: unknown, facts: ModelFacts | undefined): Usage {
	if (typeof reported !== "object" || reported === null) return {};
	const usage = reported as ReportedUsage;
	const costUSD = costOf(usage, facts);
	return {
		...(usage.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
		...(usage.outputTokens === undefined ? {} : { outputTokens: usage.outputTokens }),
		...(costUSD === undefined ? {} : { costUSD }),
	};
}
