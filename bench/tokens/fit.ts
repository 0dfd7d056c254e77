// Fits the weights of the counter "heuristic" on the fitted halves of the texts and prints them as a module.
// Usage: node_modules/.bin/node bench/tokens/fit.ts > plugins/counters/token-weights.ts
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { ASCII, BLOCKS, CHARACTER_CLASSES } from "../../plugins/counters/character-classes.ts";
import { corpora } from "./corpora.ts";

const PIECE = 600;
const PIECES_PER_KIND = 400;
/** Pulls weights that few texts speak of towards a guess. */
const PULL = 2e-5;
const AS_TEXT = { disallowedSpecial: new Set<string>() };
const classes: number = CHARACTER_CLASSES.length;
const size: number = classes * classes;
const at = (name: (typeof CHARACTER_CLASSES)[number]): number => CHARACTER_CLASSES.indexOf(name);

/** How often each class follows each other class. */
function pairsOf(text: string): Float64Array {
	const pairs = new Float64Array(size);
	let before = at("newline");
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		const found = (unit < 128 ? ASCII[unit] : BLOCKS[unit >> 6]) ?? 0;
		pairs[before * classes + found] = (pairs[before * classes + found] ?? 0) + 1;
		before = found;
	}
	return pairs;
}

function guess(before: number, found: number): number {
	if (found === at("lower")) return before === found ? 0.1 : 0.5;
	if (found === at("space")) return 0.1;
	if (found === at("cyrillic")) return 0.25;
	return found === at("han") ? 0.65 : 0.5;
}

function piecesOf(documents: readonly string[]): string[] {
	const pieces: string[] = [];
	for (const document of documents)
		for (let start = 0; start + PIECE / 2 < document.length; start += PIECE)
			pieces.push(document.slice(start, start + PIECE));
	const step = Math.max(1, pieces.length / PIECES_PER_KIND);
	return Array.from(
		{ length: Math.min(pieces.length, PIECES_PER_KIND) },
		(_, index) => pieces[Math.floor(index * step)] ?? "",
	);
}

/** Weights of at least 0 that make the squares of the relative errors least, by coordinate descent. */
function fitWeights(): Float64Array {
	const products = new Float64Array(size * size);
	const aims = new Float64Array(size);
	for (const { fitted, share } of Object.values(corpora())) {
		const pieces = piecesOf(fitted);
		for (const piece of pieces) {
			const tokens = countTokens(piece, AS_TEXT);
			const weight = share / (tokens * tokens * pieces.length);
			const pairs = pairsOf(piece);
			const present = [...pairs.keys()].filter((pair) => pairs[pair] !== 0);
			for (const left of present) {
				const scaled = weight * (pairs[left] ?? 0);
				aims[left] = (aims[left] ?? 0) + scaled * tokens;
				for (const right of present)
					products[left * size + right] = (products[left * size + right] ?? 0) + scaled * (pairs[right] ?? 0);
			}
		}
	}
	const weights = Float64Array.from({ length: size }, (_, pair) =>
		guess(Math.floor(pair / classes), pair % classes),
	);
	for (let pair = 0; pair < size; pair += 1) {
		products[pair * size + pair] = (products[pair * size + pair] ?? 0) + PULL;
		aims[pair] = (aims[pair] ?? 0) + PULL * (weights[pair] ?? 0);
	}
	for (let round = 0; round < 3000; round += 1) {
		let moved = 0;
		for (let pair = 0; pair < size; pair += 1) {
			let gap = aims[pair] ?? 0;
			for (let other = 0; other < size; other += 1)
				gap -= (products[pair * size + other] ?? 0) * (weights[other] ?? 0);
			const old = weights[pair] ?? 0;
			const better = Math.max(0, old + gap / (products[pair * size + pair] ?? 1));
			moved = Math.max(moved, Math.abs(better - old));
			weights[pair] = better;
		}
		if (moved < 1e-5) break;
	}
	return weights;
}

const weights: Float64Array = fitWeights();
const rows: string[] = CHARACTER_CLASSES.map((name, before) => {
	const row = Array.from(weights.subarray(before * classes, (before + 1) * classes), (weight) =>
		Math.round(weight * 1000),
	);
	return `\t// after ${name}\n\t${row.join(", ")},\n`;
});
console.log(`// Printed by bench/tokens/fit.ts. Do not edit.

/**
 * Thousandths of an o200k token that a character costs, by the class of the character before it (rows) and by its
 * own (columns).
 */
// biome-ignore format: a table
export const TOKEN_WEIGHTS: readonly number[] = [
${rows.join("")}];`);
