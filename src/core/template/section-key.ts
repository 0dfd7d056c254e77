const ASCII = /^[\0-\x7f]*$/;
const ASCII_DECORATION = /[^a-z0-9]+/g;
const DECORATION = /[^\p{L}\p{N}\p{M}]/gu;
// The accents of Latin and Greek letters; the vowel signs of other scripts, which carry the word, lie elsewhere.
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * What two names of a section have in common when they mean the same: letters and digits without case, accents,
 * spaces and punctuation, so that "Key facts", "key_facts", "keyFacts" and "KEY-FACTS" agree.
 */
export function sectionKey(name: string): string {
	if (ASCII.test(name)) {
		const lower = name.toLowerCase();
		const key = lower.replace(ASCII_DECORATION, "");
		return key === "" ? lower.trim() : key;
	}
	// Upper case first, since some letters are told apart in lower case only ("ß" and "ss", the two small sigmas).
	const folded = name
		.normalize("NFKD")
		.replace(ACCENTS, "")
		.toUpperCase()
		.toLowerCase()
		.normalize("NFC")
		.replace(ACCENTS, "");
	const key = folded.replace(DECORATION, "");
	return key === "" ? folded.trim() : key;
}
