import {
	type Edit,
	isBlank,
	isPinned,
	type Kind,
	kindOf,
	lastUserIndex,
	leadingSystemCount,
	type Message,
	type PlanContext,
	summaryMarkOf,
} from "../../src/plugin.ts";

/** What is kept of a transcript by number, kind and size. */
export interface SelectionOptions {
	readonly keepLast: number;
	readonly preserveKinds: readonly Kind[];
	readonly keepTokens?: number | undefined;
	/** What replaces the evicted messages: nothing, or a summary of a role. */
	readonly replacement: "none" | "user" | "assistant";
	/** Tokens to set aside for that. */
	readonly reserveTokens?: number;
}

/** What goes, and what would go first but must stay. */
export interface Selection {
	/** Ascending. */
	readonly evict: readonly number[];
	/** Messages that came in broken and stay, ascending. */
	readonly brokenKept: readonly number[];
}

/** The messages that no number counts: pinned ones, earlier summaries, preserved kinds; one byte for each. */
function findSpecial(
	transcript: readonly Message[],
	isPreserved?: (message: Message) => boolean,
): Uint8Array {
	const special = new Uint8Array(transcript.length);
	for (let index = 0; index < transcript.length; index += 1) {
		const message = transcript[index];
		if (message === undefined) continue;
		if (isPreserved?.(message) === true) special[index] = 1;
		// Marks are provider options; most messages have none.
		if (message.providerOptions === undefined) continue;
		if (isPinned(message) || summaryMarkOf(message) !== undefined) special[index] = 1;
	}
	return special;
}

/** The messages that stay whatever the numbers say; one byte for each message. */
export function findProtected(
	transcript: readonly Message[],
	context: PlanContext,
	special: Uint8Array = findSpecial(transcript),
): Uint8Array {
	const kept = special.slice();
	kept.fill(1, 0, leadingSystemCount(transcript));
	const lastUser = lastUserIndex(transcript);
	if (lastUser >= 0) kept[lastUser] = 1;
	for (const index of context.units.waiting) kept[index] = 1;
	return kept;
}

/** Keeps every message that is tied to a kept one. Ties are transitive already, so one round does. */
export function widenToUnits(kept: Uint8Array, context: PlanContext): void {
	const { unitOf } = context.units;
	const unitKept = new Uint8Array(kept.length);
	for (let index = 0; index < kept.length; index += 1)
		if (kept[index] === 1) unitKept[unitOf[index] ?? 0] = 1;
	for (let index = 0; index < kept.length; index += 1)
		if (unitKept[unitOf[index] ?? 0] === 1) kept[index] = 1;
}

/**
 * Tells the messages that go before all others: those of a unit that came in broken, and those that say nothing.
 * Providers refuse both.
 */
export function faultyIn(transcript: readonly Message[], context: PlanContext): (index: number) => boolean {
	const { unitOf, broken } = context.units;
	const brokenUnits = new Set<number>();
	for (const index of broken) brokenUnits.add(unitOf[index] ?? -1);
	return (index) => {
		const message = transcript[index];
		return message !== undefined && (brokenUnits.has(unitOf[index] ?? -1) || isBlank(message));
	};
}

/** Keeps, from the newest on, as many more of the older units as fit in a number of tokens. */
export function keepByTokens(
	kept: Uint8Array,
	mayStay: (index: number) => boolean,
	context: PlanContext,
	leftTokens: number,
): void {
	const { members, unitOf } = context.units;
	let left = leftTokens;
	for (let index = kept.length - 1; index >= 0; index -= 1) {
		if (kept[index] === 1 || !mayStay(index)) continue;
		const unit = (members[unitOf[index] ?? 0] ?? [index]).filter((member) => kept[member] === 0);
		let tokens = 0;
		for (const member of unit) tokens += context.countTokens(member);
		if (tokens > left) return;
		left -= tokens;
		for (const member of unit) kept[member] = 1;
	}
}

/**
 * The tokens that may stay beside what is kept. What is kept beyond the target would only have to go in the
 * next pass, and an earlier summary is replaced by the new one.
 */
export function allowance(
	transcript: readonly Message[],
	kept: Uint8Array,
	context: PlanContext,
	{ keepTokens = 0, replacement, reserveTokens = 0 }: SelectionOptions,
): number {
	let keptTokens = reserveTokens;
	for (const [index, message] of transcript.entries()) {
		if (kept[index] === 0) continue;
		if (replacement !== "none" && summaryMarkOf(message) !== undefined && !isPinned(message)) continue;
		keptTokens += context.countTokens(index);
	}
	return Math.min(keepTokens, context.targetTokens - keptTokens);
}

/** Keeps the user's message that the first kept one belongs to, so that a user's stands first. */
function keepUserFirst(transcript: readonly Message[], kept: Uint8Array, context: PlanContext): void {
	const head = leadingSystemCount(transcript);
	if (transcript[head]?.role !== "user") return;
	let first = head;
	while (first < kept.length && kept[first] === 0) first += 1;
	const isUsers = (message: Message | undefined): boolean => message?.role === "user" && !isBlank(message);
	while (first > head && !isUsers(transcript[first])) first -= 1;
	if (kept[first] === 1) return;
	kept[first] = 1;
	widenToUnits(kept, context);
}

/**
 * Keeps the assistant's last word behind kept results: without it they would seem to wait for an answer, and
 * providers ask of a step under way what they do not ask of one that is over.
 */
function keepLastWord(
	transcript: readonly Message[],
	kept: Uint8Array,
	context: PlanContext,
	isFaulty: (index: number) => boolean,
): void {
	let lastWord = -1;
	let index = kept.length - 1;
	for (; index >= 0; index -= 1) {
		const message = transcript[index];
		// An earlier summary is no word of the assistant's, whoever's message it is: the next one takes its place.
		if (message === undefined || summaryMarkOf(message) !== undefined) continue;
		const { role } = message;
		if (kept[index] === 1 && (role === "tool" || role === "assistant")) break;
		if (lastWord < 0 && role === "assistant" && !isFaulty(index)) lastWord = index;
	}
	if (lastWord < 0 || transcript[index]?.role !== "tool") return;
	kept[lastWord] = 1;
	widenToUnits(kept, context);
}

/** The indices from `start` on that are in neither of two sets. Counted first: long lists are slow to grow. */
function findFree(kept: Uint8Array, special: Uint8Array, start: number): readonly number[] {
	let count = 0;
	for (let index = start; index < kept.length; index += 1)
		if (kept[index] === 0 && special[index] === 0) count += 1;
	const free = new Array<number>(count);
	for (let index = start, at = 0; at < count; index += 1)
		if (kept[index] === 0 && special[index] === 0) free[at++] = index;
	return free;
}

/**
 * Chooses what goes: all but the newest `keepLast` removable messages, and what must stay with those. Broken
 * and empty messages are not counted and go first.
 */
export function selectOlder(
	transcript: readonly Message[],
	context: PlanContext,
	options: SelectionOptions,
): Selection {
	const preserved = new Set<Kind>(options.preserveKinds);
	const special = findSpecial(
		transcript,
		preserved.size === 0 ? undefined : (message) => preserved.has(kindOf(message)),
	);
	const kept = findProtected(transcript, context, special);
	const isFaulty = faultyIn(transcript, context);
	const head = leadingSystemCount(transcript);
	let removable = 0;
	for (let index = head; index < special.length; index += 1) if (special[index] === 0) removable += 1;
	if (removable <= options.keepLast) return { evict: [], brokenKept: [...context.units.broken] };
	for (let index = special.length - 1, left = options.keepLast; index >= head && left > 0; index -= 1) {
		if (special[index] === 1 || isFaulty(index)) continue;
		kept[index] = 1;
		left -= 1;
	}
	widenToUnits(kept, context);
	keepLastWord(transcript, kept, context, isFaulty);
	// Behind a summary that is no user's message, the first one of the user's must stay in front.
	if (options.replacement === "assistant" && transcript[head]?.role === "user") kept[head] = 1;
	if (options.keepTokens !== undefined) {
		const left = allowance(transcript, kept, context, options);
		keepByTokens(kept, (index) => !isFaulty(index), context, left);
	}
	if (options.replacement === "none") keepUserFirst(transcript, kept, context);
	const evict = findFree(kept, special, head);
	const brokenKept = [...context.units.broken].filter((index) => kept[index] === 1);
	return { evict, brokenKept: brokenKept.sort((left, right) => left - right) };
}

/** Says in the log which broken messages had to stay. */
export function noteBroken(indices: readonly number[]): readonly Edit[] {
	return indices.map((index) => ({
		drop: [],
		why: `message ${index} came in with a tool call or result that lacks its other half, and has to stay`,
	}));
}
