import { isPinned, leadingSystemCount, summaryMarkOf } from "../transcript/kinds.ts";
import type { Message } from "../transcript/message.ts";
import { Draft } from "./draft.ts";
import type { Edit } from "./edit.ts";

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
export function gatherSummary(draft: Draft, edits: readonly Edit[]): GatheredSummary | undefined {
	const { messages } = draft;
	const isWanted = new Uint8Array(messages.length);
	let options: Readonly<Record<string, unknown>> = {};
	for (const edit of edits) {
		if (!("summarize" in edit)) continue;
		for (const index of edit.summarize) isWanted[index] = 1;
		options = { ...edit.options, ...options };
	}
	if (!isWanted.includes(1)) return undefined;
	const indices: number[] = [];
	const previous: number[] = [];
	for (let index = 0; index < messages.length; index += 1) {
		const message = messages[index];
		// Marks are provider options; most messages have none.
		if (message?.providerOptions === undefined || summaryMarkOf(message) === undefined) {
			if (isWanted[index] === 1) indices.push(index);
		} else if (!isPinned(message)) previous.push(index);
	}
	return indices.length === 0 ? undefined : { indices, previous, options };
}

/**
 * Where the summary stands: at the first message that it replaces, behind the leading system messages. Where
 * that one stood among the results of calls that stay, before those calls, since no message of another role may
 * part a call from its results, or follow one that still waits.
 */
function summaryPosition({ messages, units }: Draft, isGone: Uint8Array, first: number): number {
	const head = leadingSystemCount(messages);
	let position = Math.max(first, head);
	const role = messages[first]?.role;
	if (role === "user" || role === "assistant") return position;
	const { unitOf, waiting } = units;
	const lastKept = new Map<number, number>();
	for (const index of messages.keys()) if (isGone[index] === 0) lastKept.set(unitOf[index] ?? -1, index);
	for (let index = position - 1; index >= head; index -= 1) {
		if (isGone[index] === 1) continue;
		if (waiting.has(index) || (lastKept.get(unitOf[index] ?? -1) ?? -1) >= position) position = index;
	}
	return position;
}

/**
 * Applies the edits of one plan. The draft is never changed; where nothing changes, it is given back itself.
 * @param summary the summary made for the plan, and the indices that it replaces; without it, `summarize` edits
 *   leave their messages as they are
 */
export function applyEdits(
	draft: Draft,
	edits: readonly Edit[],
	summary?: { readonly message: Message; readonly indices: readonly number[] },
): Draft {
	const { length } = draft.messages;
	const isGone = new Uint8Array(length);
	const replaced = new Map<number, Message>();
	for (const edit of edits) {
		if ("drop" in edit) for (const index of edit.drop) isGone[index] = 1;
		else if ("replace" in edit && draft.messages[edit.replace] !== edit.with)
			replaced.set(edit.replace, edit.with);
	}
	let first = length;
	for (const index of summary?.indices ?? []) {
		isGone[index] = 1;
		first = Math.min(first, index);
	}
	if (replaced.size === 0 && !isGone.includes(1)) return draft;
	const position = first < length ? summaryPosition(draft, isGone, first) : -1;
	const messages: Message[] = [];
	const source = new Int32Array(length + 1);
	const isRewritten = new Uint8Array(length + 1);
	for (let index = 0; index < length; index += 1) {
		if (index === position && summary !== undefined) {
			source[messages.length] = -1 - draft.summaries.length;
			messages.push(summary.message);
		}
		const message = draft.messages[index];
		if (isGone[index] === 1 || message === undefined) continue;
		const other = replaced.get(index);
		source[messages.length] = draft.source[index] ?? 0;
		isRewritten[messages.length] = other === undefined ? (draft.isRewritten[index] ?? 0) : 1;
		messages.push(other ?? message);
	}
	const summaries = [...draft.summaries];
	if (summary !== undefined)
		summaries.push(draft.inputsOf(summary.indices).sort((left, right) => left - right));
	const end = messages.length;
	return new Draft(messages, source.slice(0, end), isRewritten.slice(0, end), summaries);
}
