import type { Message } from "../transcript/message.ts";
import type { Provenance } from "./edit.ts";

/** A message of a transcript under work, and where it comes from. */
export interface Slot {
	readonly message: Message;
	readonly from: Provenance;
}

/** A draft in which every message is kept. */
export function startDraft(messages: readonly Message[]): Slot[] {
	return messages.map((message, kept) => ({ message, from: { kept } }));
}

/** The input indices that a message stands for. */
export function inputIndicesOf(from: Provenance): readonly number[] {
	if ("kept" in from) return [from.kept];
	return "rewritten" in from ? [from.rewritten] : from.summaryOf;
}
