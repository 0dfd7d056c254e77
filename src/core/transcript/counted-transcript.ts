import type { Message } from "./message.ts";

/** So many messages are searched for one by one before an index over all is worth its cost. */
const SEARCHES_BEFORE_INDEX = 16;

const NEWEST = 8;
/** So many messages are compared at each quick look: what it costs is less than counting one new message. */
const STRETCH = 64;

/** Whether two messages count the same: one object, or copies that share role and content. */
function countAlike(left: Message, right: Message): boolean {
	return (
		left === right ||
		(left.content === right.content &&
			left.role === right.role &&
			left.providerOptions === right.providerOptions)
	);
}

function grown(list: Float64Array, length: number): Float64Array {
	const longer = new Float64Array(length);
	longer.set(list);
	return longer;
}

/**
 * The messages of one transcript with their tokens. Messages are only ever appended, and what is written once
 * never changes, so views of it stay right.
 */
export class CountedTranscript {
	readonly messages: Message[] = [];
	/** How many system messages stand at the head. */
	readonly head: number;
	/** Tokens of each message; longer than `messages`. */
	tokens: Float64Array;
	/** `sums[i]` is the sum of the tokens before message i, added up from the left. */
	sums: Float64Array;
	/** For who must not hold it; one for all, so that they can be compared. */
	readonly weak: WeakRef<CountedTranscript> = new WeakRef(this);
	#searches = 0;
	#indices: Map<Message, number> | undefined;
	#indexed = 0;
	#stretchEnd = 0;

	constructor(head: number, capacity: number) {
		this.head = head;
		this.tokens = new Float64Array(capacity);
		this.sums = new Float64Array(capacity + 1);
	}

	append(message: Message, tokens: number): void {
		const index = this.messages.push(message) - 1;
		if (index === this.tokens.length) {
			const capacity = Math.max(16, index * 2);
			this.tokens = grown(this.tokens, capacity);
			this.sums = grown(this.sums, capacity + 1);
		}
		this.tokens[index] = tokens;
		this.sums[index + 1] = (this.sums[index] ?? 0) + tokens;
	}

	/** How many of the messages, from the first on, stand here in a row from `start` on. */
	matching(messages: readonly Message[], start: number): number {
		const known = this.messages;
		const end = Math.min(messages.length, known.length - start);
		let index = 0;
		while (index < end) {
			const left = known[start + index];
			const right = messages[index];
			// Identity first: it decides nearly always, and needs no look into the messages.
			if (left !== right) {
				if (left === undefined || right === undefined || !countAlike(left, right)) break;
				// The host made its objects anew: the old ones are not to be held.
				known[start + index] = right;
				this.#indices = undefined;
				this.#indexed = 0;
			}
			index += 1;
		}
		return index;
	}

	/**
	 * Whether messages seem to go on from here: the last known one is in its place, and so are those of a stretch
	 * that moves on at each call and comes round. A message put in another's place is noticed within as many calls
	 * as there are stretches.
	 */
	seemsToLead(messages: readonly Message[]): boolean {
		const { length } = this.messages;
		if (messages.length < length || !this.#agreesAt(length - 1, messages)) return false;
		// The last stretch reaches back from the end, so that all have the same length.
		const start = Math.max(0, Math.min(this.#stretchEnd, length - STRETCH));
		const end = Math.min(length, start + STRETCH);
		for (let index = start; index < end; index += 1) {
			// Identity first: it decides nearly always.
			if (this.messages[index] !== messages[index] && !this.#agreesAt(index, messages)) return false;
		}
		this.#stretchEnd = end === length ? 0 : end;
		return true;
	}

	#agreesAt(index: number, messages: readonly Message[]): boolean {
		const left = this.messages[index];
		const right = messages[index];
		return left === right || (left !== undefined && right !== undefined && countAlike(left, right));
	}

	/** Where a message object stands, or -1. */
	find(message: Message): number {
		// The newest messages are asked for most.
		for (
			let index = this.messages.length - 1;
			index >= 0 && index >= this.messages.length - NEWEST;
			index -= 1
		) {
			if (this.messages[index] === message) return index;
		}
		if (this.#searches < SEARCHES_BEFORE_INDEX) {
			this.#searches += 1;
			return this.messages.indexOf(message);
		}
		this.#indices ??= new Map();
		for (; this.#indexed < this.messages.length; this.#indexed += 1) {
			const known = this.messages[this.#indexed];
			if (known !== undefined) this.#indices.set(known, this.#indexed);
		}
		return this.#indices.get(message) ?? -1;
	}

	/** Whether a message counts as much as the one at an index. */
	isAt(index: number, message: Message): boolean {
		const known = this.messages[index];
		return known !== undefined && countAlike(known, message);
	}
}
