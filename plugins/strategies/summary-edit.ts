import type { Edit, PlanContext, ResolvedSummarizeOlderStrategyOptions } from "../../src/plugin.ts";

/** The options of a summary, as every strategy that summarizes takes them. */
export type SummaryOptions = Pick<
	ResolvedSummarizeOlderStrategyOptions,
	| "template"
	| "summaryTokens"
	| "transcriptMaxTokens"
	| "parseOutput"
	| "malformed"
	| "empty"
	| "summaryRole"
	| "ledger"
>;

/** The most tokens that the summary may take of the target. */
export function summaryReserve({ summaryTokens }: SummaryOptions, context: PlanContext): number {
	return Math.min(summaryTokens.max, summaryTokens.fraction * context.targetTokens);
}

/** The edit that asks for one summary of messages, with the options that concern it. */
export function summaryEdit(indices: readonly number[], options: SummaryOptions, why: string): Edit {
	const { template, summaryTokens, transcriptMaxTokens, parseOutput, malformed, empty, summaryRole, ledger } =
		options;
	return {
		summarize: indices,
		options: {
			template,
			summaryTokens,
			...(transcriptMaxTokens === undefined ? {} : { transcriptMaxTokens }),
			parseOutput,
			malformed,
			empty,
			summaryRole,
			ledger,
		},
		why,
	};
}
