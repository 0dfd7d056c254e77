import type { ShapeProblem } from "../core/transcript/check-transcript.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { Place } from "./transcript.ts";

/** The place of an offset in a text. */
export function placeAt(text: string, offset: number): Place {
	let line = 1;
	let start = 0;
	for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", start)) {
		line += 1;
		start = at + 1;
	}
	// A byte order mark is no column that anybody sees.
	const hidden = line === 1 && text.startsWith("\uFEFF") ? 1 : 0;
	return { line, column: Math.max(1, offset - start + 1 - hidden) };
}

/** An error about the text of a transcript, with its place where there is one. */
export function transcriptError(
	name: string,
	what: string,
	place?: Place,
	options: { readonly pointer?: string; readonly cause?: unknown } = {},
): CompactionError {
	const where = place === undefined ? "" : `line ${place.line}, column ${place.column}: `;
	return new CompactionError("TRANSCRIPT_INVALID", `Cannot read the transcript "${name}": ${where}${what}`, {
		cause: options.cause,
		problems: [{ message: `${name}: ${where}${what}`, pointer: options.pointer ?? "", ...place }],
	});
}

/** An error about the form of one message. */
export function messageError(
	name: string,
	index: number,
	{ pointer, what }: ShapeProblem,
	place: Place,
): CompactionError {
	const full = `/${index}${pointer}`;
	return transcriptError(name, `message ${index} at "${full}" ${what}.`, place, { pointer: full });
}
