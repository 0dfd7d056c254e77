import { endsStep } from "./ends-step.ts";
import type { Message, Part } from "./message.ts";

/** What a part has to do with a tool call. */
export const CALL = 0;
export const RESULT = 1;
export const REQUEST = 2;
export const RESPONSE = 3;

/**
 * Every part that has to do with a tool call, in order, as columns: entry `i` is part `part[i]` of message
 * `message[i]`. A result answers the nearest preceding unanswered call with its id, so an id may be reused.
 */
export interface Ties {
	/** How many entries there are; the columns may be longer. */
	readonly count: number;
	/** {@link CALL}, {@link RESULT}, {@link REQUEST} or {@link RESPONSE}. */
	readonly kind: Uint8Array;
	readonly message: Int32Array;
	readonly part: Int32Array;
	/** The entry of the call that this one belongs to; a call's own; -1 for what came in without its call. */
	readonly call: Int32Array;
	/** For a call, whether it has a result. */
	readonly answered: Uint8Array;
	/** For a call made from inside another (by a code-execution tool), the entry of that other; else -1. */
	readonly caller: Int32Array;
}

function kindOfPart(type: string): number {
	switch (type) {
		case "tool-call":
			return CALL;
		case "tool-result":
			return RESULT;
		case "tool-approval-request":
			return REQUEST;
		case "tool-approval-response":
			return RESPONSE;
		default:
			return -1;
	}
}

/** The id of the tool call from inside which a call was made, or undefined. */
export function callerIdOf(part: Part): string | undefined {
	const anthropic = part.providerOptions?.anthropic;
	if (typeof anthropic !== "object" || anthropic === null || !Object.hasOwn(anthropic, "caller"))
		return undefined;
	const { caller } = anthropic;
	if (typeof caller !== "object" || caller === null || !Object.hasOwn(caller, "toolId")) return undefined;
	const { toolId } = caller as { toolId?: unknown };
	return typeof toolId === "string" ? toolId : undefined;
}

/** How far back a call is looked for one by one; farther back an index by id takes over. */
const NEAR = 16;

/**
 * The calls of a transcript by id: which are open, and which came last. Nearly always a result answers one of
 * the last few calls, so ids are hashed only once something else is asked for.
 */
class Calls {
	/** The id of the call that an entry is; undefined where it is none. */
	readonly #idOf: (entry: number) => string | undefined;
	/** Open calls, newest last, and their ids; unused once there is an index. */
	readonly #open: number[] = [];
	readonly #openIds: string[] = [];
	#openById: Map<string, number[]> | undefined;
	#lastById: Map<string, number> | undefined;

	constructor(idOf: (entry: number) => string | undefined) {
		this.#idOf = idOf;
	}

	add(entry: number, id: string): void {
		this.#lastById?.set(id, entry);
		if (this.#openById !== undefined) pushTo(this.#openById, id, entry);
		else {
			this.#open.push(entry);
			this.#openIds.push(id);
		}
	}

	/** Takes the newest open call with an id; -1 if there is none. */
	answer(id: string): number {
		if (this.#openById === undefined) {
			const end = Math.max(0, this.#open.length - NEAR);
			for (let at = this.#open.length - 1; at >= end; at -= 1) {
				if (this.#openIds[at] === id) return this.#take(at);
			}
			if (end === 0) return -1;
			this.#openById = new Map();
			for (const [at, entry] of this.#open.entries()) pushTo(this.#openById, this.#openIds[at] ?? "", entry);
		}
		return this.#openById.get(id)?.pop() ?? -1;
	}

	#take(at: number): number {
		const entry = this.#open[at] ?? -1;
		const last = this.#open.length - 1;
		// There are a few at most: `splice` would cost more.
		for (let to = at; to < last; to += 1) {
			this.#open[to] = this.#open[to + 1] ?? -1;
			this.#openIds[to] = this.#openIds[to + 1] ?? "";
		}
		this.#open.pop();
		this.#openIds.pop();
		return entry;
	}

	/** The newest call with an id before an entry, open or not; -1 if there is none. */
	last(id: string, before: number): number {
		const end = Math.max(0, before - NEAR);
		for (let entry = before - 1; entry >= end; entry -= 1) {
			if (this.#idOf(entry) === id) return entry;
		}
		if (end === 0) return -1;
		if (this.#lastById === undefined) {
			this.#lastById = new Map();
			for (let entry = 0; entry < before; entry += 1) {
				const known = this.#idOf(entry);
				if (known !== undefined) this.#lastById.set(known, entry);
			}
		}
		return this.#lastById.get(id) ?? -1;
	}
}

function pushTo(lists: Map<string, number[]>, id: string, entry: number): void {
	const list = lists.get(id);
	if (list === undefined) lists.set(id, [entry]);
	else list.push(entry);
}

/** Whether a part has nothing to do with a tool call, told by its fields: cheaper than to compare types. */
function isTalk(part: Part): boolean {
	return part.text !== undefined && part.toolCallId === undefined && part.approvalId === undefined;
}

function longer<Column extends Uint8Array | Int32Array>(column: Column, grown: Column): Column {
	grown.set(column);
	return grown;
}

/** Tells which messages belong to one step. */
class Steps {
	readonly #messages: readonly Message[];
	#lastTalk = -1;
	#seen = 0;

	constructor(messages: readonly Message[]) {
		this.#messages = messages;
	}

	/** Whether two messages, the later one never before that of an earlier question, stand in the same step. */
	isSame(earlier: number, later: number): boolean {
		for (; this.#seen < later; this.#seen += 1) {
			const message = this.#messages[this.#seen];
			if (message !== undefined && endsStep(message)) this.#lastTalk = this.#seen;
		}
		return earlier === later || earlier >= this.#lastTalk;
	}
}

/** Finds every part that has to do with a tool call, and the call that it belongs to. Linear. */
export function findTies(messages: readonly Message[]): Ties {
	// A message has about one such part; to count them first would mean to look into every message twice.
	let capacity = messages.length + 16;
	let kind = new Uint8Array(capacity);
	let inMessage = new Int32Array(capacity);
	let atPart = new Int32Array(capacity);
	let call = new Int32Array(capacity);
	let caller = new Int32Array(capacity);
	let answered = new Uint8Array(capacity);
	const calls = new Calls((entry) => {
		if (kind[entry] !== CALL) return undefined;
		const part = messages[inMessage[entry] ?? -1]?.content[atPart[entry] ?? -1] as Part | undefined;
		return part?.toolCallId ?? "";
	});
	const requests = new Map<string, number[]>();
	const steps = new Steps(messages);
	/** For each call the message of its last result; made when a call seems to be answered twice, which is rare. */
	let lastResult: Int32Array | undefined;
	let entry = 0;

	const grow = (): void => {
		capacity *= 2;
		kind = longer(kind, new Uint8Array(capacity));
		inMessage = longer(inMessage, new Int32Array(capacity));
		atPart = longer(atPart, new Int32Array(capacity));
		call = longer(call, new Int32Array(capacity));
		caller = longer(caller, new Int32Array(capacity));
		answered = longer(answered, new Uint8Array(capacity));
		if (lastResult !== undefined) lastResult = longer(lastResult, new Int32Array(capacity).fill(-1));
	};

	const callOf = (part: Part, ofKind: number, index: number): number => {
		const id = part.toolCallId ?? "";
		if (ofKind === REQUEST) {
			pushTo(requests, part.approvalId ?? "", entry);
			return calls.last(id, entry);
		}
		if (ofKind === RESPONSE) {
			const request = requests.get(part.approvalId ?? "")?.pop() ?? -1;
			return request < 0 ? -1 : (call[request] ?? -1);
		}
		const open = calls.answer(id);
		if (open >= 0) return open;
		// One more result in the step of the last one belongs to the same call; later it belongs to nothing.
		const last = calls.last(id, entry);
		if (last < 0) return -1;
		lastResult ??= lastResults();
		return steps.isSame(lastResult[last] ?? -1, index) ? last : -1;
	};

	const lastResults = (): Int32Array => {
		const found = new Int32Array(capacity).fill(-1);
		for (let at = 0; at < entry; at += 1) {
			const of = call[at] ?? -1;
			if (kind[at] === RESULT && of >= 0) found[of] = inMessage[at] ?? -1;
		}
		return found;
	};

	for (let index = 0; index < messages.length; index += 1) {
		const message = messages[index];
		if (message === undefined) continue;
		const { content } = message;
		if (typeof content !== "string") {
			for (let at = 0; at < content.length; at += 1) {
				const part = content[at];
				if (part === undefined || isTalk(part)) continue;
				const ofKind = kindOfPart(part.type);
				if (ofKind < 0) continue;
				if (entry === capacity) grow();
				kind[entry] = ofKind;
				inMessage[entry] = index;
				atPart[entry] = at;
				caller[entry] = -1;
				if (ofKind === CALL) {
					call[entry] = entry;
					const callerId = part.providerOptions === undefined ? undefined : callerIdOf(part);
					if (callerId !== undefined) caller[entry] = calls.last(callerId, entry);
					calls.add(entry, part.toolCallId ?? "");
				} else {
					const of = callOf(part, ofKind, index);
					call[entry] = of;
					if (ofKind === RESULT && of >= 0) {
						answered[of] = 1;
						if (lastResult !== undefined) lastResult[of] = index;
					}
				}
				entry += 1;
			}
		}
	}
	return { count: entry, kind, message: inMessage, part: atPart, call, answered, caller };
}
