import { CUT_MARK } from "../render/fixed-lines.ts";
import { cutText, ELLIPSIS } from "./cut-text.ts";
import type { Cuttable, Fitted } from "./fit-lines.ts";
import type { PlacedSummary } from "./place-entries.ts";

/**
 * The longest text of at most so many characters, in UTF-16 units, that leading whole lines make; nothing needs to
 * be measured, and only the lines that are kept are looked at. Undefined where none fits.
 */
export function fitCharacters(source: Cuttable & PlacedSummary, most: number): Fitted | undefined {
	const { lines, cuts, first } = source;
	if (source.whole && source.length <= most) {
		return { text: lines.join("\n"), kept: lines.length, trimmed: false };
	}
	// All lines but the last few were placed because they fit; those are taken away again.
	let length = source.length;
	let kept = lines.length;
	for (let cut = cuts.length - 1; cut >= 0 && !(length + CUT_MARK.length <= most); cut -= 1) {
		const to = cuts[cut - 1] ?? 0;
		while (kept > to) {
			kept -= 1;
			length -= (lines[kept]?.length ?? 0) + 1;
		}
	}
	if (kept > 0) return { text: lines.slice(0, kept).join("\n") + CUT_MARK, kept, trimmed: true };
	if (first === undefined) return undefined;
	const head = lines.slice(0, first.start).join("\n");
	const entry = lines.slice(first.start, first.end).join("\n");
	const marks = entry.slice(0, first.from);
	const room = most - head.length - 1 - marks.length - ELLIPSIS.length - CUT_MARK.length;
	const text = entry.slice(first.from);
	const rest = cutText(text, Math.min(room, text.length - 1));
	if (rest === undefined) return undefined;
	return { text: `${head}\n${marks}${rest}${CUT_MARK}`, kept: first.start, rest, trimmed: true };
}
