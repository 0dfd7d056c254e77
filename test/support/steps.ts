import { builtins } from "../../src/builtins.ts";
import { applyEdits, gatherSummary } from "../../src/core/edits/apply-edits.ts";
import { checkEdits } from "../../src/core/edits/check-edits.ts";
import { type Draft, startDraft } from "../../src/core/edits/draft.ts";
import type { Edit } from "../../src/core/edits/edit.ts";
import { isBlank } from "../../src/core/transcript/blank.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { findUnits } from "../../src/core/transcript/units.ts";
import { summaryRole } from "../../src/flow/summary-role.ts";
import { checkBuiltinOptions } from "../../src/registry/check-options.ts";
import { type Assembled, assembleResult } from "../../src/result/assemble-result.ts";
import { checkLaws } from "../../src/result/laws.ts";
import type { PlanContext, PlanningStrategy, Strategy, Use } from "../../src/strategy/contract.ts";

/** Tokens for tests: characters of the JSON, by four. */
export function quarter(of: Message | string): number {
	return (typeof of === "string" ? of : JSON.stringify(of)).length / 4;
}

/** Creates a built-in strategy with its options checked and filled in, as the registry does. */
export async function builtinStrategy({ use, ...options }: Use): Promise<Strategy> {
	const load = builtins.strategies[use];
	if (load === undefined) throw new Error(`there is no strategy "${use}"`);
	const { default: definition } = await load();
	const source = { name: "the test", value: options, text: undefined } as never;
	const checked = await checkBuiltinOptions(`strategies/${use}`, structuredClone(options), source);
	if (checked.problems.length > 0) throw new Error(checked.problems.map(({ message }) => message).join("\n"));
	const strategy: unknown = await definition.create(checked.options as never, undefined as never);
	return strategy as Strategy;
}

/** A summary as a pass inserts it. */
export function summaryMessage(text: string, role = "user"): Message {
	return {
		role,
		content: [{ type: "text", text }],
		providerOptions: { precis: { kind: "context", summary: { v: 1, template: "default" } } },
	};
}

/** What a step did. */
export interface Step extends Assembled {
	readonly draft: Draft;
	readonly edits: readonly Edit[];
	/** The messages that the summary replaces, and the earlier summaries that it folds in; by draft index. */
	readonly summarized: readonly number[];
	readonly previous: readonly number[];
	readonly isUnchanged: boolean;
}

/** The context that a plan is given. */
export function planContext(messages: readonly Message[], targetTokens = 100_000): PlanContext {
	return {
		targetTokens,
		totalTokens: messages.reduce((sum, message) => sum + quarter(message), 0),
		countTokens: (of) => (typeof of === "string" ? quarter(of) : quarter(messages[of] ?? "")),
		units: findUnits(messages),
		reason: { trigger: "test", detail: "A test asked for it." },
		signal: new AbortController().signal,
	};
}

/** Plans with one strategy, applies its edits, with a given text as the summary, and checks the laws. */
export async function runPlanner(
	planner: PlanningStrategy,
	draft: Draft,
	input: readonly Message[],
	{ targetTokens, summary = "So far: A1 holds 14 boxes." }: { targetTokens?: number; summary?: string } = {},
): Promise<Step> {
	const { messages } = draft;
	const planned = await planner.plan(messages, planContext(messages, targetTokens));
	const edits = checkEdits(planned, messages.length, "tested");
	const gathered = gatherSummary(draft, edits);
	const wanted = gathered?.options.summaryRole === "assistant" ? "assistant" : "user";
	const indices = gathered === undefined ? [] : [...gathered.indices, ...gathered.previous];
	const role = summaryRole(
		wanted,
		messages,
		[...indices].sort((left, right) => left - right),
	);
	const made = gathered === undefined ? undefined : { message: summaryMessage(summary, role), indices };
	const next = applyEdits(draft, edits, made);
	checkLaws("tested", draft, next);
	return {
		...assembleResult(input, next),
		draft: next,
		edits,
		summarized: gathered?.indices ?? [],
		previous: gathered?.previous ?? [],
		isUnchanged: next === draft,
	};
}

/** A built-in with its options, as a config writes them. */
export type BuiltinUse = Use & { readonly [option: string]: unknown };

/** Runs one built-in strategy on a transcript. */
export async function runStep(
	use: BuiltinUse,
	messages: readonly Message[],
	options: { targetTokens?: number; summary?: string } = {},
): Promise<Step> {
	const strategy = await builtinStrategy(use);
	if (strategy.steps !== undefined) throw new Error(`"${use.use}" is no planner`);
	return runPlanner(strategy, startDraft(messages), messages, options);
}

/** The output as input indices, with "S" for the inserted summary, as the cases write it. */
export function outOf({ provenance }: Pick<Assembled, "provenance">): (number | "S")[] {
	return provenance.map((from) => ("kept" in from ? from.kept : "rewritten" in from ? from.rewritten : "S"));
}

/** Freezes a value with all that is in it. */
export function deepFreeze<Value>(value: Value): Value {
	if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const inner of Object.values(value)) deepFreeze(inner);
	}
	return value;
}

export { isBlank };
