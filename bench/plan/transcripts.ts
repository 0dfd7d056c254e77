// Transcripts of a coding agent, made up from a fixed seed: turns of a user, calls (some parallel) with their
// results, reasoning, talk. They are read back from JSON, so that strings and objects lie in memory as a host's do.
import type { ModelMessage } from "ai";

const WORDS: readonly string[] =
	"the crate list shelf hall order count open closed north south urgent manual review customer invoice stock check file module test result error value number please look into whether this still holds before we ship it and then report back with what you found in there".split(
		" ",
	);

/** Numbers from a fixed seed. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

/** A transcript of so many messages, a system message first. */
export function makeTranscript(size: number, seed = 1): ModelMessage[] {
	const next = random(seed);
	const below = (limit: number): number => Math.floor(next() * limit);
	const word = (): string => WORDS[below(WORDS.length)] ?? "crate";
	const talk = (least: number, most: number): string =>
		Array.from({ length: least + below(most - least) }, word).join(" ");
	const path = (): string => `src/${word()}/${word()}-${word()}.ts`;
	const code = (lines: number): string =>
		Array.from(
			{ length: lines },
			(_, line) =>
				`${line + 1}\t${"  ".repeat(below(4))}const ${word()}${below(100)} = ${word()}(${word()}, "${word()}");`,
		).join("\n");
	const messages: ModelMessage[] = [{ role: "system", content: talk(200, 300) }];
	let calls = 0;
	while (messages.length < size) {
		messages.push({ role: "user", content: talk(5, 80) });
		const rounds = 2 + below(8);
		for (let round = 0; round < rounds; round += 1) {
			const parallel = next() < 0.15 ? 2 : 1;
			const ids = Array.from({ length: parallel }, () => {
				calls += 1;
				return `call_${calls.toString(36).padStart(8, "0")}`;
			});
			messages.push({
				role: "assistant",
				content: [
					...(next() < 0.3 ? [{ type: "reasoning" as const, text: talk(10, 80) }] : []),
					...(next() < 0.6 ? [{ type: "text" as const, text: talk(5, 40) }] : []),
					...ids.map((toolCallId) => ({
						type: "tool-call" as const,
						toolCallId,
						toolName: next() < 0.5 ? "read_file" : "run_command",
						input:
							next() < 0.5
								? { path: path(), offset: below(400), limit: 80 }
								: { command: `grep -rn "${word()}" ${path()}`, description: talk(3, 8) },
					})),
				],
			});
			messages.push({
				role: "tool",
				content: ids.map((toolCallId) => ({
					type: "tool-result" as const,
					toolCallId,
					toolName: "read_file",
					output:
						next() < 0.2
							? {
									type: "json" as const,
									value: {
										ok: true,
										matches: Array.from({ length: below(6) }, () => ({ path: path(), line: below(900) })),
									},
								}
							: { type: "text" as const, value: code(3 + below(next() < 0.1 ? 200 : 25)) },
				})),
			});
		}
		messages.push({ role: "assistant", content: talk(10, 120) });
	}
	messages.length = size;
	return copyOf(messages);
}

/** The same transcript in objects and strings of its own. */
export function copyOf(messages: readonly ModelMessage[]): ModelMessage[] {
	const copy: ModelMessage[] = [];
	for (let start = 0; start < messages.length; start += 500)
		copy.push(...(JSON.parse(JSON.stringify(messages.slice(start, start + 500))) as ModelMessage[]));
	return copy;
}

/** The reference: one pass that sums the lengths of all strings. */
export function sumLengths(value: unknown): number {
	if (typeof value === "string") return value.length;
	if (typeof value !== "object" || value === null) return 0;
	let sum = 0;
	if (Array.isArray(value)) {
		for (const item of value) sum += sumLengths(item);
		return sum;
	}
	for (const key in value) sum += sumLengths((value as Readonly<Record<string, unknown>>)[key]);
	return sum;
}
