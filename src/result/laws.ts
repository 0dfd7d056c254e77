import type { Draft } from "../core/edits/draft.ts";
import { isBlank } from "../core/transcript/blank.ts";
import { isPinned, leadingSystemCount } from "../core/transcript/kinds.ts";
import { lastUserIndex } from "../core/transcript/last-user.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { type Change, changeOf } from "./change.ts";
import { brokenPair } from "./pairs-law.ts";
import { lostReasoning } from "./reasoning-law.ts";

/** The laws that every step's output is held to, whoever planned it. */
export type Law =
	| "order"
	| "leading-system"
	| "pins"
	| "last-user"
	| "user-first"
	| "no-empty"
	| "pairs"
	| "reasoning"
	| "summary-budget";

/** What the laws cannot see in the messages. */
export interface LawFacts {
	/** Tokens of the inserted summary, and the most that it may have. */
	readonly summary?: { readonly tokens: number; readonly budgetTokens: number };
}

function isUntouched({ before, after, wentTo }: Change, index: number): boolean {
	const now = wentTo[index] ?? -1;
	return now >= 0 && after[now] === before[index];
}

function brokenOrder({ cameFrom }: Change): string | undefined {
	let last = -1;
	for (const was of cameFrom) {
		if (was < 0) continue;
		if (was <= last) return `message ${was} does not stand behind message ${last} any more`;
		last = was;
	}
	return undefined;
}

function brokenHead(change: Change): string | undefined {
	const count = leadingSystemCount(change.before);
	for (let index = 0; index < count; index += 1) {
		if (change.after[index] !== change.before[index])
			return `the leading system message ${index} is not there any more`;
	}
	return undefined;
}

function brokenPin(change: Change): string | undefined {
	const { before, units } = change;
	if (!before.some(isPinned)) return undefined;
	const { unitOf } = units;
	const pinned = new Set<number>();
	for (const [index, message] of before.entries()) if (isPinned(message)) pinned.add(unitOf[index] ?? -1);
	for (let index = 0; index < before.length; index += 1) {
		if (pinned.has(unitOf[index] ?? -1) && !isUntouched(change, index))
			return `message ${index} is pinned, or tied to one that is`;
	}
	return undefined;
}

function lostUser({ before, after, wentTo }: Change): string | undefined {
	const index = lastUserIndex(before);
	if (index < 0) return undefined;
	const now = wentTo[index] ?? -1;
	return now >= 0 && after[now]?.role === "user" ? undefined : `message ${index} is the last one of the user`;
}

function brokenStart({ before, after, cameFrom }: Change): string | undefined {
	const first = leadingSystemCount(before);
	if (before[first]?.role !== "user") return undefined;
	const now = leadingSystemCount(after);
	// A summary that was inserted may stand first, whatever its role was asked to be.
	if (after[now]?.role === "user" || (now < after.length && cameFrom[now] === -1)) return undefined;
	return now < after.length
		? `a message of role "${after[now]?.role}" stands first, where a user's stood`
		: "nothing is left";
}

function emptied({ before, after, cameFrom }: Change): string | undefined {
	for (const [index, message] of after.entries()) {
		const was = before[cameFrom[index] ?? -1];
		if (was === message || !isBlank(message)) continue;
		if (was === undefined) return "the summary says nothing";
		if (!isBlank(was)) return `message ${cameFrom[index]} says nothing any more`;
	}
	return undefined;
}

function overBudget({ summary }: LawFacts): string | undefined {
	if (summary === undefined || summary.tokens <= summary.budgetTokens) return undefined;
	return `the summary has ${summary.tokens} tokens, and may have ${summary.budgetTokens}`;
}

/**
 * Checks what a step made of a draft. Only what the step broke counts: what came in broken may stay so. Linear.
 * @param who the strategy's name
 * @throws CompactionError PLUGIN_INVALID naming the strategy and the law
 */
export function checkLaws(who: string, before: Draft, after: Draft, facts: LawFacts = {}): void {
	if (before === after) return;
	const change = changeOf(before, after);
	const laws: readonly [Law, () => string | undefined][] = [
		["order", () => brokenOrder(change)],
		["leading-system", () => brokenHead(change)],
		["pins", () => brokenPin(change)],
		["last-user", () => lostUser(change)],
		["user-first", () => brokenStart(change)],
		["no-empty", () => emptied(change)],
		["pairs", () => brokenPair(change)],
		["reasoning", () => lostReasoning(change)],
		["summary-budget", () => overBudget(facts)],
	];
	for (const [law, check] of laws) {
		const broken = check();
		if (broken === undefined) continue;
		throw new CompactionError(
			"PLUGIN_INVALID",
			`Cannot accept the edits of the strategy "${who}": they break the law "${law}": ${broken}. The transcript is untouched.`,
		);
	}
}
