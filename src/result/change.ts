import type { Draft } from "../core/edits/draft.ts";
import type { Message } from "../core/transcript/message.ts";
import type { Units } from "../core/transcript/units.ts";

/** Two drafts, and which message of the one became which of the other. */
export interface Change {
	readonly before: readonly Message[];
	/** How the messages hung together before. */
	readonly units: Units;
	readonly after: readonly Message[];
	/** For each message after, the index that it had before; -1 for a summary made by this step. */
	readonly cameFrom: Int32Array;
	/** For each message before, its index now; -1 where it is gone. */
	readonly wentTo: Int32Array;
}

/** Finds for each message which one it was: it keeps its source through rewriting. */
export function changeOf(before: Draft, after: Draft): Change {
	const summaries = before.summaries.length;
	let inputs = 0;
	for (const source of before.source) if (source >= inputs) inputs = source + 1;
	// Sources of summaries are below 0.
	const indexOf = new Int32Array(summaries + inputs).fill(-1);
	for (let index = 0; index < before.source.length; index += 1)
		indexOf[summaries + (before.source[index] ?? 0)] = index;
	const cameFrom = new Int32Array(after.messages.length);
	const wentTo = new Int32Array(before.messages.length).fill(-1);
	for (let index = 0; index < cameFrom.length; index += 1) {
		const was = indexOf[summaries + (after.source[index] ?? 0)] ?? -1;
		cameFrom[index] = was;
		if (was >= 0) wentTo[was] = index;
	}
	return { before: before.messages, units: before.units, after: after.messages, cameFrom, wentTo };
}
