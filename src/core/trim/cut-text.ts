import { cutBefore } from "../text/shorten.ts";

/** Of a text that is cut within a line, so many characters must be left, or it says nothing. */
export const LEAST_CHARACTERS = 20;

/** What stands where a line was cut. */
export const ELLIPSIS = "…";

/**
 * The first characters of a text, at most so many UTF-16 units, cut at a word boundary where there is one behind the
 * least that must be left, else between two code points, with an ellipsis. Undefined where less than that is left.
 */
export function cutText(text: string, length: number): string | undefined {
	let end = cutBefore(text, length);
	if (end < text.length && !/\s/.test(text.charAt(end))) {
		// What must be left is counted in code points, of which some take two units.
		const least = Array.from(text.slice(0, 2 * LEAST_CHARACTERS))
			.slice(0, LEAST_CHARACTERS)
			.join("").length;
		let space = end - 1;
		while (space > least && !/\s/.test(text.charAt(space))) space -= 1;
		if (space > least) end = space;
	}
	const kept = text.slice(0, end).trimEnd();
	return Array.from(kept.slice(0, 2 * LEAST_CHARACTERS)).length < LEAST_CHARACTERS
		? undefined
		: kept + ELLIPSIS;
}
