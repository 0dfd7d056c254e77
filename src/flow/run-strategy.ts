import { applyEdits, gatherSummary } from "../core/edits/apply-edits.ts";
import { checkEdits } from "../core/edits/check-edits.ts";
import type { Draft } from "../core/edits/draft.ts";
import type { Edit } from "../core/edits/edit.ts";
import type { Units } from "../core/transcript/units.ts";
import { isCompactionError } from "../errors/compaction-error.ts";
import { checkLaws } from "../result/laws.ts";
import type { PlanContext } from "../strategy/contract.ts";
import { passAborted, runPlan } from "../strategy/run-plan.ts";
import { draftTokens, type Pass, sumTokens, tokensOf } from "./pass.ts";
import type { StrategyNode } from "./strategy-tree.ts";

/** @throws CompactionError CANCELLED where the pass was aborted */
export function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted) throw passAborted(signal);
}

function planContext(pass: Pass, draft: Draft, tokensAt: (index: number) => number): PlanContext {
	return {
		targetTokens: Math.max(0, pass.targetTokens - pass.overheadTokens),
		get totalTokens(): number {
			return draftTokens(pass, draft) - pass.overheadTokens;
		},
		countTokens: (of) => (typeof of === "string" ? pass.countText(of) : tokensAt(of)),
		get units(): Units {
			return draft.units;
		},
		reason: pass.reason,
		signal: pass.signal,
	};
}

/** Says in the pass's log what an edit did; indices are the input's. */
function logEdit(
	pass: Pass,
	step: string,
	draft: Draft,
	edit: Edit,
	tokensAt: (index: number) => number,
): void {
	const [kind, indices]: ["drop" | "replace" | "summarize", readonly number[]] =
		"drop" in edit
			? ["drop", edit.drop]
			: "replace" in edit
				? ["replace", [edit.replace]]
				: ["summarize", edit.summarize];
	pass.record.log.push({
		step,
		edit: kind,
		messages: draft.inputsOf(indices),
		tokens: Math.floor(sumTokens(indices, tokensAt)),
		why: edit.why ?? `the strategy "${step}" proposed it`,
	});
}

/** Prompts, rescue and ledger are half of this package's code: a pass that drops only does without them. */
const summarize: typeof import("./summarize-slots.ts").summarizeSlots = async (...args) => {
	const { summarizeSlots } = await import("./summarize-slots.ts");
	return summarizeSlots(...args);
};

/** The pass as a plan, whose notes and stand-ins nobody sees. */
function rehearsalOf(pass: Pass): Pass {
	return { ...pass, dryRun: true, record: { ...pass.record, log: [], summaries: new Map() } };
}

/** Plans with one strategy, has summaries made, applies the edits and checks the laws. */
async function runPlanner(
	node: Extract<StrategyNode, { planner: unknown }>,
	draft: Draft,
	pass: Pass,
): Promise<Draft> {
	const tokensAt = tokensOf(pass, draft);
	const planned = await runPlan(node.name, node.planner, draft.messages, planContext(pass, draft, tokensAt));
	const edits = checkEdits(planned, draft.messages.length, node.name);
	if (edits.length === 0) return draft;
	const gathered = gatherSummary(draft, edits);
	const summarized = (by: Pass): ReturnType<typeof summarize> | undefined =>
		gathered === undefined ? undefined : summarize(node.name, draft, gathered, by, tokensAt);
	const applied = (made: Awaited<ReturnType<typeof summarized>>): Draft => {
		if (made === "no-progress") return draft;
		const next = applyEdits(draft, edits, made);
		checkLaws(node.name, draft, next, made === undefined ? {} : { summary: made });
		return next;
	};
	// With a stand-in first: what breaks a law, whatever the summary says, is refused before anything is paid for.
	if (gathered !== undefined && !pass.dryRun) applied(await summarized(rehearsalOf(pass)));
	const next = applied(await summarized(pass));
	if (next === draft) return draft;
	for (const edit of edits) logEdit(pass, node.name, draft, edit, tokensAt);
	return next;
}

/**
 * Runs a strategy on a draft and gives the next one; the draft itself is never changed.
 * @throws CompactionError of a planner, a backend or a law; then nothing of the branch counts
 */
export async function runStrategy(node: StrategyNode, draft: Draft, pass: Pass): Promise<Draft> {
	throwIfAborted(pass.signal);
	if ("planner" in node) return runPlanner(node, draft, pass);
	if (node.until === "first") return runFirst(node, draft, pass);
	let current = draft;
	for (const step of node.steps) {
		if (node.until === "fits" && draftTokens(pass, current) <= pass.targetTokens) break;
		current = await runStrategy(step, current, pass);
	}
	throwIfAborted(pass.signal);
	return current;
}

async function runFirst(
	node: Extract<StrategyNode, { steps: unknown }>,
	draft: Draft,
	pass: Pass,
): Promise<Draft> {
	let last: unknown;
	for (const step of node.steps) {
		const logged = pass.record.log.length;
		try {
			return await runStrategy(step, draft, pass);
		} catch (error) {
			if (!isCompactionError(error) || error.code === "CANCELLED") throw error;
			last = error;
			// What the failed branch would have done was not done.
			pass.record.log.splice(logged);
			pass.record.log.push({
				step: step.name,
				edit: "failed",
				messages: [],
				tokens: 0,
				why: `${error.code}: ${error.message}`,
			});
		}
	}
	throw last;
}
