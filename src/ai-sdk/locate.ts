import { leadingSystemCount } from "../core/transcript/kinds.ts";
import type { Message } from "../core/transcript/message.ts";
import type { CompactionResult } from "../result/compaction-result.ts";
import type { CompactionRecord, RecordEntry } from "./compaction-state.ts";
import { Chain, chainOver, fingerprint, NO_CHAIN } from "./fingerprint.ts";

/**
 * Where a transcript stands in its conversation. The transcript may be the whole history, or what an earlier call
 * made of it with what came after; both lead to the same history, of which the evicted messages may be unknown.
 */
export interface Located {
	/** How many leading system messages it has; they belong to no history. */
	readonly head: number;
	/** Messages of the history. */
	readonly length: number;
	/** Fingerprint of the history's first message; "" where there is none. */
	readonly first: string;
	/** The compaction that stands in the view. */
	readonly record: CompactionRecord | undefined;
	/** What is sent: leading system messages, the record's entries, what came after. */
	readonly view: readonly Message[];
	/** The message of the history, or undefined where only a summary of it is known. */
	at(index: number): Message | undefined;
	/** The chain of the history's first messages; undefined where they are not known. */
	chain(length: number): string | undefined;
}

interface History {
	readonly length: number;
	readonly first: string;
	/** The chain is known from here on. */
	readonly base: { readonly covered: number; readonly chain: string };
	at(index: number): Message | undefined;
}

function plainHistory(body: readonly Message[], first: string): History {
	return {
		length: body.length,
		first,
		base: { covered: 0, chain: NO_CHAIN },
		at: (index) => body[index],
	};
}

/** The history of which a transcript is the view by a record. */
function carriedHistory(body: readonly Message[], record: CompactionRecord): History {
	const { covered, chain, entries, first } = record;
	const kept = new Map<number, number>();
	for (const [position, entry] of entries.entries()) if ("kept" in entry) kept.set(entry.kept, position);
	return {
		length: body.length - entries.length + covered,
		first,
		base: { covered, chain },
		at(index) {
			const position = index >= covered ? index - covered + entries.length : kept.get(index);
			return position === undefined ? undefined : body[position];
		},
	};
}

/** Chains of a history at several lengths, in one go. */
function chainsAt(history: History, lengths: readonly number[]): ReadonlyMap<number, string> {
	const wanted = new Set(lengths);
	const longest = Math.min(history.length, Math.max(0, ...lengths));
	const found = new Map<number, string>();
	let { covered } = history.base;
	const chain = new Chain(history.base.chain);
	if (wanted.has(covered)) found.set(covered, chain.text);
	while (covered < longest) {
		const message = history.at(covered);
		if (message === undefined) break;
		chain.add(message);
		covered += 1;
		if (wanted.has(covered)) found.set(covered, chain.text);
	}
	return found;
}

const keptAreKnown = ({ entries }: CompactionRecord, history: History): boolean =>
	entries.every((entry) => !("kept" in entry) || history.at(entry.kept) !== undefined);

/** Whether a transcript begins with what stands in the place of a record's messages. */
function isViewBy({ viewChain, entries, next }: CompactionRecord, body: readonly Message[]): boolean {
	if (entries.length > body.length) return false;
	const behind = body[entries.length];
	if (next !== undefined && behind !== undefined && fingerprint(behind) !== next) return false;
	return chainOver(body.slice(0, entries.length)) === viewChain;
}

/** The objects that a record was found to stand for last: those need no second look. */
const lastSeen = new WeakMap<CompactionRecord, readonly Message[]>();

/** The newest record that stands for the very objects that it stood for before. */
function seenBefore(
	records: readonly CompactionRecord[],
	first: string,
	body: readonly Message[],
): CompactionRecord | undefined {
	const newest = records.findLast((record) => record.first === first && record.covered <= body.length);
	const seen = newest === undefined ? undefined : lastSeen.get(newest);
	return seen?.every((message, index) => body[index] === message) === true ? newest : undefined;
}

/** Finds which of the records, the newest last, stands for the most of a transcript, and puts it in place. */
export function locate(messages: readonly Message[], records: readonly CompactionRecord[]): Located {
	const head = leadingSystemCount(messages);
	const body = head === 0 ? messages : messages.slice(head);
	const [opening] = body;
	const ownFirst = opening === undefined ? "" : fingerprint(opening);
	const same = seenBefore(records, ownFirst, body);
	if (same !== undefined) return place(messages, head, same, plainHistory(body, ownFirst), undefined);
	const carried = records.findLast((record) => record.viewFirst === ownFirst && isViewBy(record, body));
	const history = carried === undefined ? plainHistory(body, ownFirst) : carriedHistory(body, carried);
	const candidates = records.filter(
		({ first, covered }) =>
			first === history.first && covered >= history.base.covered && covered <= history.length,
	);
	const chains =
		candidates.length === 0
			? new Map<number, string>()
			: chainsAt(
					history,
					candidates.map(({ covered }) => covered),
				);
	let record = carried;
	for (const candidate of candidates) {
		const { covered, chain } = candidate;
		const isBetter = record === undefined || covered >= record.covered;
		if (isBetter && chains.get(covered) === chain && keptAreKnown(candidate, history)) record = candidate;
	}
	if (carried === undefined && record !== undefined) lastSeen.set(record, body.slice(0, record.covered));
	return place(messages, head, record, history, carried);
}

function place(
	messages: readonly Message[],
	head: number,
	record: CompactionRecord | undefined,
	history: History,
	carried: CompactionRecord | undefined,
): Located {
	const { length, first } = history;
	return {
		head,
		length,
		first,
		record,
		view: record === carried ? messages : viewBy(record, messages.slice(0, head), history),
		at: (index) => history.at(index),
		chain: (upTo) => chainsAt(history, [upTo]).get(upTo),
	};
}

/** The transcript by another record of the same history, or by none. */
export function viewBy(
	record: CompactionRecord | undefined,
	system: readonly Message[],
	history: Pick<History, "length" | "at">,
): readonly Message[] {
	const view = [...system];
	for (const entry of record?.entries ?? []) {
		const message = "kept" in entry ? history.at(entry.kept) : entry.message;
		if (message !== undefined) view.push(message);
	}
	for (let index = record?.covered ?? 0; index < history.length; index += 1) {
		const message = history.at(index);
		if (message !== undefined) view.push(message);
	}
	return view;
}

const originsOf = (entry: RecordEntry): readonly number[] => ("kept" in entry ? [entry.kept] : entry.of);

/** The history's messages that a message of the view stands for. */
export function entryAt(located: Located, index: number): RecordEntry {
	const { head, record } = located;
	const position = index - head;
	const entry = record?.entries[position];
	if (entry !== undefined) return entry;
	return { kept: position - (record?.entries.length ?? 0) + (record?.covered ?? 0) };
}

/**
 * The record of a pass over a located view: it stands for the history itself, so that a summary of a summary covers
 * what both cover. Undefined where nothing of the body was changed.
 */
export function foldRecord(located: Located, result: CompactionResult): CompactionRecord | undefined {
	const { head } = located;
	const entries: RecordEntry[] = [];
	for (const [position, from] of result.provenance.entries()) {
		if (position < head) continue;
		if ("kept" in from) {
			entries.push(entryAt(located, from.kept));
			continue;
		}
		const indices = "rewritten" in from ? [from.rewritten] : from.summaryOf;
		const of = indices.flatMap((index) => (index < head ? [] : originsOf(entryAt(located, index))));
		const message = result.messages[position] as Message | undefined;
		if (message !== undefined) entries.push({ message, of: of.sort((left, right) => left - right) });
	}
	// What is kept at the end needs no mention: an edit there makes nothing stale.
	let covered = located.length;
	const least = located.record?.covered ?? 0;
	while (covered > least) {
		const last = entries.at(-1);
		if (last === undefined || !("kept" in last) || last.kept !== covered - 1) break;
		entries.pop();
		covered -= 1;
	}
	if (covered === 0 || entries.length === 0) return undefined;
	const chain = located.chain(covered);
	const stand = entries.map((entry) => ("kept" in entry ? located.at(entry.kept) : entry.message));
	const view = stand.filter((message) => message !== undefined);
	const [opening] = view;
	if (chain === undefined || opening === undefined || view.length < stand.length) return undefined;
	const behind = located.at(covered);
	return {
		covered,
		chain,
		...(behind === undefined ? {} : { next: fingerprint(behind) }),
		first: located.first,
		entries,
		viewChain: chainOver(view),
		viewFirst: fingerprint(opening),
	};
}
