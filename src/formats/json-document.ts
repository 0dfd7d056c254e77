import type { ModelMessage } from "ai";
import { messageProblem } from "../core/transcript/check-transcript.ts";
import { elementSpans, pointerOffset, type Span, skipSpace, valueOffset } from "./json-spans.ts";
import type { Transcript } from "./transcript.ts";
import { messageError, placeAt, transcriptError } from "./transcript-error.ts";

interface Style {
	/** What stands before each element's own lines. */
	readonly base: string;
	/** One step of indentation; empty where elements stand on one line. */
	readonly step: string;
	readonly lineEnd: string;
	/** What stands between two elements, the comma included. */
	readonly separator: string;
}

/** How the elements of an array are laid out, read from the first two. */
function styleOf(text: string, open: number, spans: readonly Span[]): Style {
	const [first, second] = spans;
	const gap = text.slice(open + 1, first?.start ?? open + 1);
	const separator =
		first !== undefined && second !== undefined ? text.slice(first.end, second.start) : `,${gap}`;
	const body = first === undefined ? "" : text.slice(first.start, first.end);
	const lineEnd = body.includes("\r\n") || gap.includes("\r\n") ? "\r\n" : "\n";
	const base = gap.slice(gap.lastIndexOf("\n") + 1);
	const inner = /\n([ \t]*)"/.exec(body)?.[1] ?? "";
	const step = inner.startsWith(base) ? inner.slice(base.length) : inner;
	return { base: gap.includes("\n") ? base : "", step, lineEnd, separator };
}

function stringify(message: ModelMessage, { base, step, lineEnd }: Style): string {
	if (step === "") return JSON.stringify(message);
	// Line breaks inside of strings are escaped, so these are all of the layout's.
	return JSON.stringify(message, null, step).replaceAll("\n", `${lineEnd}${base}`);
}

/**
 * Reads a transcript out of a JSON text that was parsed already: an array of messages, or an object that holds
 * one under `messages`.
 * @throws CompactionError TRANSCRIPT_INVALID with line and column
 */
export function readDocument(text: string, value: unknown, name: string): Transcript {
	const start = skipSpace(text, text.startsWith("\uFEFF") ? 1 : 0);
	const format = Array.isArray(value) ? "array" : "object";
	const list: unknown = format === "array" ? value : (value as { messages?: unknown }).messages;
	const open = format === "array" ? start : valueOffset(text, start, "messages");
	if (!Array.isArray(list) || open === undefined) {
		throw transcriptError(
			name,
			'found an object whose "messages" is no list; expected a list of messages.',
			placeAt(text, open ?? start),
			{ pointer: "/messages" },
		);
	}
	let found: readonly Span[] | undefined;
	// Most texts are only read: where each message stands is looked up for writing and for errors.
	const spans = (): readonly Span[] => {
		found ??= elementSpans(text, open);
		return found;
	};
	const startOf = (index: number): number => spans()[index]?.start ?? open;
	for (const [index, message] of list.entries()) {
		const problem = messageProblem(message);
		if (problem === undefined) continue;
		const place = placeAt(text, pointerOffset(text, startOf(index), problem.pointer));
		throw messageError(name, index, problem, place);
	}
	// The list is the caller's from here on; which object stood where must not change with it.
	const originals: readonly unknown[] = [...list];
	return {
		format,
		messages: list as readonly ModelMessage[],
		locate: (index) => placeAt(text, startOf(index)),
		write(output) {
			const style = styleOf(text, open, spans());
			const indexOf = new Map<unknown, number>(originals.map((message, index) => [message, index]));
			const written = output.map((message) => {
				const span = spans()[indexOf.get(message) ?? -1];
				return span === undefined ? stringify(message, style) : text.slice(span.start, span.end);
			});
			const from = spans()[0]?.start ?? open + 1;
			const to = spans().at(-1)?.end ?? from;
			return text.slice(0, from) + written.join(style.separator) + text.slice(to);
		},
		writeLines: (output) => output.map((message) => `${JSON.stringify(message)}\n`).join(""),
	};
}
