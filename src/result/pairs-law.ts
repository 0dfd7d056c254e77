import type { Message, Part } from "../core/transcript/message.ts";
import { CALL, findTies, RESULT, type Ties } from "../core/transcript/ties.ts";
import type { Change } from "./change.ts";

/** For each message the first of its entries; they end where the next message's begin. */
function starts(ties: Ties, length: number): Int32Array {
	const start = new Int32Array(length + 1);
	for (let entry = 0; entry < ties.count; entry += 1) {
		const next = (ties.message[entry] ?? 0) + 1;
		start[next] = (start[next] ?? 0) + 1;
	}
	for (let index = 1; index <= length; index += 1)
		start[index] = (start[index] ?? 0) + (start[index - 1] ?? 0);
	return start;
}

/** Whether every unit stayed whole, in the very same messages, or went whole; then no pair can have broken. */
function keptWhole({ before, units: { unitOf }, after, wentTo }: Change): boolean {
	// 1: stayed, 2: went.
	const fate = new Uint8Array(before.length);
	for (let index = 0; index < before.length; index += 1) {
		const now = wentTo[index] ?? -1;
		if (now >= 0 && after[now] !== before[index]) return false;
		const unit = unitOf[index] ?? 0;
		fate[unit] = (fate[unit] ?? 0) | (now >= 0 ? 1 : 2);
		if (fate[unit] === 3) return false;
	}
	return true;
}

function partOf(messages: readonly Message[], ties: Ties, entry: number): Part | undefined {
	const content = messages[ties.message[entry] ?? -1]?.content;
	return typeof content === "string" ? undefined : content?.[ties.part[entry] ?? -1];
}

function idOf(part: Part | undefined): string {
	return part?.toolCallId ?? part?.approvalId ?? "";
}

/** The entries of messages that were rewritten, by their parts: a part that stayed is found whatever went. */
function entriesByPart({ before, after, wentTo }: Change, ties: Ties): Map<Part, number> {
	const byPart = new Map<Part, number>();
	for (let entry = 0; entry < ties.count; entry += 1) {
		const index = ties.message[entry] ?? 0;
		if (after[wentTo[index] ?? -1] === before[index]) continue;
		const part = partOf(before, ties, entry);
		if (part !== undefined) byPart.set(part, entry);
	}
	return byPart;
}

/** What an entry hangs on: the message of its call, or of its caller; -1 where it hangs on nothing. */
function anchorOf(ties: Ties, entry: number): number {
	const of = ties.kind[entry] === CALL ? ties.caller[entry] : ties.call[entry];
	return of === undefined || of < 0 ? -1 : (ties.message[of] ?? -1);
}

function isAlone(ties: Ties, entry: number): boolean {
	return ties.kind[entry] === CALL ? ties.answered[entry] === 0 : ties.call[entry] === -1;
}

function nameOf(kind: number | undefined): string {
	if (kind === CALL) return "call";
	return kind === RESULT ? "result" : "approval";
}

/**
 * Says which pair broke: a call that lost its result, a result or an approval that lost its call, or one that
 * would now answer another call. What came in alone may stay alone.
 */
export function brokenPair(change: Change): string | undefined {
	if (keptWhole(change)) return undefined;
	const { before, after, cameFrom, wentTo } = change;
	const was = findTies(before);
	const now = findTies(after);
	const byPart = entriesByPart(change, was);
	const startBefore = starts(was, before.length);
	for (let entry = 0, next = 0, message = -1; entry < now.count; entry += 1) {
		const index = now.message[entry] ?? 0;
		const origin = cameFrom[index] ?? -1;
		if (index !== message) {
			message = index;
			next = origin < 0 ? 0 : (startBefore[origin] ?? 0);
		}
		const end = origin < 0 ? 0 : (startBefore[origin + 1] ?? 0);
		const part = partOf(after, now, entry);
		const id = idOf(part);
		let old = (part === undefined ? undefined : byPart.get(part)) ?? -1;
		if (old < 0) {
			while (next < end && !(was.kind[next] === now.kind[entry] && idOf(partOf(before, was, next)) === id))
				next += 1;
			old = next < end ? next : -1;
		}
		if (old >= 0) next = old + 1;
		const what = `the ${nameOf(now.kind[entry])} "${id}" of message ${origin < 0 ? "that was inserted" : origin}`;
		if (isAlone(now, entry) && (old < 0 || !isAlone(was, old))) return `${what} has lost its other half`;
		if (old < 0) continue;
		const anchor = anchorOf(was, old);
		if (anchor < 0) continue;
		const anchorNow = wentTo[anchor] ?? -1;
		if (anchorNow < 0 || anchorOf(now, entry) !== anchorNow)
			return `${what} hangs on another call than before`;
	}
	return undefined;
}
