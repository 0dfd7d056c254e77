import schema from "../../schemas/strategies/structured.schema.json" with { type: "json" };
import {
	defineStrategy,
	leadingSystemCount,
	type Message,
	type PlanContext,
	type ResolvedStructuredStrategyOptions,
	type StrategyDefinition,
	summaryMarkOf,
} from "../../src/plugin.ts";
import { allowance, faultyIn, findProtected, noteBroken, widenToUnits } from "./select-older.ts";
import { summaryEdit, summaryReserve } from "./summary-edit.ts";

/**
 * Where a transcript may be cut without parting a unit; one byte for each position. Units that go or stay in
 * any case are looked through.
 */
function findSafeCuts(unitOf: readonly number[], isDecided: (index: number) => boolean): Uint8Array {
	const { length } = unitOf;
	const lastOf = new Int32Array(length);
	for (let index = 0; index < length; index += 1) lastOf[unitOf[index] ?? 0] = index;
	const isSafe = new Uint8Array(length + 1);
	let reach = -1;
	for (let cut = 0; cut <= length; cut += 1) {
		if (reach < cut) isSafe[cut] = 1;
		if (cut < length && !isDecided(cut)) reach = Math.max(reach, lastOf[unitOf[cut] ?? 0] ?? 0);
	}
	return isSafe;
}

/**
 * Where turns begin: at a user's message behind an assistant's, and behind an earlier summary. Messages that
 * go or stay in any case are looked through.
 */
function findTurns(transcript: readonly Message[], faulty: Uint8Array, kept: Uint8Array): Uint8Array {
	const isTurn = new Uint8Array(transcript.length);
	let behind: Message | undefined;
	for (const [index, message] of transcript.entries()) {
		const isSummary = summaryMarkOf(message) !== undefined;
		const stays = faulty[index] === 0 || kept[index] === 1;
		if (message.role === "user" && stays && !isSummary && behind !== undefined) {
			if (behind.role === "assistant" || summaryMarkOf(behind) !== undefined) isTurn[index] = 1;
		}
		if (isSummary || (faulty[index] === 0 && kept[index] === 0)) behind = message;
	}
	return isTurn;
}

/** The position with so many messages behind it, broken ones and summaries not counted; 0 where there are fewer. */
function positionBefore(transcript: readonly Message[], count: number, faulty: Uint8Array): number {
	let position = transcript.length;
	for (let left = count; left > 0 && position > 0; position -= 1) {
		const message = transcript[position - 1];
		if (message !== undefined && faulty[position - 1] === 0 && summaryMarkOf(message) === undefined)
			left -= 1;
	}
	return position;
}

/** Where to split: what stands before it is summarized. 0 means nowhere. */
function findSplit(
	transcript: readonly Message[],
	context: PlanContext,
	options: ResolvedStructuredStrategyOptions,
	faulty: Uint8Array,
	kept: Uint8Array,
): number {
	const head = leadingSystemCount(transcript);
	const isSafe = findSafeCuts(context.units.unitOf, (index) => kept[index] === 1 || faulty[index] === 1);
	const isTurn = findTurns(transcript, faulty, kept);
	const wanted = positionBefore(transcript, options.preserveRecent, faulty);
	let split = wanted;
	while (split > head && !(isTurn[split] === 1 && isSafe[split] === 1)) split -= 1;
	if (split <= head) {
		split = wanted;
		while (split > head && isSafe[split] === 0) split -= 1;
	}
	if (options.keepTokens === undefined || split <= head) return split;
	const stays = kept.slice().fill(1, split);
	let left = allowance(transcript, stays, context, {
		keepLast: options.preserveRecent,
		preserveKinds: [],
		keepTokens: options.keepTokens,
		replacement: options.summaryRole,
		reserveTokens: summaryReserve(options, context),
	});
	// The largest tail that begins a turn and fits; of the first turn, at least, there is a summary.
	for (let cut = split - 1; cut > head; cut -= 1) {
		left -= context.countTokens(cut);
		if (left < 0) break;
		if (isTurn[cut] === 1 && isSafe[cut] === 1) split = cut;
	}
	return split;
}

/** Splits at a unit-safe turn boundary and replaces the older side by one summary with stable headings. */
const definition: StrategyDefinition<ResolvedStructuredStrategyOptions> = defineStrategy({
	name: "structured",
	schema,
	create: (options) => ({
		summarizes: true,
		plan(transcript, context) {
			if (transcript.length <= options.minMessages) return [];
			const kept = findProtected(transcript, context);
			const head = leadingSystemCount(transcript);
			// Behind a summary that is no user's message, the first one of the user's must stay in front.
			if (options.summaryRole === "assistant" && transcript[head]?.role === "user") kept[head] = 1;
			widenToUnits(kept, context);
			const isFaulty = faultyIn(transcript, context);
			const faulty = Uint8Array.from(transcript, (_, index) => Number(isFaulty(index)));
			const split = findSplit(transcript, context, options, faulty, kept);
			const evict: number[] = [];
			for (let index = head; index < transcript.length; index += 1) {
				if (kept[index] === 0 && (index < split || faulty[index] === 1)) evict.push(index);
			}
			const notes = noteBroken([...context.units.broken].filter((index) => kept[index] === 1));
			if ((evict[0] ?? split) >= split) return notes;
			const why = `before the turn that message ${split} begins`;
			return [summaryEdit(evict, options, why), ...notes];
		},
	}),
});

export default definition;
