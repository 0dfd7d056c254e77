import { wellFormed } from "../core/text/well-formed.ts";
import type { Transcript } from "../formats/transcript.ts";
import type { Reporter } from "./reporter.ts";

const ESCAPE = "\\u";
const HIGH_HALF = /^d[89ab]/i;
const LOW_HALF = /^\\ud[c-f]/i;

/** Whether a JSON text may hold half of a surrogate pair: only written as an escape can it come in. */
function mayHoldLoneSurrogate(text: string): boolean {
	for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, at + ESCAPE.length)) {
		if (LOW_HALF.test(text.slice(at, at + 4))) return true;
		if (!HIGH_HALF.test(text.slice(at + 2, at + 4))) continue;
		if (!LOW_HALF.test(text.slice(at + 6, at + 10))) return true;
		at += 6;
	}
	return false;
}

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
	if (!mayHoldLoneSurrogate(text)) return;
	for (const [index, message] of transcript.messages.entries()) {
		if (!holdsLoneSurrogate(message)) continue;
		const { line } = transcript.locate(index);
		reporter.warn(
			`message ${index} (line ${line}) holds half of a surrogate pair; where it is kept, it stays so.`,
		);
	}
}
