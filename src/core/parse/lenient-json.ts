import { jsonrepair } from "jsonrepair";

/** More characters of one answer are not mended: summaries are shorter, and mending can take quadratic time. */
export const MOST_MENDED: number = 32_000;
const DEEPEST_MENDED = 100;

/** A text in which the raw line breaks within strings, which JSON forbids, are spaces. */
function withoutBrokenStrings(text: string): string {
	let mended = "";
	let from = 0;
	let quoted = false;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === 0x22) quoted = !quoted;
		else if (code === 0x5c && quoted) at += 1;
		else if (code === 0x0a && quoted) {
			mended += `${text.slice(from, at).trimEnd()} `;
			while (at + 1 < text.length && /\s/.test(text.charAt(at + 1))) at += 1;
			from = at + 1;
		}
	}
	return mended + text.slice(from);
}

function isDeep(text: string): boolean {
	let depth = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === 0x7b || code === 0x5b) depth += 1;
		else if (code === 0x7d || code === 0x5d) depth -= 1;
		if (depth > DEEPEST_MENDED) return true;
	}
	return false;
}

function tryParse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A JSON value, or undefined where the text is none. */
export function parseStrict(text: string): unknown {
	return tryParse(text);
}

/**
 * A value out of a text that was meant to be JSON: with trailing commas, comments, single quotes, raw line breaks in
 * strings, or its end missing. Undefined where it cannot be told.
 */
export function parseLenient(text: string): unknown {
	if (text.length > MOST_MENDED || isDeep(text)) return undefined;
	const whole = withoutBrokenStrings(text);
	const value = tryParse(whole);
	if (value !== undefined) return value;
	try {
		return JSON.parse(jsonrepair(whole));
	} catch {
		return undefined;
	}
}
