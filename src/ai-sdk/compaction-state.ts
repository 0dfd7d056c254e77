import { messageProblem } from "../core/transcript/check-transcript.ts";
import type { Message } from "../core/transcript/message.ts";

/** A message of a compacted view: one of the history's, or one that stands for some of them. */
export type RecordEntry =
	| { readonly kept: number }
	| { readonly message: Message; readonly of: readonly number[] };

/** One compaction: what stands in the place of the first messages of a history, leading system messages aside. */
export interface CompactionRecord {
	/** How many messages of the history it covers. */
	readonly covered: number;
	/** Chain of the fingerprints of those messages: another one means that the history was edited or branched. */
	readonly chain: string;
	/** Fingerprint of the first of them. */
	readonly first: string;
	/** What stands in their place, in order. */
	readonly entries: readonly RecordEntry[];
	/** Chain, and first fingerprint, of what stands in their place. */
	readonly viewChain: string;
	readonly viewFirst: string;
	/** Fingerprint of the message behind it, where there was one: summaries may be alike that stand for different parts. */
	readonly next?: string;
}

/** After a failure: no try before the history has so many messages. */
export interface BackOff {
	readonly failures: number;
	readonly until: number;
}

/** What was done to one conversation; plain JSON, to be stored by the host. */
export interface CompactionState {
	readonly v: 1;
	/** The newest last; older ones serve histories that were branched off before the newer ones. */
	readonly records: readonly CompactionRecord[];
	/** Windows in tokens that providers' refusals told, by model. */
	readonly limits: Readonly<Record<string, number>>;
	/** By the fingerprint of a history's first message. */
	readonly backOffs: Readonly<Record<string, BackOff>>;
}

/** The state of a conversation that nothing was done to. */
export const EMPTY_STATE: CompactionState = { v: 1, records: [], limits: {}, backOffs: {} };

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isEntry(value: unknown): value is RecordEntry {
	if (!isObject(value)) return false;
	if (Object.hasOwn(value, "kept")) return isCount(value.kept);
	return messageProblem(value.message) === undefined && Array.isArray(value.of) && value.of.every(isCount);
}

function isRecord(value: unknown): value is CompactionRecord {
	if (!isObject(value) || !isCount(value.covered) || !Array.isArray(value.entries)) return false;
	const { covered, entries } = value as { readonly covered: number; readonly entries: readonly unknown[] };
	const texts = [value.chain, value.first, value.viewChain, value.viewFirst];
	if (value.next !== undefined && typeof value.next !== "string") return false;
	return (
		texts.every((text) => typeof text === "string") &&
		entries.length > 0 &&
		entries.every((entry) => isEntry(entry) && (!("kept" in entry) || entry.kept < covered))
	);
}

function entriesOf<Value>(value: unknown, is: (entry: unknown) => entry is Value): Record<string, Value> {
	if (!isObject(value)) return {};
	// Entries rather than assignment: a name from outside may be "__proto__".
	return Object.fromEntries(
		Object.entries(value).filter((pair): pair is [string, Value] => is(pair[1])),
	) as Record<string, Value>;
}

const isLimit = (value: unknown): value is number => isCount(value) && value > 0;
const isBackOff = (value: unknown): value is BackOff =>
	isObject(value) && isCount(value.failures) && isCount(value.until);

/** A state as a host stored it. What cannot be read is left out: the worst that follows is one more summary. */
export function readState(value: unknown): CompactionState {
	if (!isObject(value) || value.v !== 1) return EMPTY_STATE;
	return {
		v: 1,
		records: Array.isArray(value.records) ? value.records.filter(isRecord) : [],
		limits: entriesOf(value.limits, isLimit),
		backOffs: entriesOf(value.backOffs, isBackOff),
	};
}

/** Whether a value comes back from JSON as it was; bytes and URLs do not. */
function isPlain(value: unknown): boolean {
	if (!isObject(value)) return typeof value !== "bigint";
	if (Array.isArray(value)) return value.every(isPlain);
	const prototype: unknown = Object.getPrototypeOf(value);
	return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}

/** The state without what JSON could not hold. */
export function storable(state: CompactionState): CompactionState {
	return {
		...state,
		records: state.records.filter(({ entries }) =>
			entries.every((entry) => "kept" in entry || isPlain(entry.message)),
		),
	};
}
