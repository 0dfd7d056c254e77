import { collectJson, type JsonLists } from "./collect-json.ts";
import type { KnownSections } from "./known-sections.ts";
import { MOST_MENDED, parseLenient, parseStrict } from "./lenient-json.ts";

/** A summary that was written as JSON, and where it stands in the text. */
export interface JsonSummary extends JsonLists {
	readonly start: number;
	readonly end: number;
	/** Whether its end is missing. */
	readonly cutOff: boolean;
}

// A brace opens an object if a quote, a comment, a bare key or another brace follows. Prose rarely looks like that.
const OPENS = /\{\s*(?:["'“”{}/]|[A-Za-z_]\w{0,80}\s{0,20}:)/y;
const OPENS_QUOTED = /^\{\s*(?:\/[/*]|["'“”{])/;
const HAS_QUOTED_LIST = /:\s*\[\s*["'\]]/;

function opensObject(text: string, at: number): boolean {
	OPENS.lastIndex = at;
	return OPENS.test(text);
}

/** The index behind the brace that closes the one at `start`, or -1. Brackets in strings do not count. */
function closeOf(text: string, start: number): number {
	let depth = 0;
	let quoted = false;
	for (let at = start; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (quoted) {
			if (code === 0x5c) at += 1;
			else if (code === 0x22) quoted = false;
		} else if (code === 0x22) quoted = true;
		else if (code === 0x7b) depth += 1;
		else if (code === 0x7d) {
			depth -= 1;
			if (depth === 0) return at + 1;
		}
	}
	return -1;
}

/** Reads what is no JSON but was meant to be. It must not make sections out of prose with braces in it. */
function readLenient(text: string, known: KnownSections): JsonLists | undefined {
	if (!OPENS_QUOTED.test(text) && !HAS_QUOTED_LIST.test(text)) return undefined;
	const found = collectJson(parseLenient(text), known);
	// A form that is only spoken of: {"key_facts": [...]}.
	return found !== undefined && !found.hasText && /\.\.\.|…/.test(text) ? undefined : found;
}

/** A text that is JSON from end to end, which needs no search. */
function readWhole(text: string, known: KnownSections): JsonSummary | undefined {
	const bare = text.trim();
	if (!bare.startsWith("{") || !bare.endsWith("}")) return undefined;
	const found = collectJson(parseStrict(bare), known);
	return found === undefined ? undefined : { ...found, start: 0, end: text.length, cutOff: false };
}

/** Each character may be looked at so many times, however the braces are nested … */
const LOOKS = 8;
/** … and each object that turns out to be none costs as much as so many characters. */
const FAILED_LOOK = 500;
const LEAST_LOOKS = 50_000;

/**
 * The first object in a text that has a known key: bare, fenced, within prose, wrapped in other objects, and not
 * quite JSON where its parts can be told. Undefined where there is none.
 */
export function readJson(text: string, known: KnownSections): JsonSummary | undefined {
	const whole = readWhole(text, known);
	if (whole !== undefined) return whole;
	let looks = Math.max(LEAST_LOOKS, text.length * LOOKS);
	let mended = 0;
	let unclosed: number | undefined;
	let at = text.indexOf("{");
	while (at !== -1 && looks > 0) {
		if (opensObject(text, at)) {
			const end = closeOf(text, at);
			looks -= (end === -1 ? text.length : end) - at + FAILED_LOOK;
			if (end === -1) unclosed ??= at;
			else {
				const span = text.slice(at, end);
				const value = parseStrict(span);
				let found = value === undefined ? undefined : collectJson(value, known);
				if (value === undefined && mended + span.length <= MOST_MENDED) {
					mended += span.length;
					found = readLenient(span, known);
				}
				if (found !== undefined) return { ...found, start: at, end, cutOff: false };
				// All that a proper value holds was looked through already.
				if (value !== undefined) at = end - 1;
			}
		}
		at = text.indexOf("{", at + 1);
	}
	if (unclosed === undefined || mended + text.length - unclosed > MOST_MENDED) return undefined;
	const found = readLenient(text.slice(unclosed), known);
	return found === undefined ? undefined : { ...found, start: unclosed, end: text.length, cutOff: true };
}
