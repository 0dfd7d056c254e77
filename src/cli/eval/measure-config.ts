import type { Compactor } from "../../flow/create-compactor.ts";
import { MOST_OF_TARGET } from "../override-config.ts";
import { type Budget, type Measurement, measurePass, type Subject } from "./measure-pass.ts";
import type { MeasuredConfig } from "./open-config.ts";

/** A transcript is compacted as if it had just reached the trigger: the default target is so much of the trigger. */
const TARGET_SHARE = 0.7;

/** The share of the target that a summary has by default: how a strategy that takes no budget is given one. */
const DEFAULT_FRACTION = 0.2;

/** What a pass runs with. */
interface Setting {
	readonly budget: Budget;
	readonly compactor: Compactor;
	readonly targetTokens: number;
}

/** The setting that gives the summary so large a share of what is evicted. */
async function settingFor(
	config: MeasuredConfig,
	budget: number,
	evictedTokens: number,
	targetTokens: number,
): Promise<Setting> {
	const tokens = Math.max(1, Math.floor(evictedTokens * budget));
	if (!config.takesSummaryTokens) {
		const least = Math.ceil(tokens / DEFAULT_FRACTION);
		return { budget, compactor: config.compactor, targetTokens: least };
	}
	const least = Math.ceil(tokens / MOST_OF_TARGET) + 1;
	return {
		budget,
		compactor: await config.withSummaryTokens(tokens),
		targetTokens: Math.max(targetTokens, least),
	};
}

/**
 * Measures a config at every cut of a transcript and every budget; at no budget but its own where nothing is
 * summarized. One measurement after the other, so that times mean something.
 */
export async function* measureConfig(
	config: MeasuredConfig,
	subject: Subject,
	budgets: readonly Budget[],
	signal: AbortSignal,
): AsyncGenerator<Measurement> {
	const { compactor, isFree } = config;
	for (const cut of subject.cuts) {
		const head = subject.messages.slice(0, cut);
		const share = Math.floor(compactor.countTokens(head) * TARGET_SHARE);
		const targetTokens = Math.max(1, Math.min(compactor.targetTokens, share));
		const plan = await compactor.plan(head, { signal, targetTokens });
		const evictedTokens = Math.round(plan.tokens.evicted);
		const own: Setting = { budget: "own", compactor, targetTokens };
		const isSummarized = config.takesSummaryTokens || plan.summarized.length > 0;
		for (const budget of isSummarized ? budgets : (["own"] as const)) {
			const setting = budget === "own" ? own : await settingFor(config, budget, evictedTokens, targetTokens);
			yield await measurePass({ ...setting, isFree, subject, cut, evictedTokens, signal });
		}
	}
}
