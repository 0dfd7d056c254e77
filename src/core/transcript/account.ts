import { CompactionError } from "../../errors/compaction-error.ts";
import { CountedTranscript } from "./counted-transcript.ts";
import { leadingSystemCount } from "./kinds.ts";
import type { Message } from "./message.ts";
import { messageTokens } from "./part-tokens.ts";

/** What an account asks: tokens of a text, or of a whole message where the counter has its own idea of one. */
export interface MessageCounter {
	text(text: string): number;
	message?(message: Message): number;
}

/** Tokens of messages. Each message object is counted once and remembered as long as it lives. */
export interface TokenAccount {
	/** Tokens of one message, not rounded. */
	of(message: Message): number;
	/** Tokens of all messages, rounded down once. */
	total(messages: readonly Message[]): number;
	/**
	 * The total of a transcript that grows, in a time that does not depend on its length: it looks at the end and at
	 * 64 further messages in turn. Messages added or taken away are noticed at once, one that was put in another's
	 * place within a call for every 64 messages. Exact up to 64 messages.
	 */
	running(messages: readonly Message[]): number;
	/** Tokens of each message, not rounded, in order. The list is the account's own: it is not to be written to. */
	list(messages: readonly Message[]): Float64Array;
}

/** So many messages in a row that an older transcript does not know, and it is no help for the others either. */
const STRANGERS = 8;

/** Messages found in a counted transcript, in a row from `start` on. */
interface Span {
	readonly counted: CountedTranscript;
	readonly start: number;
}

/**
 * Makes an account over a counter.
 *
 * A transcript is remembered as a whole: its messages beside their tokens, compared by identity when it comes
 * back, since an entry of a weak map for each message costs several times what counting it does. Whole transcripts
 * are held in a weak map under their first message that is no leading system message: when a pass evicts it, or
 * the host lets go of it, nothing else holds what the account knew.
 */
export function createAccount(counter: MessageCounter): TokenAccount {
	const text = (written: string): number => counter.text(written);
	const byKey = new WeakMap<Message, CountedTranscript>();
	/** Messages that were counted outside of a transcript. */
	const alone = new WeakMap<Message, number>();
	let anyAlone = false;
	let recent: WeakRef<CountedTranscript> | undefined;
	/** Where in the recent transcript the last single message was found: callers go through in order. */
	let cursor = 0;

	function measure(message: Message): number {
		const known = anyAlone ? alone.get(message) : undefined;
		if (known !== undefined) return known;
		const tokens = counter.message === undefined ? messageTokens(message, text) : counter.message(message);
		if (!(tokens >= 0 && tokens < Number.POSITIVE_INFINITY)) {
			throw new CompactionError(
				"PLUGIN_INVALID",
				`Cannot count tokens: the counter gave ${tokens} for a message; expected a number of at least 0.`,
			);
		}
		return tokens;
	}

	function remember(key: Message, counted: CountedTranscript): void {
		if (byKey.get(key) !== counted) byKey.set(key, counted);
		turnTo(counted);
	}

	function turnTo(counted: CountedTranscript): void {
		if (recent !== counted.weak) {
			recent = counted.weak;
			cursor = 0;
		}
	}

	function extend(counted: CountedTranscript, messages: readonly Message[]): void {
		for (let index = counted.messages.length; index < messages.length; index += 1) {
			const message = messages[index];
			if (message !== undefined) counted.append(message, measure(message));
		}
	}

	/** Counts a transcript that fits none known, with the help of one that is like it. */
	function rebuild(
		messages: readonly Message[],
		head: number,
		key: Message,
		like: CountedTranscript | undefined,
	): CountedTranscript {
		const counted = new CountedTranscript(head, messages.length);
		let helper = like;
		let next = 0;
		let strangers = 0;
		let measured = 0;
		for (const message of messages) {
			if (helper !== undefined && !helper.isAt(next, message)) {
				const found = helper.find(message);
				if (found >= 0) next = found;
				strangers = found >= 0 ? 0 : strangers + 1;
				if (strangers > STRANGERS) helper = undefined;
			}
			if (helper?.isAt(next, message)) {
				counted.append(message, helper.tokens[next] ?? 0);
			} else {
				counted.append(message, measure(message));
				measured += 1;
			}
			next += 1;
		}
		// A mere selection of a known transcript must not take its place.
		if (measured > 0 || like === undefined) {
			const moved = like?.messages[like.head];
			if (moved !== undefined && moved !== key && counted.find(moved) >= 0) byKey.delete(moved);
			remember(key, counted);
		}
		return counted;
	}

	function locate(messages: readonly Message[]): Span {
		const head = leadingSystemCount(messages);
		const key = messages[head] ?? messages[0];
		if (key === undefined) return { counted: new CountedTranscript(0, 0), start: 0 };
		const like = byKey.get(key) ?? recent?.deref();
		if (like === undefined) return { counted: rebuild(messages, head, key, undefined), start: 0 };
		const start = Math.max(0, like.head - head);
		const same = like.matching(messages, start);
		if (start === 0 && same === like.messages.length) {
			extend(like, messages);
			remember(key, like);
			return { counted: like, start };
		}
		if (same === messages.length) return { counted: like, start };
		const [first] = messages;
		const at = same > 0 || first === undefined ? -1 : like.find(first);
		if (at >= 0 && like.matching(messages, at) === messages.length) return { counted: like, start: at };
		return { counted: rebuild(messages, head, key, like), start: 0 };
	}

	function single(message: Message): number {
		const tokens = measure(message);
		alone.set(message, tokens);
		anyAlone = true;
		return tokens;
	}

	function total(messages: readonly Message[]): number {
		const { counted, start } = locate(messages);
		if (start === 0) return Math.floor(counted.sums[messages.length] ?? 0);
		let sum = 0;
		for (let index = 0; index < messages.length; index += 1) sum += counted.tokens[start + index] ?? 0;
		return Math.floor(sum);
	}

	return {
		total,
		of(message) {
			const counted = recent?.deref();
			if (counted === undefined) return single(message);
			if (counted.messages[cursor] !== message) {
				const at = counted.messages[cursor + 1] === message ? cursor + 1 : counted.find(message);
				if (at < 0) return single(message);
				cursor = at;
			}
			return counted.tokens[cursor] ?? 0;
		},
		running(messages) {
			const head = leadingSystemCount(messages);
			const key = messages[head];
			if (key === undefined) return total(messages);
			const own = byKey.get(key);
			const counted = own ?? recent?.deref();
			if (counted?.head !== head || !counted.seemsToLead(messages)) return total(messages);
			extend(counted, messages);
			if (own === undefined) remember(key, counted);
			else turnTo(counted);
			return Math.floor(counted.sums[messages.length] ?? 0);
		},
		list(messages) {
			const { counted, start } = locate(messages);
			return counted.tokens.subarray(start, start + messages.length);
		},
	};
}
