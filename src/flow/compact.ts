import type { ModelMessage } from "ai";
import { type Slot, startDraft } from "../core/edits/apply-edits.ts";
import type { Message } from "../core/transcript/message.ts";
import { applyTo } from "../result/apply-to.ts";
import { assembleResult } from "../result/assemble-result.ts";
import type { CompactionPlan, CompactionResult } from "../result/compaction-result.ts";
import { draftTokens, type Pass, type PassInput } from "./pass.ts";
import { runStrategy, throwIfAborted } from "./run-strategy.ts";
import type { StrategyNode } from "./strategy-tree.ts";

type Unchanged = NonNullable<CompactionResult["unchanged"]>;

/** A finished pass, before it is told as a result or as a plan. */
interface Finished {
	readonly pass: Pass;
	readonly draft: readonly Slot[];
	readonly before: number;
	readonly after: number;
	readonly unchanged: Unchanged | undefined;
}

/** Why a pass that ran without an error changes nothing, or undefined where it does. */
function whyUnchanged(
	pass: Pass,
	start: readonly Slot[],
	end: readonly Slot[],
	before: number,
	after: number,
): Unchanged | undefined {
	if (start === end) {
		if (pass.record.log.some(({ edit }) => edit === "note")) return "no-progress";
		return "nothing-to-evict";
	}
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

function lastSummary(pass: Pass, draft: readonly Slot[]): ReturnType<Pass["record"]["summaries"]["get"]> {
	return draft
		.map(({ message }) => pass.record.summaries.get(message))
		.findLast((found) => found !== undefined);
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

/** The same pass with no backend call: what would be evicted, kept and summarized. */
export async function planPass(node: StrategyNode, input: PassInput): Promise<CompactionPlan> {
	const { pass, draft, before, after } = await run(node, { ...input, dryRun: true });
	const kept: number[] = [];
	const rewritten: number[] = [];
	const summarized: number[] = [];
	for (const { from } of draft) {
		if ("kept" in from) kept.push(from.kept);
		else if ("rewritten" in from) rewritten.push(from.rewritten);
		else summarized.push(...from.summaryOf);
	}
	const present = new Set([...kept, ...rewritten, ...summarized]);
	const dropped = [...pass.messages.keys()].filter((index) => !present.has(index));
	const tokens = (indices: readonly number[]): number =>
		pass.account.total(indices.flatMap((index) => pass.messages[index] ?? []));
	const found = lastSummary(pass, draft);
	return {
		reason: pass.reason,
		kept: kept.sort((left, right) => left - right),
		rewritten: rewritten.sort((left, right) => left - right),
		summarized: summarized.sort((left, right) => left - right),
		dropped,
		provenance: draft.map(({ from }) => from),
		tokens: {
			before,
			after,
			target: pass.targetTokens,
			...(found === undefined ? {} : { summaryBudget: found.budgetTokens }),
			kept: tokens(kept),
			evicted: tokens([...summarized, ...dropped]),
		},
		usage: { calls: 0 },
		log: pass.record.log,
	};
}
