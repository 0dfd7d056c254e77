import type { Config } from "../generated/types.ts";
import { createHost } from "../platform/create-host.ts";
import type { CompactionPlan } from "../result/compaction-result.ts";

/** What the model calls of a pass would cost at the most likely. */
export interface CostEstimate {
	/** The backend that would be asked first, with its model. */
	readonly backend: string;
	readonly calls: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** Absent where nobody knows the model's prices. */
	readonly costUSD?: number;
}

/** Tokens of the instructions that surround a transcript in a prompt. */
const INSTRUCTION_TOKENS = 600;

function firstBackend(config: Config): { readonly use: string; readonly model?: unknown } | undefined {
	const written: unknown = config.backend;
	const first: unknown = Array.isArray(written) ? written[0] : written;
	if (typeof first !== "object" || first === null) return undefined;
	return first as { readonly use: string; readonly model?: unknown };
}

/** Estimates the calls of a pass: one for each summary, over what it replaces, each answer at its full budget. */
export async function estimateCost(plan: CompactionPlan, config: Config): Promise<CostEstimate> {
	const summaries = plan.provenance.filter((from) => "summaryOf" in from).length;
	const backend = firstBackend(config);
	const use = backend?.use ?? "extractive";
	if (summaries === 0 || use === "extractive") {
		return { backend: use, calls: 0, inputTokens: 0, outputTokens: 0, costUSD: 0 };
	}
	const model = typeof backend?.model === "string" ? backend.model : undefined;
	const replaced = plan.log
		.filter(({ edit }) => edit === "summarize")
		.reduce((sum, { tokens }) => sum + tokens, 0);
	const inputTokens = Math.round(replaced + summaries * INSTRUCTION_TOKENS);
	const outputTokens = Math.round(summaries * (plan.tokens.summaryBudget ?? 0));
	const facts = model === undefined ? undefined : await createHost().model(model);
	const estimate = {
		backend: model === undefined ? use : `${use} ${model}`,
		calls: summaries,
		inputTokens,
		outputTokens,
	};
	if (facts?.inputPrice === undefined || facts.outputPrice === undefined) return estimate;
	return { ...estimate, costUSD: (inputTokens * facts.inputPrice + outputTokens * facts.outputPrice) / 1e6 };
}
