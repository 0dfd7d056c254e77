// What a step costs at which nothing is compacted: prepareStep before each model call, over a history that grows.
// Usage: node_modules/.bin/node bench/agent/run.ts [MESSAGES…]
import { performance } from "node:perf_hooks";
import type { ModelMessage } from "ai";
import { compactionFor, compactionMiddleware } from "../../src/ai-sdk.ts";

const STEPS = 400;
const FILLER = "The labels were read from left to right, and every crate stood where the list says. ".repeat(
	3,
);
const given = process.argv
	.slice(2)
	.map(Number)
	.filter((size) => size > 0);
const sizes = given.length > 0 ? given : [200, 2000, 20_000];

function turn(index: number): ModelMessage[] {
	const toolCallId = `call-${index}`;
	return [
		{
			role: "assistant",
			content: [{ type: "tool-call", toolCallId, toolName: "count", input: { shelf: index } }],
		},
		{
			role: "tool",
			content: [
				{
					type: "tool-result",
					toolCallId,
					toolName: "count",
					output: { type: "text", value: `${index}: ${FILLER}` },
				},
			],
		},
	];
}

function history(messages: number): ModelMessage[] {
	const out: ModelMessage[] = [{ role: "user", content: "Count every shelf." }];
	for (let index = 0; out.length < messages; index += 1) out.push(...turn(index));
	return out;
}

const quantile = (sorted: readonly number[], share: number): number =>
	sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const shown = (times: number[]): string => {
	const sorted = times.toSorted((left, right) => left - right);
	return [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(3)).join(" | ");
};

/** A loop as the AI SDK runs one: the messages are a new list at each step, their objects stay. */
async function steps(size: number, summary: boolean): Promise<string> {
	const tokens = size * 100;
	let passes = 0;
	const compaction = await compactionFor(
		{
			tokens: { window: summary ? tokens : tokens * 10 },
			trigger: { use: "tokens", max: summary ? Math.round(size * 30) : tokens * 8 },
			strategy: { use: "summarize-older", keepLast: Math.round(size / 4) },
		},
		{
			backend: { summarize: async () => ({ text: "Some shelves were counted." }) },
			onEvent: ({ type }) => {
				if (type === "started") passes += 1;
			},
		},
	);
	const messages = history(size);
	const model = { provider: "local", modelId: "m", doGenerate: async () => ({}), doStream: async () => ({}) };
	const past: object[] = [];
	const times: number[] = [];
	for (let step = 0; step < STEPS; step += 1) {
		const input = { model, steps: past, stepNumber: step, messages: [...messages] };
		const before = passes;
		const begin = performance.now();
		const { messages: sent = input.messages } = await compaction.prepareStep(input);
		const took = performance.now() - begin;
		// The first step counts all messages once; a step that makes a summary is not what is measured.
		if (step > 0 && passes === before) times.push(took);
		messages.push(...turn(size + step));
		past.push({ usage: { inputTokens: 40 * sent.length } });
	}
	if (summary !== passes > 0) throw new Error("this is not what was to be measured");
	return shown(times);
}

/** A host that sends the whole history in new objects each time, through a wrapped model. */
async function wrapped(size: number): Promise<string> {
	const middleware = compactionMiddleware({
		tokens: { window: size * 1000 },
		strategy: { use: "summarize-older" },
	});
	const json = JSON.stringify(history(size));
	const model = { provider: "local", modelId: "m", doGenerate: async () => ({ usage: {} }) };
	const times: number[] = [];
	for (let call = 0; call < 40; call += 1) {
		const params = { prompt: JSON.parse(json) };
		const begin = performance.now();
		await middleware.wrapGenerate({ params, model });
		if (call > 4) times.push(performance.now() - begin);
	}
	return shown(times);
}

console.log("| milliseconds added | messages | median | 95 % | most |\n|---|---:|---:|---:|---:|");
for (const size of sizes) {
	console.log(`| step, nothing compacted yet | ${size} | ${await steps(size, false)} |`);
	console.log(`| step, a summary in place | ${size} | ${await steps(size, true)} |`);
	console.log(`| call of a wrapped model, all objects new | ${size} | ${await wrapped(size)} |`);
}
