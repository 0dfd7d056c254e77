import {
	type Edit,
	findTies,
	isBlank,
	isReasoning,
	isSigned,
	type Message,
	openTurnStart,
	type Part,
	type Ties,
} from "../../src/plugin.ts";
import { findMixedUp } from "./find-mixed-up.ts";
import { partEdits, withParts } from "./rewrite.ts";

/** Ids that several calls share are held one round after the other; nobody's transcript takes more than two. */
const MOST_ROUNDS = 8;

/** What a strategy decides about the calls of a transcript. */
export interface Removal {
	/** Marks entries of the ties that should go. */
	choose(ties: Ties, partOf: (entry: number) => Part): Uint8Array;
	/** The messages that must not change; one byte for each. */
	readonly fixed: Uint8Array;
	/** Whether calls made from inside a removed one go with it; else they hold it. */
	readonly takesInner: boolean;
	readonly dropEmptyMessages: boolean;
	readonly why: string;
}

/**
 * The parts of a message that are left without some. Reasoning that led to nothing but removed parts goes too:
 * its provider would miss what follows it.
 */
function without(content: readonly Part[], isRemoved: (at: number) => boolean): readonly Part[] {
	// From the end, so that what follows reasoning is known when it comes.
	const reversed: Part[] = [];
	let run: Part[] = [];
	let hasRemoved = false;
	let hasLeft = false;
	const endRun = (): void => {
		if (!hasRemoved || hasLeft) reversed.push(...run);
		run = [];
		hasRemoved = false;
		hasLeft = false;
	};
	for (let at = content.length - 1; at >= 0; at -= 1) {
		const part = content[at];
		if (part === undefined) continue;
		if (isReasoning(part)) {
			run.push(part);
			continue;
		}
		if (run.length > 0) endRun();
		if (isRemoved(at)) hasRemoved = true;
		else {
			reversed.push(part);
			if (part.type !== "text" || (part.text ?? "").trim() !== "") hasLeft = true;
		}
	}
	endRun();
	return reversed.reverse();
}

function hasThoughtSignature({ providerOptions }: Part): boolean {
	return Object.values(providerOptions ?? {}).some(
		(options) =>
			typeof options === "object" && options !== null && Object.hasOwn(options, "thoughtSignature"),
	);
}

/** Whether a call that goes carries the signature that the calls beside it lean on. */
function loosensCalls(content: readonly Part[], isRemoved: (at: number) => boolean): boolean {
	const calls = content.map((part, at) => ({ part, at })).filter(({ part }) => part.type === "tool-call");
	return (
		calls.some(({ part, at }) => isRemoved(at) && hasThoughtSignature(part)) &&
		calls.some(({ part, at }) => !isRemoved(at) && !hasThoughtSignature(part))
	);
}

/** Plans the removal of calls with all that belongs to them: results, approvals, inner calls, their reasoning. */
export function removeCalls(transcript: readonly Message[], removal: Removal): readonly Edit[] {
	const ties = findTies(transcript);
	const { count } = ties;
	const contentOf = (index: number): readonly Part[] => {
		const content = transcript[index]?.content;
		return content === undefined || typeof content === "string" ? [] : content;
	};
	const partOf = (entry: number): Part =>
		contentOf(ties.message[entry] ?? -1)[ties.part[entry] ?? -1] ?? { type: "" };
	const removed = removal.choose(ties, partOf);
	const held = new Uint8Array(count);
	const groupOf = (entry: number): number => {
		const call = ties.call[entry] ?? -1;
		return call < 0 ? entry : call;
	};

	/** Carries what holds a call to the call that it was made from inside, and what goes to its whole group. */
	const settle = (): void => {
		for (let entry = count - 1; entry >= 0; entry -= 1) {
			const caller = ties.caller[entry] ?? -1;
			if (caller < 0) continue;
			if (held[entry] === 1 || (!removal.takesInner && removed[entry] === 0)) held[caller] = 1;
		}
		for (let entry = 0; entry < count; entry += 1) {
			const caller = ties.caller[entry] ?? -1;
			if (caller >= 0 && removed[caller] === 1 && held[caller] === 0) removed[entry] = 1;
		}
		for (let entry = 0; entry < count; entry += 1) {
			const group = groupOf(entry);
			if (held[group] === 1) removed[entry] = 0;
			else if (removed[group] === 1) removed[entry] = 1;
		}
	};

	for (let entry = 0; entry < count; entry += 1)
		if (removal.fixed[ties.message[entry] ?? 0] === 1) held[groupOf(entry)] = 1;

	const open = openTurnStart(transcript);
	const removedAt = (): Map<number, Set<number>> => {
		const byMessage = new Map<number, Set<number>>();
		for (let entry = 0; entry < count; entry += 1) {
			if (removed[entry] === 0) continue;
			const index = ties.message[entry] ?? 0;
			const parts = byMessage.get(index);
			if (parts === undefined) byMessage.set(index, new Set([ties.part[entry] ?? 0]));
			else parts.add(ties.part[entry] ?? 0);
		}
		return byMessage;
	};
	/** Whether a message may not lose these parts: they all stay then. */
	const resists = (index: number, parts: ReadonlySet<number>): boolean => {
		const message = transcript[index];
		if (message === undefined) return true;
		const content = contentOf(index);
		const isRemoved = (at: number): boolean => parts.has(at);
		const left = without(content, isRemoved);
		if (isBlank(withParts(message, left))) return message.role === "user" || !removal.dropEmptyMessages;
		if (loosensCalls(content, isRemoved)) return true;
		const losesSigned =
			index >= open &&
			left.some(({ type }) => type === "tool-call") &&
			content.some((part) => isReasoning(part) && isSigned(part) && !left.includes(part));
		return losesSigned;
	};

	/** Holds what messages resist to lose. What one holds may make another resist; every round holds more. */
	const settleAll = (): void => {
		settle();
		for (let holds = true; holds; ) {
			holds = false;
			for (const [index, parts] of removedAt()) {
				if (!resists(index, parts)) continue;
				for (
					let entry = firstEntry(ties, index);
					entry < count && ties.message[entry] === index;
					entry += 1
				) {
					if (removed[entry] === 0) continue;
					held[groupOf(entry)] = 1;
					holds = true;
				}
			}
			if (holds) settle();
		}
	};

	for (let round = 0; round < MOST_ROUNDS; round += 1) {
		settleAll();
		const changed = new Map<number, readonly Part[]>();
		for (const [index, parts] of removedAt())
			changed.set(
				index,
				without(contentOf(index), (at) => parts.has(at)),
			);
		const left = withoutParts(transcript, changed);
		const mixedUp = changed.size === 0 ? [] : findMixedUp(left, ties, removed);
		if (mixedUp.length === 0) return partEdits(transcript, changed, removal.why);
		// All calls of an id stay where they could not be told apart without some of them.
		const ids = new Set(mixedUp.map((entry) => partOf(ties.call[entry] ?? entry).toolCallId));
		for (let entry = 0; entry < count; entry += 1)
			if (removed[entry] === 1 && ids.has(partOf(entry).toolCallId)) held[groupOf(entry)] = 1;
	}
	return [];
}

/** The transcript with other parts in some messages; those that have nothing left to say are not in it. */
function withoutParts(
	transcript: readonly Message[],
	changed: ReadonlyMap<number, readonly Part[]>,
): readonly Message[] {
	return transcript.flatMap((message, index) => {
		const parts = changed.get(index);
		if (parts === undefined) return [message];
		const left = withParts(message, parts);
		return isBlank(left) ? [] : [left];
	});
}

/** The first entry of a message; entries are in order. */
function firstEntry(ties: Ties, index: number): number {
	let low = 0;
	let high = ties.count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((ties.message[middle] ?? 0) < index) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Marks every entry of the calls that `isChosen`, and every chosen result without a call. */
export function chooseCalls(
	ties: Ties,
	isChosen: (entry: number) => boolean,
	isLooseChosen: (entry: number) => boolean,
): Uint8Array {
	const removed = new Uint8Array(ties.count);
	for (let entry = 0; entry < ties.count; entry += 1) {
		const call = ties.call[entry] ?? -1;
		if (call < 0) removed[entry] = isLooseChosen(entry) ? 1 : 0;
		else if (call === entry) removed[entry] = isChosen(entry) ? 1 : 0;
		else removed[entry] = removed[call] ?? 0;
	}
	return removed;
}
