import { CompactionError } from "../errors/compaction-error.ts";

/** A text read from bytes. */
export interface DecodedText {
	readonly text: string;
	/** Whether bytes that are no UTF-8 were read as U+FFFD. */
	readonly replaced: boolean;
}

/**
 * Reads UTF-8, a byte order mark kept.
 * @throws CompactionError TRANSCRIPT_INVALID where the bytes are UTF-16
 */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
	const [first, second] = bytes;
	if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
		throw new CompactionError(
			"TRANSCRIPT_INVALID",
			`Cannot read "${name}": it is written in UTF-16; save it as UTF-8.`,
		);
	}
	try {
		return {
			text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
			replaced: false,
		};
	} catch {
		return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), replaced: true };
	}
}
