import type { ModelMessage } from "ai";

/** The shapes of transcript files: a JSON array, an object with `messages`, or one message a line. */
export type TranscriptFormat = "array" | "object" | "jsonl";

/** A place in a text, both figures 1-based; columns count UTF-16 units, as editors do. */
export interface Place {
	readonly line: number;
	readonly column: number;
}

/** A transcript that was read from a text, and remembers how it was written there. */
export interface Transcript {
	readonly format: TranscriptFormat;
	readonly messages: readonly ModelMessage[];
	/** Where the message with that index begins. */
	locate(index: number): Place;
	/**
	 * Writes messages in the shape of the text that was read. A message that is one of `messages` (the very
	 * object) is written as it stood there, byte for byte; others in the indentation and with the line ends of
	 * their surroundings. A byte order mark, other keys of the object, and whether the text ends in a line break
	 * stay as they were.
	 */
	write(messages: readonly ModelMessage[]): string;
	/** Writes messages as JSONL, one a line, each line ended; those of a JSONL file as they stood there. */
	writeLines(messages: readonly ModelMessage[]): string;
}
