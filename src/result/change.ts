import { inputIndicesOf, type Slot } from "../core/edits/draft.ts";
import type { Message } from "../core/transcript/message.ts";

/** Two drafts, and which slot of the one became which of the other. */
export interface Change {
	readonly before: readonly Message[];
	readonly after: readonly Message[];
	/** For each message after, the index that it had before; -1 for a summary made by this step. */
	readonly cameFrom: Int32Array;
	/** For each message before, its index now; -1 where it is gone. */
	readonly wentTo: Int32Array;
}

/** Finds for each slot which one it was; a slot keeps its input index through rewriting. */
export function changeOf(before: readonly Slot[], after: readonly Slot[]): Change {
	const cameFrom = new Int32Array(after.length).fill(-1);
	const wentTo = new Int32Array(before.length).fill(-1);
	const byInput = new Map<number, number>();
	const bySlot = new Map<Slot, number>();
	for (const [index, slot] of before.entries()) {
		if ("summaryOf" in slot.from) bySlot.set(slot, index);
		else byInput.set(inputIndicesOf(slot.from)[0] ?? -1, index);
	}
	for (const [index, slot] of after.entries()) {
		const was = "summaryOf" in slot.from ? bySlot.get(slot) : byInput.get(inputIndicesOf(slot.from)[0] ?? -1);
		if (was === undefined) continue;
		cameFrom[index] = was;
		wentTo[was] = index;
	}
	return {
		before: before.map(({ message }) => message),
		after: after.map(({ message }) => message),
		cameFrom,
		wentTo,
	};
}
