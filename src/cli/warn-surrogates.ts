import { wellFormed } from "../core/text/well-formed.ts";
import type { Transcript } from "../formats/transcript.ts";
import type { Reporter } from "./reporter.ts";

/** The escape that a half of a surrogate pair, but a whole one too, may be written as. */
const ESCAPE = /\\u[dD][89a-fA-F]/;

function holdsLoneSurrogate(value: unknown): boolean {
	let isFound = false;
	JSON.stringify(value, (_, inner: unknown) => {
		if (typeof inner === "string" && wellFormed(inner) !== inner) isFound = true;
		return inner;
	});
	return isFound;
}

/** Names messages that some providers would refuse: they hold half of a character. They are kept as they are. */
export function warnOfLoneSurrogates(text: string, transcript: Transcript, reporter: Reporter): void {
	if (!ESCAPE.test(text)) return;
	for (const [index, message] of transcript.messages.entries()) {
		if (!holdsLoneSurrogate(message)) continue;
		const { line } = transcript.locate(index);
		reporter.warn(
			`message ${index} (line ${line}) holds half of a surrogate pair; where it is kept, it stays so.`,
		);
	}
}
