import type { Message } from "../transcript/message.ts";
import { piecesOf } from "./pieces.ts";
import { JOINT, scanTokens } from "./scan-tokens.ts";

/** What makes room. */
export interface DropLinesInput {
	/** The messages that the text summarizes: a line that repeats the user's own words is worth more. */
	readonly evicted: readonly Message[];
	/** The most tokens that the text may have. */
	readonly tokens: number;
	countTokens(text: string): number;
}

/** What a line says: plain words, names, and runs of three of the user's words. */
interface Line {
	readonly text: string;
	readonly items: readonly string[];
	readonly cost: number;
	readonly worth: number;
	/** The block of code that the line belongs to. */
	readonly block: number | undefined;
	readonly isFence: boolean;
}

/** A block of code: where its fences stand, and how many of its lines are left. */
interface Block {
	readonly fences: number[];
	left: number;
}

/** A word that other lines say too. */
const REPEATED = 0.1;
/** A name: the ledger lists those that count. */
const NAME = 0.2;
/** Three words in a row as the user wrote them. */
const USER_WORDS = 3;
const CODE = 0.3;
const USER_MARK = "\u0000";
/** Characters of a user's message that are looked at: what is pasted after them is seldom the user's own. */
const MOST_OF_USER = 20_000;

/**
 * Leaves out the lines that say least, wherever they stand, until the text has at most so many tokens by the sum of
 * its lines: those that repeat others, code, names that a ledger lists. The first line stays, and so do the fences of
 * code of which a line stays. A text that fits comes back as it is.
 */
export function dropLines(text: string, input: DropLinesInput): string {
	if (input.countTokens(text) <= input.tokens) return text;
	const lines = readLines(text, userRuns(input.evicted), input.countTokens);
	const said = new Map<string, number>();
	for (const { items } of lines) for (const item of items) said.set(item, (said.get(item) ?? 0) + 1);
	const value = (line: Line): number => {
		let sum = 0;
		for (const item of line.items) {
			const times = said.get(item) ?? 1;
			const weight = item.startsWith(USER_MARK) ? USER_WORDS : isName(item) ? NAME : 1;
			sum += times === 1 ? weight : (weight * REPEATED) / times;
		}
		return (sum * line.worth) / line.cost;
	};
	const dropped = new Set<number>();
	let total = lines.reduce((sum, { cost }) => sum + cost, 0);
	const drop = (index: number): void => {
		const line = lines[index];
		if (line === undefined || dropped.has(index)) return;
		dropped.add(index);
		total -= line.cost;
		for (const item of line.items) said.set(item, (said.get(item) ?? 1) - 1);
	};
	const blocks = blocksOf(lines);
	// What marks code as code stays as long as any of the code does.
	const isTied = ({ block, isFence }: Line): boolean => isFence && (blocks.get(block)?.left ?? 0) > 0;
	const free = lines.flatMap((line, index) => (index > 0 && !isTied(line) ? [index] : []));
	let queue = free.map((index) => ({ index, value: valueAt(lines, index, value) }));
	// A line gains worth when another that says the same is gone; so worths are taken anew in rounds.
	while (total > input.tokens && queue.length > 0) {
		queue.sort((left, right) => left.value - right.value || right.index - left.index);
		const batch = Math.max(1, Math.ceil(queue.length / 50));
		for (const { index } of queue.slice(0, batch)) {
			if (total <= input.tokens) break;
			drop(index);
			const block = blocks.get(lines[index]?.block);
			if (block === undefined) continue;
			if (lines[index]?.isFence === false) block.left -= 1;
			if (block.left === 0) for (const fence of block.fences) if (fence > 0) drop(fence);
		}
		queue = queue
			.filter(({ index }) => !dropped.has(index))
			.map(({ index }) => ({ index, value: valueAt(lines, index, value) }));
	}
	return lines
		.filter((_, index) => !dropped.has(index))
		.map((line) => line.text)
		.join("\n");
}

function blocksOf(lines: readonly Line[]): ReadonlyMap<number | undefined, Block> {
	const blocks = new Map<number | undefined, Block>();
	for (const [index, { block, isFence }] of lines.entries()) {
		if (block === undefined) continue;
		const known = blocks.get(block) ?? { fences: [], left: 0 };
		blocks.set(block, known);
		if (isFence) known.fences.push(index);
		else known.left += 1;
	}
	return blocks;
}

function valueAt(lines: readonly Line[], index: number, value: (line: Line) => number): number {
	const line = lines[index];
	return line === undefined ? 0 : value(line);
}

function wordsOf(text: string): readonly string[] {
	const words: string[] = [];
	scanTokens(text, (token, classes) => {
		const bare = (classes & JOINT) === 0 ? token : token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
		if (bare !== "") words.push(bare.toLowerCase());
	});
	return words;
}

function isName(word: string): boolean {
	return !/^\p{L}+$/u.test(word);
}

function runsOf(words: readonly string[]): readonly string[] {
	return words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`);
}

function userRuns(messages: readonly Message[]): ReadonlySet<string> {
	const runs = new Set<string>();
	for (const message of messages)
		for (const { voice, text } of piecesOf(message))
			if (voice === "user") for (const run of runsOf(wordsOf(text.slice(0, MOST_OF_USER)))) runs.add(run);
	return runs;
}

function readLines(
	text: string,
	runs: ReadonlySet<string>,
	countTokens: (text: string) => number,
): readonly Line[] {
	let fenced = false;
	let block = 0;
	return text.split("\n").map((line) => {
		const isFence = line.trimStart().startsWith("```");
		const isCode = fenced || isFence;
		if (isFence) {
			if (!fenced) block += 1;
			fenced = !fenced;
		}
		const words = wordsOf(line.slice(0, MOST_OF_USER));
		const items = new Set(words.filter((word) => word.length > 2));
		for (const run of runsOf(words)) if (runs.has(run)) items.add(`${USER_MARK}${run}`);
		return {
			text: line,
			items: [...items],
			cost: Math.max(1, countTokens(`${line}\n`)),
			worth: isCode ? CODE : 1,
			block: isCode ? block : undefined,
			isFence,
		};
	});
}
