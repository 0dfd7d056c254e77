/** Which end of a text is kept. */
export type Keep = "both" | "head" | "tail";

/** Rounds of measuring and cutting; each one brings the text to its budget or close above it. */
const ROUNDS = 8;

/** Moves a position off the middle of a surrogate pair. */
function wholeCodePoint(text: string, at: number): number {
	const unit = text.charCodeAt(at);
	return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at;
}

function cutTo(text: string, characters: number, keep: Keep): string {
	const headLength = keep === "head" ? characters : keep === "tail" ? 0 : Math.ceil(characters / 2);
	const head = wholeCodePoint(text, headLength);
	// Rounded down towards the head, the tail begins with a whole code point and is never shorter than asked.
	const tail = wholeCodePoint(text, text.length - (characters - headLength));
	const marker = `[… ${tail - head} of ${text.length} characters cut …]`;
	return [text.slice(0, head), marker, text.slice(tail)].filter((piece) => piece !== "").join("\n");
}

/**
 * Shortens a text to a number of tokens, marker included, and says in it how many characters were cut. The cut
 * never falls inside a code point. Where not even the marker fits, the marker alone is left.
 */
export function shortenText(
	text: string,
	maxTokens: number,
	keep: Keep,
	countTokens: (text: string) => number,
): string {
	let tokens = countTokens(text);
	if (tokens <= maxTokens) return text;
	let characters = text.length;
	let shortened = text;
	for (let round = 0; round < ROUNDS && tokens > maxTokens && characters > 0; round += 1) {
		// The share that fits, a little less each time, since the marker costs as well.
		characters = Math.floor(characters * Math.min(0.95, (maxTokens / tokens) * (1 - round / ROUNDS / 2)));
		shortened = cutTo(text, characters, keep);
		tokens = countTokens(shortened);
	}
	return tokens <= maxTokens ? shortened : cutTo(text, 0, keep);
}
