/** The edit distance (Levenshtein) between two words, over their first 64 characters. */
function distance(left: string, right: string): number {
	const a = left.slice(0, 64);
	const b = right.slice(0, 64);
	let row = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let i = 1; i <= a.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= b.length; j += 1) {
			const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}

/** The candidate that a mistyped word most likely meant, or undefined where none is near. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
	let best: string | undefined;
	let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
	for (const candidate of candidates) {
		const found = distance(word.toLowerCase(), candidate.toLowerCase());
		if (found < bestDistance) {
			best = candidate;
			bestDistance = found;
		}
	}
	return best;
}

/** ` Did you mean "x"?` with a leading space, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
	const near = closest(word, candidates);
	return near === undefined ? "" : ` Did you mean "${near}"?`;
}
