import { CompactionError } from "../../errors/compaction-error.ts";
import { leadingSystemCount } from "./kinds.ts";
import { Ledger } from "./ledger.ts";
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

/** So many messages in a row that an older ledger does not know, and it is no help for the others either. */
const STRANGERS = 8;

/** Messages found in a ledger, in a row from `start` on. */
interface Span {
	readonly ledger: Ledger;
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
	const ledgers = new WeakMap<Message, Ledger>();
	/** Messages that were counted outside of a transcript. */
	const alone = new WeakMap<Message, number>();
	let anyAlone = false;
	let recent: WeakRef<Ledger> | undefined;
	/** Where in the recent ledger the last single message was found: callers go through in order. */
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

	function remember(key: Message, ledger: Ledger): void {
		if (ledgers.get(key) !== ledger) ledgers.set(key, ledger);
		turnTo(ledger);
	}

	function turnTo(ledger: Ledger): void {
		if (recent?.deref() !== ledger) {
			recent = new WeakRef(ledger);
			cursor = 0;
		}
	}

	function extend(ledger: Ledger, messages: readonly Message[]): void {
		for (let index = ledger.messages.length; index < messages.length; index += 1) {
			const message = messages[index];
			if (message !== undefined) ledger.append(message, measure(message));
		}
	}

	/** Makes a ledger of its own for a transcript that fits none, with the help of one that is like it. */
	function rebuild(
		messages: readonly Message[],
		head: number,
		key: Message,
		like: Ledger | undefined,
	): Ledger {
		const ledger = new Ledger(head, messages.length);
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
				ledger.append(message, helper.tokens[next] ?? 0);
			} else {
				ledger.append(message, measure(message));
				measured += 1;
			}
			next += 1;
		}
		// A mere selection of a known transcript must not take its place.
		if (measured > 0 || like === undefined) {
			const moved = like?.messages[like.head];
			if (moved !== undefined && moved !== key && ledger.find(moved) >= 0) ledgers.delete(moved);
			remember(key, ledger);
		}
		return ledger;
	}

	function locate(messages: readonly Message[]): Span {
		const head = leadingSystemCount(messages);
		const key = messages[head] ?? messages[0];
		if (key === undefined) return { ledger: new Ledger(0, 0), start: 0 };
		const like = ledgers.get(key) ?? recent?.deref();
		if (like === undefined) return { ledger: rebuild(messages, head, key, undefined), start: 0 };
		const start = Math.max(0, like.head - head);
		const same = like.matching(messages, start);
		if (start === 0 && same === like.messages.length) {
			extend(like, messages);
			remember(key, like);
			return { ledger: like, start };
		}
		if (same === messages.length) return { ledger: like, start };
		const [first] = messages;
		const at = same > 0 || first === undefined ? -1 : like.find(first);
		if (at >= 0 && like.matching(messages, at) === messages.length) return { ledger: like, start: at };
		return { ledger: rebuild(messages, head, key, like), start: 0 };
	}

	function single(message: Message): number {
		const tokens = measure(message);
		alone.set(message, tokens);
		anyAlone = true;
		return tokens;
	}

	function total(messages: readonly Message[]): number {
		const { ledger, start } = locate(messages);
		if (start === 0) return Math.floor(ledger.sums[messages.length] ?? 0);
		let sum = 0;
		for (let index = 0; index < messages.length; index += 1) sum += ledger.tokens[start + index] ?? 0;
		return Math.floor(sum);
	}

	return {
		total,
		of(message) {
			const ledger = recent?.deref();
			if (ledger === undefined) return single(message);
			if (ledger.messages[cursor] !== message) {
				const at = ledger.messages[cursor + 1] === message ? cursor + 1 : ledger.find(message);
				if (at < 0) return single(message);
				cursor = at;
			}
			return ledger.tokens[cursor] ?? 0;
		},
		running(messages) {
			const head = leadingSystemCount(messages);
			const key = messages[head];
			if (key === undefined) return total(messages);
			const own = ledgers.get(key);
			const ledger = own ?? recent?.deref();
			if (ledger?.head !== head || !ledger.seemsToLead(messages)) return total(messages);
			extend(ledger, messages);
			if (own === undefined) remember(key, ledger);
			else turnTo(ledger);
			return Math.floor(ledger.sums[messages.length] ?? 0);
		},
		list(messages) {
			const { ledger, start } = locate(messages);
			return ledger.tokens.subarray(start, start + messages.length);
		},
	};
}
