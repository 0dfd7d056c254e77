/** A part of a text: from `start` up to, and not including, `end`. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

function isSpace(code: number): boolean {
	return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** The first offset at or after `at` that holds no JSON whitespace. */
export function skipSpace(text: string, at: number): number {
	let next = at;
	while (next < text.length && isSpace(text.charCodeAt(next))) next += 1;
	return next;
}

/** The offset after the string whose opening quote stands at `at`. */
function skipString(text: string, at: number): number {
	let close = at;
	for (;;) {
		close = text.indexOf('"', close + 1);
		if (close < 0) return text.length;
		let slashes = 0;
		while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1;
		if (slashes % 2 === 0) return close + 1;
	}
}

/** The offset after a number or word. */
function skipScalar(text: string, at: number): number {
	let next = at;
	while (next < text.length) {
		const code = text.charCodeAt(next);
		if (isSpace(code) || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT) break;
		next += 1;
	}
	return next;
}

/**
 * The offset after the JSON value that starts at `at`. The text is trusted to be JSON: on anything else the
 * answer is some offset within the text. Linear, and without recursion, so that no nesting is too deep.
 */
export function skipValue(text: string, at: number): number {
	const first = text.charCodeAt(at);
	if (first === QUOTE) return skipString(text, at);
	if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) return skipScalar(text, at);
	let depth = 0;
	let next = at;
	while (next < text.length) {
		const code = text.charCodeAt(next);
		if (code === QUOTE) {
			next = skipString(text, next);
			continue;
		}
		next += 1;
		if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth += 1;
		else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
			depth -= 1;
			if (depth === 0) return next;
		}
	}
	return text.length;
}

/** The elements of the JSON array whose bracket stands at `at`. */
export function elementSpans(text: string, at: number): readonly Span[] {
	const spans: Span[] = [];
	let start = skipSpace(text, at + 1);
	while (start < text.length && text.charCodeAt(start) !== CLOSE_ARRAY) {
		const end = skipValue(text, start);
		spans.push({ start, end });
		// Past the comma; at the closing bracket this is a no-op.
		const after = skipSpace(text, end);
		start = text.charCodeAt(after) === COMMA ? skipSpace(text, after + 1) : after;
	}
	return spans;
}

/** The offset of the value of a key in the JSON object whose brace stands at `at`; of equal keys the last counts. */
export function valueOffset(text: string, at: number, key: string): number | undefined {
	let found: number | undefined;
	let next = skipSpace(text, at + 1);
	while (text.charCodeAt(next) === QUOTE) {
		const keyEnd = skipString(text, next);
		const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
		if (JSON.parse(text.slice(next, keyEnd)) === key) found = value;
		const after = skipSpace(text, skipValue(text, value));
		next = text.charCodeAt(after) === COMMA ? skipSpace(text, after + 1) : after;
	}
	return found;
}

/** The values that stand one after the other in a text, separated by nothing or by whitespace. */
export function gluedSpans(text: string): readonly Span[] {
	const spans: Span[] = [];
	let start = skipSpace(text, 0);
	while (start < text.length) {
		const end = Math.max(skipValue(text, start), start + 1);
		spans.push({ start, end });
		start = skipSpace(text, end);
	}
	return spans;
}

/** The offset of the value at a JSON pointer in the value that starts at `at`; the nearest above where it is absent. */
export function pointerOffset(text: string, at: number, pointer: string): number {
	let offset = at;
	for (const segment of pointer.split("/").slice(1)) {
		const code = text.charCodeAt(offset);
		const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
		let inner: number | undefined;
		if (code === OPEN_ARRAY) inner = elementSpans(text, offset)[Number(key)]?.start;
		else if (code === OPEN_OBJECT) inner = valueOffset(text, offset, key);
		if (inner === undefined) return offset;
		offset = inner;
	}
	return offset;
}
