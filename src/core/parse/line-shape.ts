// Characters are told apart by their codes: these functions see every line of every answer.
const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;
const STAR = 0x2a;
const DASH = 0x2d;
const UNDERSCORE = 0x5f;

/** Bullets that need no space behind them. */
const ROUND_BULLETS = "•◦▪▫●○‣⁃∙·・･■□▶►➤→①②③④⑤⑥⑦⑧⑨⑩";
/** Marks that say something themselves: they are a bullet, and stay in its text. */
const CHECK_MARKS = "☐☑☒✓✔✗✘✅❌⬜";
const LETTER = /\p{L}/u;

function isSpace(code: number): boolean {
	return (
		code === SPACE || code === TAB || code === 0xa0 || code === 0x3000 || code === 0x2003 || code === 0x2002
	);
}

/** Zero-width characters, marks of direction and the odd line end of old terminals. */
function isInvisible(code: number): boolean {
	return (
		(code >= 0x200b && code <= 0x200f) ||
		(code >= 0x202a && code <= 0x202e) ||
		(code >= 0x2060 && code <= 0x2069) ||
		code === 0xfeff ||
		code === 0x85
	);
}

/** Where the digits start that numbers of lists are written with: full-width, Arabic, Persian, Devanagari. */
const OTHER_ZEROS: readonly number[] = [0xff10, 0x0660, 0x06f0, 0x0966];

function isDigit(code: number): boolean {
	if (code < 0x80) return code >= 0x30 && code <= 0x39;
	return OTHER_ZEROS.some((zero) => code >= zero && code <= zero + 9);
}

function isLetterAt(text: string, at: number): boolean {
	const code = text.codePointAt(at);
	return code !== undefined && LETTER.test(String.fromCodePoint(code));
}

/** Where the text of a line starts, behind white space and zero-width characters; its length for a blank line. */
export function startOf(line: string): number {
	let at = 0;
	while (at < line.length) {
		const code = line.charCodeAt(at);
		if (code > SPACE && code < 0x80) return at;
		if (code <= SPACE || isSpace(code) || isInvisible(code) || code === 0x2028 || code === 0x2029) at += 1;
		else return at;
	}
	return at;
}

function isUnseen(code: number): boolean {
	return code === 0x85 || code === 0x200b || code === 0x2060;
}

/** A text without white space and invisible characters around it. */
export function trimUnseen(text: string): string {
	let bare = text.trim();
	while (isUnseen(bare.charCodeAt(0))) bare = bare.slice(1).trimStart();
	while (isUnseen(bare.charCodeAt(bare.length - 1))) bare = bare.slice(0, -1).trimEnd();
	return bare;
}

/** The column at which a line's text starts; a tab goes to the next multiple of four. */
export function columnOf(line: string, start: number): number {
	let column = 0;
	for (let at = 0; at < start; at += 1) {
		const code = line.charCodeAt(at);
		if (code === TAB) column += 4 - (column % 4);
		else if (!isInvisible(code)) column += 1;
	}
	return column;
}

/** The end of a run of white space. */
function afterSpaces(line: string, from: number): number {
	let at = from;
	while (at < line.length && isSpace(line.charCodeAt(at))) at += 1;
	return at;
}

/** The text behind a number or a letter that opens an item of a list: "1.", "1)", "(1)", "a.", "1.text"; or -1. */
function numberedText(line: string, start: number): number {
	let at = start;
	const bracketed = line.charCodeAt(at) === 0x28;
	if (bracketed) at += 1;
	const first = at;
	while (at < line.length && at - first < 9 && isDigit(line.charCodeAt(at))) at += 1;
	const digits = at - first;
	if (digits === 0) {
		const code = line.charCodeAt(at) | 0x20;
		if (code < 0x61 || code > 0x7a) return -1;
		at += 1;
	}
	const mark = line.charAt(at);
	if (mark === "" || !(bracketed ? ")）" : ".)、．）").includes(mark)) return -1;
	at += 1;
	if (at >= line.length || isSpace(line.charCodeAt(at))) return afterSpaces(line, at);
	return digits > 0 && digits <= 3 && (isLetterAt(line, at) || mark === "、") ? at : -1;
}

/** Where the text of a bullet starts, whose marker stands at `start`; -1 for a line that is no bullet. */
export function bulletText(line: string, start: number): number {
	const code = line.charCodeAt(start);
	const next = line.charCodeAt(start + 1);
	const spaced = start + 1 >= line.length || isSpace(next);
	if (code === DASH || code === STAR || code === 0x2b) {
		if (spaced) return afterSpaces(line, start + 1);
		if (code === DASH) return isLetterAt(line, start + 1) ? start + 1 : -1;
		// A star without a space is emphasis if another one follows.
		return code === STAR && isLetterAt(line, start + 1) && !line.includes("*", start + 1) ? start + 1 : -1;
	}
	if (code < 0x80)
		return isDigit(code) || code === 0x28 || isAsciiLetter(code) ? numberedText(line, start) : -1;
	if (isDigit(code)) return numberedText(line, start);
	if (code === 0x2013 || code === 0x2014 || code === 0x2212)
		return spaced ? afterSpaces(line, start + 1) : -1;
	const mark = line.charAt(start);
	if (ROUND_BULLETS.includes(mark)) return afterSpaces(line, start + 1);
	return CHECK_MARKS.includes(mark) ? start : -1;
}

function isAsciiLetter(code: number): boolean {
	return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

/** Whether a bullet's marker is a number. */
export function isNumbered(line: string, start: number): boolean {
	return isDigit(line.charCodeAt(line.charCodeAt(start) === 0x28 ? start + 1 : start));
}

/** Whether a line is a rule, "---" or "* * *", or underlines a heading. */
export function isRule(line: string, start: number): boolean {
	const mark = line.charCodeAt(start);
	if (
		mark !== DASH &&
		mark !== STAR &&
		mark !== UNDERSCORE &&
		mark !== 0x3d &&
		mark !== 0x2014 &&
		mark !== 0x2500
	) {
		return false;
	}
	let marks = 0;
	for (let at = start; at < line.length; at += 1) {
		const code = line.charCodeAt(at);
		if (code === mark) marks += 1;
		else if (!isSpace(code)) return false;
	}
	return marks >= 3;
}

/** How many `#` stand at the start of a line's text. */
export function hashesAt(line: string, start: number): number {
	let at = start;
	while (line.charCodeAt(at) === HASH) at += 1;
	return at - start;
}

/** A fence that a line opens or closes. */
export interface Fence {
	readonly mark: string;
	/** How many marks; from ten on they are all alike. */
	readonly length: number;
	/** Whether nothing follows the marks, so that it may close a fence. */
	readonly bare: boolean;
}

/** The fence at the start of a line's text, or undefined. Marks that are closed on their line are no fence. */
export function fenceAt(line: string, start: number): Fence | undefined {
	const mark = line.charAt(start);
	if (mark !== "`" && mark !== "~") return undefined;
	let at = start;
	while (line.charAt(at) === mark) at += 1;
	if (at - start < 3 || line.includes("`", at)) return undefined;
	return { mark, length: Math.min(at - start, 10), bare: startOf(line.slice(at)) === line.length - at };
}
