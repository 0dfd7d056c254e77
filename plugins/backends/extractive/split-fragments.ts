/** A sentence, bullet or line as it stands in a text. */
export interface Fragment {
	readonly text: string;
	/** A line of code or data rather than of speech. */
	readonly code: boolean;
	/** The mark of a task list: open, done, or no task. */
	readonly box: "open" | "done" | undefined;
}

/** The longest fragment in characters; a longer sentence comes apart at its clauses. */
const LONGEST = 280;
const MOST_OF_ONE_LINE = 40_000;

const LIST_MARK = /^(?:[-*+•‣▪]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|>\s?)+/;
const BOX = /^\[([ xX✓-])\]\s+/;

/** The fragments of a text, in its order. Linear in its length. */
export function splitFragments(text: string): readonly Fragment[] {
	const fragments: Fragment[] = [];
	let fenced = false;
	let secret = false;
	let from = 0;
	while (from <= text.length) {
		let to = text.indexOf("\n", from);
		if (to < 0) to = text.length;
		const line = text.slice(from, Math.min(to, from + MOST_OF_ONE_LINE)).trim();
		from = to + 1;
		if (line.length < 2) continue;
		if (line.startsWith("```") || line.startsWith("~~~")) {
			fenced = !fenced;
			continue;
		}
		// The body of a key file is never carried.
		if (line.startsWith("-----")) {
			secret = line.startsWith("-----BEGIN") && !line.includes("-----END");
			continue;
		}
		if (secret) continue;
		addLine(line, fenced, fragments);
	}
	return fragments;
}

function addLine(line: string, fenced: boolean, fragments: Fragment[]): void {
	if (fenced) {
		fragments.push({ text: clip(line), code: true, box: undefined });
		return;
	}
	let text = line.replace(LIST_MARK, "");
	const mark = BOX.exec(text);
	const box = mark === null ? undefined : mark[1] === " " || mark[1] === "-" ? "open" : "done";
	if (mark !== null) text = text.slice(mark[0].length);
	if (!hasLetter(text)) return;
	const code = looksLikeCode(text);
	if (code) {
		fragments.push({ text: clip(text), code, box });
		return;
	}
	for (const sentence of splitSentences(text)) fragments.push({ text: sentence, code, box });
}

function clip(text: string): string {
	if (text.length <= LONGEST) return text;
	const cut = text.slice(0, LONGEST - 1);
	return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function hasLetter(text: string): boolean {
	const length = Math.min(text.length, 400);
	for (let at = 0; at < length; at += 1) {
		const code = text.charCodeAt(at) | 32;
		if (code >= 97 && code <= 122) return true;
		if (code > 127) return /\p{L}/u.test(text.slice(at, 400));
	}
	return false;
}

/** Ends in what statements end in, or opens as tags and data do. */
function looksLikeCode(text: string): boolean {
	const last = text.charCodeAt(text.length - 1);
	// { } ; ,
	if (last === 123 || last === 125 || last === 59) return true;
	const first = text.charCodeAt(0);
	return (first === 60 || first === 123 || first === 125 || first === 124) && text.length > 1;
}

// The look-behind keeps a long run of full stops from being tried from each of them.
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’»)\]*_`]{0,3}\s+|[。！？｡।۔؟]["'”’»」』）]{0,2}\s*/g;
const ABBREVIATION =
	/(?:^|[\s(])(?:\p{L}|\d{1,3}|e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|fig|approx|bzw|z\.b|u\.a|nr)\.\s+$/iu;

/** The sentences of a line, each at most as long as a fragment may be. */
export function splitSentences(line: string): readonly string[] {
	const sentences: string[] = [];
	let from = 0;
	SENTENCE_END.lastIndex = 0;
	for (let match = SENTENCE_END.exec(line); match !== null; match = SENTENCE_END.exec(line)) {
		const end = match.index + match[0].length;
		if (match[0].startsWith(".") && ABBREVIATION.test(line.slice(Math.max(from, match.index - 8), end)))
			continue;
		addSentence(line.slice(from, end).trim(), sentences);
		from = end;
	}
	addSentence(line.slice(from).trim(), sentences);
	return sentences;
}

function addSentence(sentence: string, sentences: string[]): void {
	if (sentence.length <= LONGEST) {
		if (sentence.length > 1 && hasLetter(sentence)) sentences.push(sentence);
		return;
	}
	let from = 0;
	while (from < sentence.length) {
		const end =
			from + LONGEST >= sentence.length ? sentence.length : breakBefore(sentence, from, from + LONGEST);
		const piece = sentence.slice(from, end).trim();
		if (piece.length > 1 && hasLetter(piece)) sentences.push(piece);
		from = end;
	}
}

/** Where to cut at the latest before `limit`: after a clause, else at white space, else between code points. */
function breakBefore(text: string, from: number, limit: number): number {
	let space = -1;
	for (let at = limit; at > from + (LONGEST >> 1); at -= 1) {
		const sign = text[at - 1] ?? "";
		if (",;:，、；：".includes(sign)) return at;
		if (space < 0 && /\s/.test(sign)) space = at;
	}
	if (space > 0) return space;
	const code = text.charCodeAt(limit);
	return code >= 0xdc00 && code < 0xe000 ? limit - 1 : limit;
}
