import type { ModelMessage } from "ai";
import type { Part } from "../core/transcript/message.ts";
import { assistant, call, reasoning, result, system, tool, user } from "./builders.ts";

/** Numbers in [0, 1) that are the same for the same seed (mulberry32, a public-domain generator). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const WORDS =
	"the crate list shelf box count order label dock ramp scale pallet gate lamp north 仓库 箱子 étagère 🚚 src/stock.ts E404".split(
		" ",
	);

/**
 * A transcript with what real ones have: leading system messages, parallel calls, failed results, reused ids,
 * reasoning, calls that nobody answered, approvals, parts that nobody knows. The same seed gives the same one.
 * @param turns how many turns of the user it has
 */
export function generateTranscript(seed: number, turns = 12): ModelMessage[] {
	const random = seededRandom(seed);
	const below = (limit: number): number => Math.floor(random() * limit);
	const chance = (share: number): boolean => random() < share;
	const words = (count: number): string =>
		Array.from({ length: count }, () => WORDS[below(WORDS.length)] ?? "crate").join(" ");
	const out: ModelMessage[] = [];
	if (chance(0.7)) out.push(system(`Rules: ${words(20)}`));
	if (chance(0.2)) out.push(system(`More rules: ${words(10)}`));
	let calls = 0;
	const nextId = (): string => (chance(0.15) ? `call-${below(3)}` : `call-${seed}-${calls++}`);
	for (let turn = 0; turn < turns; turn += 1) {
		out.push(user(`Turn ${turn}: ${words(10 + below(60))}?`));
		for (let step = below(4); step > 0; step -= 1) {
			const ids = Array.from({ length: 1 + below(3) }, nextId).filter(
				(id, index, all) => all.indexOf(id) === index,
			);
			const parts: Part[] = ids.map((id) => call(id, "readLabel", { shelf: words(2) }));
			if (chance(0.4)) parts.unshift(reasoning(words(12)));
			if (chance(0.3)) parts.unshift({ type: "text", text: words(8) });
			if (chance(0.1)) parts.push({ type: "x-unknown", text: words(3) });
			out.push(assistant(...parts));
			if (chance(0.06)) break;
			const results = ids.map((id) => result(id, "readLabel", words(5 + below(120)), chance(0.15)));
			if (chance(0.5)) out.push(tool(...results));
			else for (const part of results) out.push(tool(part));
		}
		if (turn < turns - 1 || chance(0.5)) out.push(assistant(words(10 + below(60))));
		if (chance(0.08)) out.push(system(`Note: ${words(5)}`));
	}
	return out;
}
