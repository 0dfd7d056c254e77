import type { ModelMessage } from "ai";
import { type Draft, startDraft } from "../core/edits/draft.ts";
import type { Message } from "../core/transcript/message.ts";
import { applyTo } from "../result/apply-to.ts";
import { assembleResult } from "../result/assemble-result.ts";
import type { CompactionPlan, CompactionResult } from "../result/compaction-result.ts";
import { draftTokens, type Pass, type PassInput, sumTokens } from "./pass.ts";
import { runStrategy, throwIfAborted } from "./run-strategy.ts";
import type { StrategyNode } from "./strategy-tree.ts";

type Unchanged = NonNullable<CompactionResult["unchanged"]>;

/** A finished pass, before it is told as a result or as a plan. */
interface Finished {
	readonly pass: Pass;
	readonly draft: Draft;
	readonly before: number;
	readonly after: number;
	readonly unchanged: Unchanged | undefined;
}

/** Why a pass that ran without an error changes nothing, or undefined where it does. */
function whyUnchanged(
	pass: Pass,
	start: Draft,
	end: Draft,
	before: number,
	after: number,
): Unchanged | undefined {
	if (start === end) {
		if (pass.record.log.some(({ edit }) => edit === "note")) return "no-progress";
		return "nothing-to-evict";
	}
	// A transcript with nothing in it is none that a provider takes.
	if (end.messages.length === 0) return "nothing-to-evict";
	const over = Math.max(0, before - pass.targetTokens);
	const won = before - after;
	return won <= 0 || won < pass.minProgress * over ? "no-progress" : undefined;
}

async function run(node: StrategyNode, input: PassInput): Promise<Finished> {
	// 1. Nothing is done for a caller who has gone.
	throwIfAborted(input.signal);
	const pass: Pass = {
		...input,
		record: { log: [], usage: { calls: 0 }, metadata: {}, summaries: new Map() },
	};
	// 2. The messages become a draft: slots that remember where they come from.
	const start = startDraft(pass.messages);
	const before = draftTokens(pass, start);
	// 3. The strategy plans, summaries are made, edits are applied, laws are checked; step by step in a pipeline.
	const draft = await runStrategy(node, start, pass);
	throwIfAborted(pass.signal);
	// 4. What won nothing is not committed.
	const after = draftTokens(pass, draft);
	return { pass, draft, before, after, unchanged: whyUnchanged(pass, start, draft, before, after) };
}

function lastSummary(pass: Pass, draft: Draft): ReturnType<Pass["record"]["summaries"]["get"]> {
	if (draft.summaries.length === 0) return undefined;
	const carrier = draft.messages.findLast((message) => pass.record.summaries.has(message));
	return carrier === undefined ? undefined : pass.record.summaries.get(carrier);
}

/** One pass: the transcript in, a shorter one out, or the reason why not. */
export async function compactPass(
	node: StrategyNode,
	input: PassInput,
): Promise<{ result: CompactionResult; finished: PassFigures }> {
	const { pass, draft, before, after, unchanged } = await run(node, input);
	const { record } = pass;
	const kept = unchanged === undefined ? draft : startDraft(pass.messages);
	const { messages, provenance, replaced, evicted } = assembleResult(pass.messages, kept);
	const found = unchanged === undefined ? lastSummary(pass, draft) : undefined;
	const result = {
		status: unchanged === undefined ? "compacted" : "unchanged",
		...(unchanged === undefined ? {} : { unchanged }),
		reason: pass.reason,
		messages: messages as ModelMessage[],
		replaced,
		evicted: evicted as ModelMessage[],
		provenance,
		...(found === undefined ? {} : { summary: found.summary }),
		tokens: {
			before,
			after: unchanged === undefined ? after : before,
			target: pass.targetTokens,
			...(found === undefined ? {} : { summaryBudget: found.budgetTokens }),
		},
		usage: record.usage,
		log: record.log,
		metadata: record.metadata,
	} satisfies Omit<CompactionResult, "applyTo">;
	// Not enumerable: results are compared and written as plain data.
	Object.defineProperty(result, "applyTo", {
		value: (longer: readonly Message[]) => applyTo(pass.messages, messages, longer),
	});
	return {
		result: result as unknown as CompactionResult,
		finished: { degraded: found?.degraded ?? false, sectionIds: found?.sectionIds ?? [] },
	};
}

/** What telemetry tells of a pass beside its result. */
export interface PassFigures {
	readonly degraded: boolean;
	readonly sectionIds: readonly string[];
}

/** What becomes of each message of the input; lists of indices, ascending. */
type Fates = Pick<CompactionPlan, "kept" | "rewritten" | "summarized" | "dropped">;

function fatesOf(input: readonly Message[], draft: Draft): Fates {
	const dropped: number[] = [];
	const kept: number[] = [];
	const rewritten: number[] = [];
	const summarized: number[] = [];
	const lists = [dropped, kept, rewritten, summarized];
	const listOf = new Uint8Array(input.length);
	for (let index = 0; index < draft.source.length; index += 1) {
		const source = draft.source[index] ?? 0;
		if (source >= 0) listOf[source] = lists.indexOf(draft.isRewritten[index] === 1 ? rewritten : kept);
		else for (const one of draft.summaryOf(index)) listOf[one] = lists.indexOf(summarized);
	}
	for (let index = 0; index < input.length; index += 1) lists[listOf[index] ?? 0]?.push(index);
	return { dropped, kept, rewritten, summarized };
}

/** The same pass with no backend call: what would be evicted, kept and summarized. */
export async function planPass(node: StrategyNode, input: PassInput): Promise<CompactionPlan> {
	const { pass, draft, before, after } = await run(node, { ...input, dryRun: true });
	const { kept, rewritten, summarized, dropped } = fatesOf(pass.messages, draft);
	const tokens = pass.account.list(pass.messages);
	const tokensAt = (index: number): number => tokens[index] ?? 0;
	const found = lastSummary(pass, draft);
	return {
		reason: pass.reason,
		kept,
		rewritten,
		summarized,
		dropped,
		provenance: draft.provenance(),
		tokens: {
			before,
			after,
			target: pass.targetTokens,
			...(found === undefined ? {} : { summaryBudget: found.budgetTokens }),
			kept: Math.floor(sumTokens(kept, tokensAt)),
			evicted: Math.floor(sumTokens(summarized, tokensAt) + sumTokens(dropped, tokensAt)),
		},
		usage: { calls: 0 },
		log: pass.record.log,
	};
}
