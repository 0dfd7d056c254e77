import {
	DEFAULT_USAGE,
	type LoopbackAnswer,
	type LoopbackEvent,
	piecesOf,
	type WireFormat,
} from "./answer.ts";

type Body = Readonly<Record<string, unknown>>;
type Block = Readonly<Record<string, unknown>> & { readonly type: string };

const STOP = {
	stop: "end_turn",
	length: "max_tokens",
	"content-filter": "refusal",
	"tool-calls": "tool_use",
} as const;

/** The tool that a request forces: how models without structured output are asked for JSON. */
function forcedTool({ tool_choice: choice }: Body): string | undefined {
	const name = typeof choice === "object" && choice !== null ? (choice as Body).name : undefined;
	return typeof name === "string" ? name : undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function blocksOf(answer: LoopbackAnswer, body: Body): readonly Block[] {
	const blocks: Block[] = [];
	if (answer.reasoning !== undefined)
		blocks.push({ type: "thinking", thinking: answer.reasoning, signature: "c2lnbmF0dXJl" });
	const text = answer.text ?? answer.refusal;
	const tool = forcedTool(body);
	const input = tool === undefined || text === undefined ? undefined : parsed(text);
	if (input !== undefined) blocks.push({ type: "tool_use", id: "toolu_json", name: tool, input });
	else if (text !== undefined) blocks.push({ type: "text", text });
	for (const { toolCallId, toolName, input: given } of answer.toolCalls ?? [])
		blocks.push({ type: "tool_use", id: toolCallId, name: toolName, input: given });
	return blocks;
}

function stopOf({ finishReason, refusal }: LoopbackAnswer, blocks: readonly Block[]): string {
	if (finishReason !== undefined) return STOP[finishReason];
	if (refusal !== undefined) return STOP["content-filter"];
	return blocks.some(({ type }) => type === "tool_use") ? STOP["tool-calls"] : STOP.stop;
}

/** Anthropic counts what comes from and goes to the cache apart. */
function usageOf({ usage = DEFAULT_USAGE }: LoopbackAnswer): Readonly<Record<string, number>> {
	const read = usage.cacheRead ?? 0;
	const write = usage.cacheWrite ?? 0;
	return {
		input_tokens: usage.input - read - write,
		cache_read_input_tokens: read,
		cache_creation_input_tokens: write,
		output_tokens: usage.output,
	};
}

function head({ model }: Body): object {
	return { id: "msg_loopback", type: "message", role: "assistant", model, stop_sequence: null };
}

function eventsOf(block: Block, index: number): readonly LoopbackEvent[] {
	const delta = (data: object): LoopbackEvent => ({
		event: "content_block_delta",
		data: { type: "content_block_delta", index, delta: data },
	});
	const text = (key: string): readonly string[] => piecesOf(String(block[key] ?? ""));
	const [bare, deltas]: [object, readonly LoopbackEvent[]] =
		block.type === "text"
			? [{ type: "text", text: "" }, text("text").map((piece) => delta({ type: "text_delta", text: piece }))]
			: block.type === "thinking"
				? [
						{ type: "thinking", thinking: "", signature: "" },
						[
							...text("thinking").map((piece) => delta({ type: "thinking_delta", thinking: piece })),
							delta({ type: "signature_delta", signature: block.signature }),
						],
					]
				: [
						{ ...block, input: {} },
						[delta({ type: "input_json_delta", partial_json: JSON.stringify(block.input) })],
					];
	return [
		{
			event: "content_block_start",
			data: { type: "content_block_start", index, content_block: bare },
		},
		...deltas,
		{ event: "content_block_stop", data: { type: "content_block_stop", index } },
	];
}

/** Anthropic messages. */
export const messagesWire: WireFormat = {
	whole(answer, body) {
		const content = blocksOf(answer, body);
		return { ...head(body), content, stop_reason: stopOf(answer, content), usage: usageOf(answer) };
	},
	streamed(answer, body) {
		const blocks = blocksOf(answer, body);
		const { output_tokens, ...input } = usageOf(answer);
		const start = { ...head(body), content: [], stop_reason: null, usage: { ...input, output_tokens: 0 } };
		return [
			{ event: "message_start", data: { type: "message_start", message: start } },
			...blocks.flatMap(eventsOf),
			{
				event: "message_delta",
				data: {
					type: "message_delta",
					delta: { stop_reason: stopOf(answer, blocks), stop_sequence: null },
					usage: { output_tokens },
				},
			},
			{ event: "message_stop", data: { type: "message_stop" } },
		];
	},
	error: ({ message, type, code }) => ({
		type: "error",
		error: { type: type ?? code ?? "invalid_request_error", message },
	}),
};
