import { isPinned, leadingSystemCount, summaryMarkOf } from "../transcript/kinds.ts";
import type { Message } from "../transcript/message.ts";
import { findUnits } from "../transcript/units.ts";
import { inputIndicesOf, type Slot } from "./draft.ts";
import type { Edit } from "./edit.ts";

export { checkEdits } from "./check-edits.ts";
export { inputIndicesOf, type Slot, startDraft } from "./draft.ts";

/** What one plan wants summarized; indices are the draft's, ascending. */
export interface GatheredSummary {
	/** The messages to be replaced; summaries of our own are not among them. */
	readonly indices: readonly number[];
	/** Earlier summaries of our own, wherever they stand, to be folded in. */
	readonly previous: readonly number[];
	readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Joins all `summarize` edits of one plan: there is one summary, which folds in every earlier one that is not
 * pinned. Earlier summaries alone are no reason for a new one.
 */
export function gatherSummary(draft: readonly Slot[], edits: readonly Edit[]): GatheredSummary | undefined {
	const wanted = new Set<number>();
	let options: Readonly<Record<string, unknown>> = {};
	for (const edit of edits) {
		if (!("summarize" in edit)) continue;
		for (const index of edit.summarize) wanted.add(index);
		options = { ...edit.options, ...options };
	}
	if (wanted.size === 0) return undefined;
	const indices: number[] = [];
	const previous: number[] = [];
	for (const [index, { message }] of draft.entries()) {
		if (summaryMarkOf(message) === undefined) {
			if (wanted.has(index)) indices.push(index);
		} else if (!isPinned(message)) previous.push(index);
	}
	return indices.length === 0 ? undefined : { indices, previous, options };
}

/**
 * Where the summary stands: at the first message that it replaces, behind the leading system messages. Where
 * that one stood among the results of calls that stay, before those calls, since no message of another role may
 * part a call from its results, or follow one that still waits.
 */
function summaryPosition(draft: readonly Slot[], gone: ReadonlySet<number>, first: number): number {
	const messages = draft.map(({ message }) => message);
	const head = leadingSystemCount(messages);
	let position = Math.max(first, head);
	const role = messages[first]?.role;
	if (role === "user" || role === "assistant") return position;
	const { unitOf, waiting } = findUnits(messages);
	const lastKept = new Map<number, number>();
	for (const index of messages.keys()) if (!gone.has(index)) lastKept.set(unitOf[index] ?? -1, index);
	for (let index = position - 1; index >= head; index -= 1) {
		if (gone.has(index)) continue;
		if (waiting.has(index) || (lastKept.get(unitOf[index] ?? -1) ?? -1) >= position) position = index;
	}
	return position;
}

/**
 * Applies the edits of one plan. The draft is never changed; where nothing changes, it is given back itself.
 * @param summary the summary made for the plan, and the indices that it replaces; without it, `summarize` edits
 *   leave their messages as they are
 * @returns slots whose provenance is in indices of the pass's input
 */
export function applyEdits(
	draft: readonly Slot[],
	edits: readonly Edit[],
	summary?: { readonly message: Message; readonly indices: readonly number[] },
): readonly Slot[] {
	const gone = new Set<number>();
	const replaced = new Map<number, Message>();
	for (const edit of edits) {
		if ("drop" in edit) for (const index of edit.drop) gone.add(index);
		else if ("replace" in edit && draft[edit.replace]?.message !== edit.with)
			replaced.set(edit.replace, edit.with);
	}
	const indices = summary === undefined ? [] : [...summary.indices].sort((left, right) => left - right);
	for (const index of indices) gone.add(index);
	if (gone.size === 0 && replaced.size === 0) return draft;
	const [first] = indices;
	const position = first === undefined ? -1 : summaryPosition(draft, gone, first);
	const next: Slot[] = [];
	for (const [index, slot] of draft.entries()) {
		if (index === position && summary !== undefined) next.push(summarySlot(draft, indices, summary.message));
		if (gone.has(index)) continue;
		const message = replaced.get(index);
		next.push(message === undefined ? slot : { message, from: rewrittenFrom(slot) });
	}
	return next;
}

function rewrittenFrom({ from }: Slot): Slot["from"] {
	return "kept" in from ? { rewritten: from.kept } : from;
}

function summarySlot(draft: readonly Slot[], indices: readonly number[], message: Message): Slot {
	const of = new Set<number>();
	for (const index of indices) {
		const slot = draft[index];
		if (slot !== undefined) for (const input of inputIndicesOf(slot.from)) of.add(input);
	}
	return { message, from: { summaryOf: [...of].sort((left, right) => left - right) } };
}
