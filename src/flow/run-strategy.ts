import { applyEdits, checkEdits, gatherSummary, type Slot } from "../core/edits/apply-edits.ts";
import type { Edit } from "../core/edits/edit.ts";
import { findUnits, type Units } from "../core/transcript/units.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { checkLaws } from "../result/laws.ts";
import type { PlanContext } from "../strategy/contract.ts";
import { runPlan } from "../strategy/run-plan.ts";
import { draftTokens, inputIndices, type Pass, tokensOf } from "./pass.ts";
import type { StrategyNode } from "./strategy-tree.ts";
import { summarizeSlots } from "./summarize-slots.ts";

/** @throws CompactionError CANCELLED where the pass was aborted */
export function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted)
		throw new CompactionError("CANCELLED", "Cannot finish the pass: it was aborted.", {
			cause: signal.reason,
		});
}

function planContext(pass: Pass, draft: readonly Slot[], messages: readonly Slot["message"][]): PlanContext {
	let units: Units | undefined;
	return {
		targetTokens: Math.max(0, pass.targetTokens - pass.overheadTokens),
		get totalTokens(): number {
			return draftTokens(pass, draft) - pass.overheadTokens;
		},
		countTokens(of) {
			if (typeof of === "string") return pass.countText(of);
			const slot = draft[of];
			return slot === undefined ? 0 : tokensOf(pass, slot.message);
		},
		get units(): Units {
			units ??= findUnits(messages);
			return units;
		},
		reason: pass.reason,
		signal: pass.signal,
	};
}

/** Says in the pass's log what an edit did; indices are the input's. */
function logEdit(pass: Pass, step: string, draft: readonly Slot[], edit: Edit): void {
	const [kind, indices]: ["drop" | "replace" | "summarize", readonly number[]] =
		"drop" in edit
			? ["drop", edit.drop]
			: "replace" in edit
				? ["replace", [edit.replace]]
				: ["summarize", edit.summarize];
	const slots = indices.flatMap((index) => draft[index] ?? []);
	pass.record.log.push({
		step,
		edit: kind,
		messages: slots.flatMap(({ from }) => inputIndices(from)),
		tokens: Math.floor(slots.reduce((sum, { message }) => sum + tokensOf(pass, message), 0)),
		why: edit.why ?? `the strategy "${step}" proposed it`,
	});
}

/** Plans with one strategy, has summaries made, applies the edits and checks the laws. */
async function runPlanner(
	node: Extract<StrategyNode, { planner: unknown }>,
	draft: readonly Slot[],
	pass: Pass,
): Promise<readonly Slot[]> {
	const messages = draft.map(({ message }) => message);
	const planned = await runPlan(node.name, node.planner, messages, planContext(pass, draft, messages));
	const edits = checkEdits(planned, draft.length, node.name);
	if (edits.length === 0) return draft;
	const gathered = gatherSummary(draft, edits);
	const made = gathered === undefined ? undefined : await summarizeSlots(node.name, draft, gathered, pass);
	if (made === "no-progress") return draft;
	const next = applyEdits(draft, edits, made);
	checkLaws(node.name, draft, next, made === undefined ? {} : { summary: made });
	for (const edit of edits) logEdit(pass, node.name, draft, edit);
	return next;
}

/**
 * Runs a strategy on a draft and gives the next one; the draft itself is never changed.
 * @throws CompactionError of a planner, a backend or a law; then nothing of the branch counts
 */
export async function runStrategy(
	node: StrategyNode,
	draft: readonly Slot[],
	pass: Pass,
): Promise<readonly Slot[]> {
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
	draft: readonly Slot[],
	pass: Pass,
): Promise<readonly Slot[]> {
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
