import { readDocument } from "./json-document.ts";
import { findJsonFault } from "./json-fault.ts";
import { readLines } from "./json-lines.ts";
import { skipSpace, skipValue } from "./json-spans.ts";
import type { Transcript } from "./transcript.ts";
import { placeAt, transcriptError } from "./transcript-error.ts";

type Parsed = { readonly value: unknown } | { readonly cause: unknown };

function tryParse(text: string): Parsed {
	try {
		return { value: JSON.parse(text) };
	} catch (cause) {
		return { cause };
	}
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMessageLike(text: string): boolean {
	const parsed = tryParse(text);
	return "value" in parsed && isObject(parsed.value) && Object.hasOwn(parsed.value, "role");
}

/** Whether a text that is no JSON as a whole is meant as one message a line. */
function looksLikeLines(body: string, name: string): boolean {
	const start = skipSpace(body, 0);
	if (body[start] === "[") return false;
	if (/\.(?:jsonl|ndjson)$/i.test(name)) return true;
	if (isMessageLike(body.slice(start, skipValue(body, start)))) return true;
	// The first line is faulty. In a document at most the last element stands alone on its line, without a comma.
	return body.split("\n").filter(isMessageLike).length >= 2;
}

/**
 * Reads a transcript: a JSON array of messages, an object that holds one under `messages`, or JSONL with one
 * message a line. The shape is told from the text; the name, which messages use, only settles doubt.
 * @throws CompactionError TRANSCRIPT_INVALID that names the line and the column
 */
export function readTranscript(text: string, name = "transcript"): Transcript {
	const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
	if (body.trim() === "") throw transcriptError(name, "it is empty; expected messages.");
	const parsed = tryParse(body);
	if ("value" in parsed) {
		const { value } = parsed;
		if (Array.isArray(value) || (isObject(value) && Object.hasOwn(value, "messages")))
			return readDocument(text, value, name);
		const oneLine = !body.trim().includes("\n");
		if (oneLine && isObject(value) && Object.hasOwn(value, "role")) return readLines(text, name);
		const found = isObject(value) ? 'an object without "messages"' : `${JSON.stringify(value)}`.slice(0, 60);
		throw transcriptError(
			name,
			`found ${found}; expected a list of messages, { "messages": [...] }, or one message a line.`,
			placeAt(text, text.length - body.trimStart().length),
		);
	}
	if (looksLikeLines(body, name)) return readLines(text, name);
	const fault = findJsonFault(body);
	const offset = text.length - body.length + (fault?.offset ?? 0);
	const what = fault?.what ?? `it is no valid JSON: ${String(parsed.cause)}`;
	throw transcriptError(name, what, placeAt(text, offset), { cause: parsed.cause });
}
