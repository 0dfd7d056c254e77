/** A line that was broken to fit a screen is about this long, or longer. */
const WRAP_COLUMN = 60;

const ENDS_SENTENCE = /[.!?…:;。！？：；][)\]"'”’»*_`]{0,3}$/;
const WIDE = /[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]/;
const CONTINUES = /^[\p{Ll}(,;]/u;

/** Whether a line goes on with the one above it, although it is not indented. */
export function looksWrapped(above: string, line: string): boolean {
	return CONTINUES.test(line) || (above.length >= WRAP_COLUMN && !ENDS_SENTENCE.test(above.slice(-4)));
}

/** A line as it goes on with the one above: behind a space, except between characters that are written without. */
export function joinLines(above: string, line: string): string {
	if (above === "") return line;
	const dense = WIDE.test(above.charAt(above.length - 1)) && WIDE.test(line.charAt(0));
	return dense ? line : ` ${line}`;
}
