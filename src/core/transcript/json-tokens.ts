import { CompactionError } from "../../errors/compaction-error.ts";

/** Tokens of the brackets of an object or list. */
const BRACKETS = 1;
/** Tokens of the quotes, colon and comma around one entry of an object. */
const ENTRY = 2;
/** Characters for one token of a key: keys are short, plain words. */
const KEY_CHARACTERS = 5;
/** Tokens of the comma and quotes around one item of a list. */
const ITEM = 1;
/** JSON that nests deeper is refused, which also ends values that contain themselves. */
const MAX_DEPTH = 1000;

/** Characters of a number as JSON writes it; whole numbers are not turned into text for it. */
function digitsOf(value: number): number {
	if (!Number.isInteger(value) || Math.abs(value) > 1e15) return String(value).length;
	let digits = value < 0 ? 2 : 1;
	for (let rest = Math.abs(value); rest >= 10; rest /= 10) digits += 1;
	return digits;
}

function walk(value: unknown, text: (text: string) => number, depth: number): number {
	switch (typeof value) {
		case "string":
			return text(value);
		case "number":
			// Tokenizers cut digits into threes.
			return Math.ceil(digitsOf(value) / 3);
		case "boolean":
			return 1;
		case "object":
			break;
		default:
			// JSON leaves out what is undefined or a function.
			return 0;
	}
	if (value === null) return 1;
	if (depth > MAX_DEPTH) {
		throw new CompactionError(
			"TRANSCRIPT_INVALID",
			`Cannot count the tokens of a tool's input or output: it nests more than ${MAX_DEPTH} deep, or contains itself.`,
		);
	}
	let tokens = BRACKETS;
	if (Array.isArray(value)) {
		for (const item of value) tokens += ITEM + walk(item, text, depth + 1);
		return tokens;
	}
	// Bytes inside of JSON are never sent as a list of numbers.
	if (ArrayBuffer.isView(value)) return BRACKETS;
	const entries = value as Readonly<Record<string, unknown>>;
	// Faster than making a list of keys; what a prototype adds is no matter in an estimate.
	for (const key in entries) {
		const entry = entries[key];
		if (entry !== undefined) tokens += ENTRY + key.length / KEY_CHARACTERS + walk(entry, text, depth + 1);
	}
	return tokens;
}

/**
 * Tokens of a value as compact JSON, without writing it: its strings by `text`, its punctuation by constants.
 * @throws CompactionError TRANSCRIPT_INVALID where it contains itself
 */
export function jsonTokens(value: unknown, text: (text: string) => number): number {
	return walk(value, text, 0);
}
