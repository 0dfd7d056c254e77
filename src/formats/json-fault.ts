import { skipSpace } from "./json-spans.ts";

/** The first thing in a text that keeps it from being JSON. */
export interface JsonFault {
	readonly offset: number;
	/** A clause: what was found and what was expected, or that the text ends early. */
	readonly what: string;
}

type Expected =
	| "a value"
	| 'a value or "]"'
	| "a key"
	| 'a key or "}"'
	| '":"'
	| '"," or "]"'
	| '"," or "}"'
	| "the end";

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

const CUT_OFF = "the JSON ends here, unfinished; is the file cut off?";

/** The offset after the string that opens at `at`, or the fault in it. */
function readString(text: string, at: number): number | JsonFault {
	let next = at + 1;
	while (next < text.length) {
		const code = text.charCodeAt(next);
		if (code === 0x22) return next + 1;
		if (code < 0x20) {
			return {
				offset: next,
				what: "found a line break or control character inside a string; expected it escaped.",
			};
		}
		if (code === 0x5c) {
			const letter = text[next + 1];
			if (letter === undefined) break;
			const isUnicode = letter === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(next + 2, next + 6));
			if (letter === "u" && !isUnicode && text.length < next + 6) break;
			if (!isUnicode && !'"\\/bfnrt'.includes(letter)) {
				return {
					offset: next,
					what: `found the unknown escape ${JSON.stringify(`\\${letter}`)} inside a string.`,
				};
			}
			next += isUnicode ? 6 : 2;
			continue;
		}
		next += 1;
	}
	return { offset: text.length, what: CUT_OFF };
}

/** The offset after the number or word at `at`, or undefined where there is none. */
function readScalar(text: string, at: number): number | undefined {
	for (const pattern of [NUMBER, WORD]) {
		pattern.lastIndex = at;
		if (pattern.test(text)) return pattern.lastIndex;
	}
	return undefined;
}

/** The first fault of a text that is no JSON, or undefined where it is JSON. Linear, and without recursion. */
export function findJsonFault(text: string): JsonFault | undefined {
	const open: ("[" | "{")[] = [];
	let expected: Expected = "a value";
	const afterValue = (): Expected =>
		open.length === 0 ? "the end" : open.at(-1) === "[" ? '"," or "]"' : '"," or "}"';
	let at = skipSpace(text, 0);
	while (at < text.length) {
		const found = text[at] ?? "";
		const wantsValue: boolean = expected === "a value" || expected === 'a value or "]"';
		const wantsKey: boolean = expected === "a key" || expected === 'a key or "}"';
		const closes =
			(found === "]" && (expected === 'a value or "]"' || expected === '"," or "]"')) ||
			(found === "}" && (expected === 'a key or "}"' || expected === '"," or "}"'));
		let end: number | undefined;
		if (found === '"' && (wantsValue || wantsKey)) {
			const string = readString(text, at);
			if (typeof string !== "number") return string;
			end = string;
			expected = wantsKey ? '":"' : afterValue();
		} else if (wantsValue && (found === "[" || found === "{")) {
			open.push(found);
			end = at + 1;
			expected = found === "[" ? 'a value or "]"' : 'a key or "}"';
		} else if (closes) {
			open.pop();
			end = at + 1;
			expected = afterValue();
		} else if (found === ":" && expected === '":"') {
			end = at + 1;
			expected = "a value";
		} else if (found === "," && (expected === '"," or "]"' || expected === '"," or "}"')) {
			end = at + 1;
			expected = open.at(-1) === "[" ? "a value" : "a key";
		} else if (wantsValue) {
			end = readScalar(text, at);
			expected = end === undefined ? expected : afterValue();
		}
		if (end === undefined) {
			// A word or number that the end of the text cuts in two is no other fault.
			const isCut =
				(wantsValue && /^(?:-|tr?u?|fa?l?s?|nu?l?)$/.test(text.slice(at, at + 6))) ||
				/^\d(?:\.|[eE][+-]?)$/.test(text.slice(at - 1, at + 3));
			if (isCut) return { offset: text.length, what: CUT_OFF };
			const shown = String.fromCodePoint(text.codePointAt(at) ?? 0);
			return { offset: at, what: `found ${JSON.stringify(shown)}; expected ${expected}.` };
		}
		at = skipSpace(text, end);
	}
	return expected === "the end" ? undefined : { offset: text.trimEnd().length, what: CUT_OFF };
}
