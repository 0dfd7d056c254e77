import { ASCII, BLOCKS, CHARACTER_CLASSES } from "./character-classes.ts";
import { TOKEN_WEIGHTS } from "./token-weights.ts";

const CLASSES: number = CHARACTER_CLASSES.length;
/** Thousandths: whole numbers add up faster. */
const WEIGHTS: Uint16Array = Uint16Array.from(TOKEN_WEIGHTS);
/** What stands before a text is taken for a line end. */
const LINE_END: number = CHARACTER_CLASSES.indexOf("newline");
/** Texts up to this length are read whole; of longer ones, some windows are. */
const READ_WHOLE = 48;
const WINDOW = 8;

/** Thousandths of a token of the characters from `start` to `end`, after a character of class `before`. */
function weigh(text: string, start: number, end: number, before: number): number {
	let row = before * CLASSES;
	let thousandths = 0;
	for (let index = start; index < end; index += 1) {
		const unit = text.charCodeAt(index);
		const found = (unit < 128 ? ASCII[unit] : BLOCKS[unit >> 6]) as number;
		thousandths += WEIGHTS[row + found] as number;
		row = found * CLASSES;
	}
	return thousandths;
}

/** How many windows of a long text are read: by the square root of its length, and more of very long ones. */
function windowsOf(length: number): number {
	const more = length > 2048 ? (length - 2048) / 128 : 0;
	return Math.round(2 + Math.sqrt(length) / 4 + more);
}

/**
 * Tokens of a text, estimated from pairs of neighbouring characters by their classes. Of long texts it reads only
 * windows: one in each of so many equal stretches, at a place that looks random, so that no repeating pattern is
 * met at one point only, and yet is the same every time.
 */
export function estimateTokens(text: string): number {
	const { length } = text;
	if (length <= READ_WHOLE) return weigh(text, 0, length, LINE_END) / 1000;
	const windows = windowsOf(length);
	const stretch = length / windows;
	const room = (stretch - WINDOW) / 2 ** 32;
	let state = length;
	let thousandths = 0;
	for (let index = 0; index < windows; index += 1) {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x3504f333) >>> 0;
		const start = (index * stretch + state * room) | 0;
		// The first character of a window only says what stands before the second.
		const unit = text.charCodeAt(start);
		const before = (unit < 128 ? ASCII[unit] : BLOCKS[unit >> 6]) as number;
		thousandths += weigh(text, start + 1, start + WINDOW, before);
	}
	return (thousandths * length) / (windows * (WINDOW - 1) * 1000);
}
