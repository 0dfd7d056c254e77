import { cutBefore, shortenMiddle } from "../text/shorten.ts";
import { wellFormed } from "../text/well-formed.ts";
import type { Message } from "../transcript/message.ts";
import { renderMessage } from "./render-message.ts";

/** How much of a transcript may be shown at once. */
export interface TranscriptRoom {
	readonly maxTokens: number;
	countTokens(text: string): number;
}

/** No text that matters has more characters a token; beyond this, counting would only cost time. */
const MOST_CHARACTERS_A_TOKEN = 16;
const FIRST_GUESS = 4;

/** Tokens of a text, or infinity where it cannot fit in any case. */
function tokensWithin(text: string, max: number, room: TranscriptRoom): number {
	return text.length > max * MOST_CHARACTERS_A_TOKEN ? Number.POSITIVE_INFINITY : room.countTokens(text);
}

function gapLine(count: number): string {
	return `[... ${count} ${count === 1 ? "message" : "messages"} left out ...]\n`;
}

/** A text shortened in its middle until it fits; empty where no useful part of it would. */
function shortenToTokens(text: string, max: number, room: TranscriptRoom): string {
	if (max <= 0) return "";
	if (tokensWithin(text, max, room) <= max) return text;
	let length = Math.min(text.length - 1, Math.floor(max * FIRST_GUESS));
	while (length >= 4) {
		const short = shortenMiddle(text, length);
		const tokens = room.countTokens(short);
		if (tokens <= max) return short;
		length = Math.floor(length * Math.min(0.9, max / tokens));
	}
	return "";
}

/** A message as text with its tokens. */
interface Shown {
	readonly text: string;
	readonly tokens: number;
}

function show(message: Message | undefined, room: TranscriptRoom): Shown {
	// Message by message: each ends with a line break, so that no pair reaches from one into the next.
	const text = message === undefined ? "" : wellFormed(renderMessage(message));
	return { text, tokens: tokensWithin(text, room.maxTokens, room) };
}

/**
 * Messages as text of at most so many tokens: all of them where they fit; else whole messages from both ends with
 * a line that says how many were left out between, and never without the newest, shortened if need be. Only what
 * will be seen is turned into text.
 */
export function renderTranscript(messages: readonly Message[], room: TranscriptRoom): string {
	const { maxTokens } = room;
	const front: Shown[] = [];
	const back: Shown[] = [];
	let used = 0;
	let next = 0;
	for (; next < messages.length; next += 1) {
		const shown = show(messages[next], room);
		if (used + shown.tokens > maxTokens / 2) break;
		front.push(shown);
		used += shown.tokens;
	}
	for (let last = messages.length - 1; last >= next; last -= 1) {
		const shown = show(messages[last], room);
		if (used + shown.tokens > maxTokens) break;
		back.push(shown);
		used += shown.tokens;
	}
	const gap = room.countTokens(gapLine(messages.length));
	// What lies farthest from both ends gives way to the line that says so.
	while (front.length + back.length < messages.length && used + gap > maxTokens) {
		const dropped = back.length > 1 || front.length === 0 ? back.pop() : front.pop();
		if (dropped === undefined) break;
		used -= dropped.tokens;
	}
	let newest = "";
	if (back.length === 0 && front.length < messages.length) {
		const { text } = show(messages.at(-1), room);
		newest = shortenToTokens(text, maxTokens - used - gap, room);
		// Room for not even the line: the beginning of the newest message is all that is shown.
		if (used + gap > maxTokens) return splitText(text, room).next().value?.text ?? "";
	}
	const count = front.length + back.length + (newest === "" ? 0 : 1);
	const between = count === messages.length ? "" : gapLine(messages.length - count);
	const texts = (list: readonly Shown[]): string => list.map(({ text }) => text).join("");
	return `${texts(front)}${between}${texts(back.reverse())}${newest}`;
}

/** Where a piece of at most so many units ends best: after a line, else after a word. */
function pieceEnd(text: string, length: number): number {
	if (length >= text.length) return text.length;
	const earliest = Math.floor(length * 0.7);
	for (const mark of ["\n", " "]) {
		const found = text.lastIndexOf(mark, length - 1);
		if (found >= earliest && found > 0) return found + 1;
	}
	// A code point of two units is never parted, even where it alone is too long.
	return cutBefore(text, length) || 2;
}

/** Cuts a text into pieces that fit, one after the other, nothing left out. */
export function* splitText(text: string, room: TranscriptRoom): Generator<{ text: string; tokens: number }> {
	const max = Math.max(1, room.maxTokens);
	let perToken = FIRST_GUESS;
	let start = 0;
	while (start < text.length) {
		const rest = text.slice(start, start + max * MOST_CHARACTERS_A_TOKEN);
		let piece = rest.slice(0, pieceEnd(rest, Math.max(1, Math.floor(max * perToken))));
		let tokens = room.countTokens(piece);
		while (tokens > max && piece.length > 2) {
			const shorter = Math.max(1, Math.floor(piece.length * Math.min(0.9, max / tokens)));
			piece = piece.slice(0, pieceEnd(piece, shorter));
			tokens = room.countTokens(piece);
		}
		// The next guess comes from what this piece had, a little lower so that it seldom has to be cut twice.
		if (tokens > 0) perToken = Math.min(MOST_CHARACTERS_A_TOKEN, (piece.length / tokens) * 0.97);
		yield { text: piece, tokens };
		start += piece.length;
	}
}

/**
 * Messages as text in as many chunks as needed, each of at most `maxTokens` as the room says at the time; no
 * message is left out, and one that is too large alone goes on in the next chunk. Only one chunk exists at a time.
 */
export function* transcriptChunks(messages: readonly Message[], room: TranscriptRoom): Generator<string> {
	let current: string[] = [];
	let used = 0;
	for (const message of messages) {
		const { text, tokens } = show(message, room);
		const pieces = tokens <= room.maxTokens ? [{ text, tokens }] : splitText(text, room);
		for (const piece of pieces) {
			if (used > 0 && used + piece.tokens > room.maxTokens) {
				yield current.join("");
				current = [];
				used = 0;
			}
			current.push(piece.text);
			used += piece.tokens;
		}
	}
	if (current.length > 0) yield current.join("");
}
