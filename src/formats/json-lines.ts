import type { ModelMessage } from "ai";
import { messageProblem } from "../core/transcript/check-transcript.ts";
import { findJsonFault } from "./json-fault.ts";
import { gluedSpans, pointerOffset, skipSpace } from "./json-spans.ts";
import type { Place, Transcript } from "./transcript.ts";
import { messageError, transcriptError } from "./transcript-error.ts";

/** A message as it stood in the file. */
interface Line {
	readonly message: ModelMessage;
	readonly raw: string;
	readonly place: Place;
}

/** The values of a line and their texts: one, or several where a line break was lost between them. */
function valuesOf(
	text: string,
	line: number,
	name: string,
): readonly { readonly value: unknown; readonly raw: string; readonly column: number }[] {
	try {
		return [{ value: JSON.parse(text), raw: text, column: 1 + text.length - text.trimStart().length }];
	} catch (cause) {
		try {
			return gluedSpans(text).map(({ start, end }) => {
				const raw = text.slice(start, end);
				return { value: JSON.parse(raw), raw, column: start + 1 };
			});
		} catch {
			const spans = gluedSpans(text);
			// Of several values on a line the first faulty one is explained.
			const start =
				spans.find(({ start, end }) => findJsonFault(text.slice(start, end)) !== undefined)?.start ?? 0;
			const fault = findJsonFault(text.slice(start));
			const what = fault?.what ?? `it is no valid JSON: ${String(cause)}`;
			throw transcriptError(name, what, { line, column: start + (fault?.offset ?? 0) + 1 }, { cause });
		}
	}
}

/**
 * Reads one message a line. Blank lines, a byte order mark and CRLF are fine, and so are several messages on
 * one line.
 * @throws CompactionError TRANSCRIPT_INVALID with the number of the bad line
 */
export function readLines(text: string, name: string): Transcript {
	const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
	const lines: Line[] = [];
	for (const [index, full] of text.slice(mark.length).split("\n").entries()) {
		if (full.trim() === "") continue;
		const line = full.endsWith("\r") ? full.slice(0, -1) : full;
		for (const { value, raw, column } of valuesOf(line, index + 1, name)) {
			const place = { line: index + 1, column };
			const problem = messageProblem(value);
			if (problem !== undefined) {
				const inner = pointerOffset(raw, skipSpace(raw, 0), problem.pointer) - skipSpace(raw, 0);
				throw messageError(name, lines.length, problem, { ...place, column: column + inner });
			}
			lines.push({ message: value as ModelMessage, raw, place });
		}
	}
	const firstBreak = text.indexOf("\n");
	const lineEnd = firstBreak > 0 && text[firstBreak - 1] === "\r" ? "\r\n" : "\n";
	const raws = new Map<ModelMessage, string>(lines.map(({ message, raw }) => [message, raw]));
	const rawOf = (message: ModelMessage): string => raws.get(message) ?? JSON.stringify(message);
	return {
		format: "jsonl",
		messages: lines.map(({ message }) => message),
		locate: (index) => lines[index]?.place ?? { line: 1, column: 1 },
		write(output) {
			const body = output.map(rawOf).join(lineEnd);
			return `${mark}${body}${text.endsWith("\n") && body !== "" ? lineEnd : ""}`;
		},
		writeLines: (output) => output.map((message) => `${rawOf(message)}\n`).join(""),
	};
}
