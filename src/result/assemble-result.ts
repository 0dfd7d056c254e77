import type { Draft } from "../core/edits/draft.ts";
import type { Provenance } from "../core/edits/edit.ts";
import type { Message } from "../core/transcript/message.ts";

/** The parts of a result that follow from where its messages come from. */
export interface Assembled {
	readonly messages: Message[];
	/** One for each output message, in indices of the input. */
	readonly provenance: readonly Provenance[];
	/** Distinct input messages that were removed or rewritten. */
	readonly replaced: number;
	/** Their originals, in order. */
	readonly evicted: Message[];
}

/** Tells a finished draft as a result. */
export function assembleResult(input: readonly Message[], draft: Draft): Assembled {
	const isKept = new Uint8Array(input.length);
	for (const [index, source] of draft.source.entries())
		if (source >= 0 && draft.isRewritten[index] === 0) isKept[source] = 1;
	const evicted = input.filter((_, index) => isKept[index] === 0);
	return {
		messages: [...draft.messages],
		provenance: draft.provenance(),
		replaced: evicted.length,
		evicted,
	};
}
