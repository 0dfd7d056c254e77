/**
 * A byte pair encoder is quadratic in the length of a run that it cannot split; longer ones are cut here. Rows of
 * spaces and signs in its vocabulary have powers of two for lengths.
 */
const MAX_RUN = 1024;

type RunClass = "letter" | "digit" | "space" | "other";

/** What an encoder keeps together: letters of any script, or white space, or punctuation. */
function classOf(unit: number): RunClass {
	if (unit < 128) {
		if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)) return "letter";
		if (unit >= 48 && unit <= 57) return "digit";
		return unit === 32 || (unit >= 9 && unit <= 13) ? "space" : "other";
	}
	if (unit === 0xa0 || unit === 0x3000 || unit === 0x2028 || unit === 0x2029) return "space";
	const isPunctuation =
		(unit >= 0x2010 && unit <= 0x205e) ||
		(unit >= 0x3001 && unit <= 0x303f) ||
		(unit >= 0xff01 && unit <= 0xff0f) ||
		(unit >= 0xff1a && unit <= 0xff20);
	return isPunctuation ? "other" : "letter";
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Cuts a text inside of runs of letters, of white space or of punctuation that are longer than 1024 characters, so
 * that encoding all pieces is linear; a text without such runs comes back whole. Surrogate pairs stay together.
 */
export function splitLongRuns(text: string): readonly string[] {
	const pieces: string[] = [];
	let pieceStart = 0;
	let runStart = 0;
	let runClass: RunClass | undefined;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		const found = classOf(unit);
		if (found !== runClass) {
			runClass = found;
			runStart = index;
		} else if (index - runStart >= MAX_RUN && !isLowSurrogate(unit)) {
			pieces.push(text.slice(pieceStart, index));
			pieceStart = index;
			runStart = index;
		}
	}
	pieces.push(pieceStart === 0 ? text : text.slice(pieceStart));
	return pieces;
}
