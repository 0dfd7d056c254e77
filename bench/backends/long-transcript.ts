// A transcript of 30 MB, compacted by a model with a window of 32768 tokens, over the real provider package and a server
// on loopback that counts every request and refuses what is over the window. On Node 22.18 or newer:
// `node bench/backends/long-transcript.ts [MB]`
import type { ModelMessage } from "ai";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createCompactor } from "../../src/flow/create-compactor.ts";
import { type LoopbackRequest, loopbackProvider } from "../../src/testing/loopback-provider.ts";

const WINDOW = 32_768;
const PIECE = 1000;
const SIZE = Number(process.argv[2] ?? 30) * 1_000_000;
const WORDS =
	'the agent read src/flow/compact.ts and found an error in parse-summary.ts at line 42; it ran the tests again, 17 of 18 passed in 3.2 s {"id": "a1b2c3", "ok": true, "path": "/srv/archive/box-14"}'.split(
		" ",
	);

/** Words in an order that is the same at every run. */
function textOf(seed: number, length: number): string {
	const words: string[] = [];
	let state = seed + 1;
	for (let size = 0; size < length; ) {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		const word = WORDS[state % WORDS.length] ?? "";
		words.push(word);
		size += word.length + 1;
	}
	return words.join(" ");
}

function transcriptOf(size: number): ModelMessage[] {
	const messages: ModelMessage[] = [];
	for (let made = 0, turn = 0; made < size; made += 28_000, turn += 1) {
		const call = { toolCallId: `call-${turn}`, toolName: "read" };
		messages.push(
			{ role: "user", content: textOf(turn, 2000) },
			{
				role: "assistant",
				content: [
					{ type: "text", text: textOf(turn + 7, 3000) },
					{ type: "tool-call", ...call, input: { path: `box-${turn}` } },
				],
			},
			{
				role: "tool",
				content: [
					{ type: "tool-result", ...call, output: { type: "text", value: textOf(turn + 13, 20_000) } },
				],
			},
			{ role: "assistant", content: textOf(turn + 23, 3000) },
		);
	}
	return messages;
}

/** Tokens of a request's texts, and of the answer that it leaves room for. */
function tokensOf({ body }: LoopbackRequest): number {
	const texts = (body.messages as readonly { readonly content: string }[]).map(({ content }) => content);
	let tokens = Number(body.max_tokens);
	for (const text of texts) {
		for (let at = 0; at < text.length; at += PIECE)
			tokens += countTokens(text.slice(at, at + PIECE), { disallowedSpecial: new Set() });
	}
	return tokens;
}

let largest = 0;
let refused = 0;
const server = await loopbackProvider({
	check(request) {
		const tokens = tokensOf(request);
		largest = Math.max(largest, tokens);
		if (tokens <= WINDOW) return undefined;
		refused += 1;
		return `This model's maximum context length is ${WINDOW} tokens; the request has ${tokens}.`;
	},
});
server.push(
	...Array.from({ length: 10_000 }, (_, index) => ({
		text: `### Key facts\n- Box ${index} was read and its 14 lines were checked\n\n### Pending tasks\n- Read box ${index + 1}`,
	})),
);
const messages = transcriptOf(SIZE);
const started = performance.now();
const compactor = await createCompactor({
	strategy: { use: "summarize-older", keepLast: 4 },
	backend: {
		use: "ai-sdk",
		model: "openai-compatible/loopback",
		baseURL: `${server.url}/v1`,
		window: WINDOW,
	},
});
const { status, usage, tokens } = await compactor.compact(messages);
const seconds = (performance.now() - started) / 1000;
await server.close();
console.log(
	`${(SIZE / 1e6).toFixed(0)} MB in ${messages.length} messages: ${status}, ${tokens.before} → ${tokens.after} tokens`,
);
console.log(
	`${usage.calls} calls, ${server.requests.length} requests, ${refused} refused as over the window`,
);
console.log(`largest request ${largest} of ${WINDOW} tokens, room for the answer included`);
console.log(
	`${seconds.toFixed(1)} s, ours and the server's; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB resident`,
);
if (refused > 0) process.exitCode = 1;
