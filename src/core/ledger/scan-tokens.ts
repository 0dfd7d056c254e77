/** What kinds of character a token holds, as bits. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
/** ASCII that is neither letter nor digit: the joints of paths, names, versions. */
export const JOINT = 8;
/** Letters outside ASCII that words are written in with spaces between. */
export const FOREIGN = 16;
/** Scripts that put no spaces between words. */
export const UNSPACED = 32;

const BREAK = 0;
const BACKSLASH = 92;

/** Class of each ASCII character; 0 ends a token. */
const ASCII: Uint8Array = (() => {
	const table = new Uint8Array(128).fill(JOINT);
	for (let code = 0; code <= 32; code += 1) table[code] = BREAK;
	table[127] = BREAK;
	for (const sign of "\"'`()<>[]{},;|") table[sign.charCodeAt(0)] = BREAK;
	for (let code = 48; code <= 57; code += 1) table[code] = DIGIT;
	for (let code = 65; code <= 90; code += 1) table[code] = UPPER;
	for (let code = 97; code <= 122; code += 1) table[code] = LOWER;
	return table;
})();

/** Class of a UTF-16 unit outside ASCII. Surrogates count as unspaced: emoji, rare ideographs. */
function classBeyondAscii(code: number): number {
	if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba ? FOREIGN : BREAK;
	if (code < 0x0e00) return FOREIGN;
	// Thai, Lao, Tibetan, Burmese, Khmer.
	if (code < 0x1100) return code >= 0x10a0 ? FOREIGN : UNSPACED;
	if (code >= 0x1780 && code < 0x1800) return UNSPACED;
	if (code < 0x2000) return FOREIGN;
	// Punctuation, arrows, boxes, symbols.
	if (code < 0x2c00) return BREAK;
	if (code < 0x2e80) return FOREIGN;
	if (code < 0x3005 || (code > 0x3007 && code < 0x3031)) return BREAK;
	// Hangul is written with spaces.
	if (code >= 0xac00 && code < 0xd7b0) return FOREIGN;
	if (code < 0xfb00) return UNSPACED;
	if (code >= 0xff10 && code < 0xff1a) return UNSPACED;
	if (code >= 0xff21 && code < 0xff3b) return UNSPACED;
	if (code >= 0xff41 && code < 0xff5b) return UNSPACED;
	if (code >= 0xff66 && code < 0xffdd) return UNSPACED;
	return code < 0xfe00 ? FOREIGN : BREAK;
}

/** A backslash belongs to a Windows path; elsewhere it begins an escape inside quoted JSON. */
function inWindowsPath(text: string, start: number, at: number): boolean {
	if (at === start) return text.charCodeAt(at + 1) === BACKSLASH;
	const second = text.charCodeAt(start + 1);
	return (second === 58 && at >= start + 2) || text.charCodeAt(start) === BACKSLASH || text[start] === ".";
}

/**
 * Calls `visit` for every run of characters that no white space, quote, bracket or separator breaks, with its
 * character classes and where it starts and ends. Runs of scripts without spaces come apart from the rest.
 */
export function scanTokens(
	text: string,
	visit: (token: string, classes: number, start: number, end: number) => void,
): void {
	scanRuns(text, (classes, start, end) => visit(text.slice(start, end), classes, start, end));
}

/** The same without taking the runs out of the text, for callers that skip most of them. */
export function scanRuns(text: string, visit: (classes: number, start: number, end: number) => void): void {
	const length = text.length;
	let start = -1;
	let classes = 0;
	for (let at = 0; at < length; at += 1) {
		const code = text.charCodeAt(at);
		let kind = code < 128 ? (ASCII[code] ?? BREAK) : classBeyondAscii(code);
		let skip = 0;
		if (code === BACKSLASH && !(start >= 0 && inWindowsPath(text, start, at))) {
			kind = BREAK;
			const next = text.charCodeAt(at + 1);
			// \n, \r, \t, \\
			if (next === 110 || next === 114 || next === 116 || next === BACKSLASH) skip = 1;
		}
		const unspaced = kind === UNSPACED;
		if (start >= 0 && (kind === BREAK || unspaced !== (classes === UNSPACED))) {
			visit(classes, start, at);
			start = -1;
		}
		if (kind !== BREAK) {
			if (start < 0) {
				start = at;
				classes = kind;
			} else classes |= kind;
		}
		at += skip;
	}
	if (start >= 0) visit(classes, start, length);
}
