/** Whether a cut before this index would part the two halves of a code point. */
function partsPair(text: string, index: number): boolean {
	const before = text.charCodeAt(index - 1);
	const after = text.charCodeAt(index);
	return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The nearest place at or before an index, in UTF-16 units, where a text may be cut. */
export function cutBefore(text: string, index: number): number {
	if (index <= 0) return 0;
	if (index >= text.length) return text.length;
	return partsPair(text, index) ? index - 1 : index;
}

/** A cut shorter than the note about it would win nothing. */
const NOTE_LENGTH = 40;

/**
 * A text of at most so many UTF-16 units beside the note: its head and its tail, and between them a note that
 * says how much was cut, in ASCII: one other character would double the memory of all that it is put together with.
 * What is hardly longer is returned as it is.
 */
export function shortenMiddle(text: string, maxLength: number): string {
	if (text.length <= maxLength + NOTE_LENGTH) return text;
	const head = cutBefore(text, Math.ceil(maxLength * 0.6));
	const tail = cutBefore(text, text.length - Math.floor(maxLength * 0.4));
	return `${text.slice(0, head)} [... ${tail - head} characters cut ...] ${text.slice(tail)}`;
}
