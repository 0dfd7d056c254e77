import { endsStep } from "./ends-step.ts";
import type { Message } from "./message.ts";
import { CALL, findTies, RESULT, type Ties } from "./ties.ts";

/** How the messages of a transcript hang together; indices refer to the transcript it was made from. */
export interface Units {
	/** For each message the number of its unit, ascending by first appearance. */
	readonly unitOf: readonly number[];
	/** For each unit its messages, ascending. */
	readonly members: readonly (readonly number[])[];
	/** Messages of a unit with a call that still waits for its result: never evicted. */
	readonly waiting: ReadonlySet<number>;
	/** Messages that came in broken: an orphan result, or an unanswered call that nothing waits for. */
	readonly broken: ReadonlySet<number>;
}

function rootOf(parent: Int32Array, index: number): number {
	let root = index;
	for (let up = parent[root] ?? root; up !== root; up = parent[root] ?? root) {
		// Halving the path keeps chains short without a second walk.
		parent[root] = parent[up] ?? up;
		root = up;
	}
	return root;
}

function join(parent: Int32Array, left: number, right: number): void {
	const a = rootOf(parent, left);
	const b = rootOf(parent, right);
	// The lower index is the root, so that units are numbered by their first message.
	if (a < b) parent[b] = a;
	else parent[a] = b;
}

function joinTied(ties: Ties, length: number): Int32Array {
	const parent = new Int32Array(length);
	for (let index = 0; index < length; index += 1) parent[index] = index;
	for (let entry = 0; entry < ties.count; entry += 1) {
		const here = ties.message[entry] ?? 0;
		const caller = ties.caller[entry] ?? -1;
		if (caller >= 0) join(parent, here, ties.message[caller] ?? here);
		const call = ties.call[entry] ?? -1;
		if (call < 0 || call === entry) continue;
		const there = ties.message[call] ?? here;
		if (there !== here) join(parent, here, there);
	}
	return parent;
}

function membersOf(unitOf: readonly number[], count: number): readonly (readonly number[])[] {
	const members: number[][] = Array.from({ length: count }, () => []);
	for (let index = 0; index < unitOf.length; index += 1) members[unitOf[index] ?? 0]?.push(index);
	return members;
}

/** The messages of the units for which `mark` is set. */
function messagesOf(unitOf: readonly number[], isMarked: (unit: number) => boolean): ReadonlySet<number> {
	const found = new Set<number>();
	for (let index = 0; index < unitOf.length; index += 1) if (isMarked(unitOf[index] ?? 0)) found.add(index);
	return found;
}

/**
 * Finds the units of a transcript: which messages may only stay or go together. Linear in time and memory.
 * Ties are by occurrence: a call with its results, with its approval request and response, with the calls that
 * were made from inside it; all of a message, its reasoning too, stays together.
 */
export function findUnits(messages: readonly Message[]): Units {
	const { length } = messages;
	const ties = findTies(messages);
	const parent = joinTied(ties, length);
	const unitOf = new Array<number>(length);
	let count = 0;
	for (let index = 0; index < length; index += 1) {
		const root = rootOf(parent, index);
		unitOf[index] = root === index ? count++ : (unitOf[root] ?? 0);
	}
	const { waiting, broken } = findLoose(messages, ties, unitOf);
	let members: readonly (readonly number[])[] | undefined;
	return {
		unitOf,
		get members() {
			// Most callers need the numbers only; the lists are the larger part of the memory.
			members ??= membersOf(unitOf, count);
			return members;
		},
		waiting,
		broken,
	};
}

/** A call waits while no user or assistant message follows its unit; what else lacks its other half is broken. */
function findLoose(
	messages: readonly Message[],
	ties: Ties,
	unitOf: readonly number[],
): Pick<Units, "waiting" | "broken"> {
	const broken = new Set<number>();
	const unanswered: number[] = [];
	for (let entry = 0; entry < ties.count; entry += 1) {
		const message = ties.message[entry] ?? 0;
		if (ties.kind[entry] === RESULT && ties.call[entry] === -1) broken.add(message);
		if (ties.kind[entry] === CALL && ties.answered[entry] === 0) unanswered.push(message);
	}
	if (unanswered.length === 0) return { waiting: new Set(), broken };
	const lastTalk = messages.findLastIndex(endsStep);
	// A unit reaches to the last talk or beyond it, or something follows it.
	const open = new Set<number>();
	for (let index = Math.max(0, lastTalk); index < messages.length; index += 1) open.add(unitOf[index] ?? 0);
	const waitingUnits = new Set<number>();
	for (const message of unanswered) {
		const unit = unitOf[message] ?? 0;
		if (open.has(unit)) waitingUnits.add(unit);
		else broken.add(message);
	}
	const waiting =
		waitingUnits.size === 0 ? new Set<number>() : messagesOf(unitOf, (unit) => waitingUnits.has(unit));
	return { waiting, broken };
}
