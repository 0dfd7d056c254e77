// How far the counter "heuristic" and characters divided by four are from o200k on the halves of the texts that
// were not fitted: over the whole half, and per text of about 2000 and of about 16 000 characters.
// Usage: node_modules/.bin/node bench/tokens/accuracy.ts
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../plugins/counters/estimate-tokens.ts";
import { corpora } from "./corpora.ts";

const AS_TEXT = { disallowedSpecial: new Set<string>() };
const exact = (text: string): number => countTokens(text, AS_TEXT);

function cut(text: string, size: number): string[] {
	const pieces: string[] = [];
	for (let start = 0; start + size <= text.length; start += size)
		pieces.push(text.slice(start, start + size));
	return pieces;
}

const sum = (texts: readonly string[], count: (text: string) => number): number =>
	texts.reduce((total, text) => total + count(text), 0);
const percent = (share: number): string => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)} %`;

/** The error that so many of a hundred texts stay below. */
function errorBelow(pieces: readonly string[], of100: number): string {
	const errors = pieces
		.map((piece) => Math.abs(estimateTokens(piece) / exact(piece) - 1))
		.sort((a, b) => a - b);
	const found = errors[Math.min(errors.length - 1, Math.floor((errors.length * of100) / 100))];
	return found === undefined ? "–" : `${(found * 100).toFixed(0)} %`;
}

console.log(
	"| text (not fitted) | characters per token | characters ÷ 4 | heuristic, documents | as one text | texts of 2000: half, 95 % below | of 16 000 |",
);
console.log("|---|---:|---:|---:|---:|---:|---:|");
for (const [name, { heldOut }] of Object.entries(corpora())) {
	const tokens = sum(heldOut, exact);
	const characters = sum(heldOut, (text) => text.length);
	const whole = heldOut.join("\n");
	const short = heldOut.flatMap((document) => cut(document, 2000));
	const long = cut(whole, 16_000);
	console.log(
		`| ${name} | ${(characters / tokens).toFixed(2)} | ${percent(characters / 4 / tokens - 1)} | ${percent(sum(heldOut, estimateTokens) / tokens - 1)} | ${percent(estimateTokens(whole) / exact(whole) - 1)} | ${errorBelow(short, 50)}, ${errorBelow(short, 95)} | ${errorBelow(long, 50)}, ${errorBelow(long, 95)} |`,
	);
}
