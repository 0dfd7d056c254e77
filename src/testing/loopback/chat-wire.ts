import {
	DEFAULT_USAGE,
	type LoopbackAnswer,
	type LoopbackEvent,
	piecesOf,
	type WireFormat,
} from "./answer.ts";

const FINISH = {
	stop: "stop",
	length: "length",
	"content-filter": "content_filter",
	"tool-calls": "tool_calls",
} as const;

function finishOf({ finishReason, toolCalls }: LoopbackAnswer): string {
	return FINISH[finishReason ?? (toolCalls === undefined ? "stop" : "tool-calls")];
}

function usageOf({ usage = DEFAULT_USAGE }: LoopbackAnswer): unknown {
	return {
		prompt_tokens: usage.input,
		completion_tokens: usage.output,
		total_tokens: usage.input + usage.output,
		prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
		completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
	};
}

function callsOf({ toolCalls = [] }: LoopbackAnswer): readonly object[] {
	return toolCalls.map(({ toolCallId, toolName, input }, index) => ({
		index,
		id: toolCallId,
		type: "function",
		function: { name: toolName, arguments: JSON.stringify(input) },
	}));
}

function head(body: Readonly<Record<string, unknown>>, object: string): object {
	return { id: "chatcmpl-loopback", object, created: 1, model: body.model };
}

/** OpenAI chat completions, and what servers that call themselves compatible speak. */
export const chatWire: WireFormat = {
	whole(answer, body) {
		const calls = callsOf(answer);
		const message = {
			role: "assistant",
			content: answer.text ?? null,
			...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
			...(answer.refusal === undefined ? {} : { refusal: answer.refusal }),
			...(calls.length === 0 ? {} : { tool_calls: calls }),
		};
		return {
			...head(body, "chat.completion"),
			choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
			usage: usageOf(answer),
		};
	},
	streamed(answer, body) {
		const chunk = (delta: object, finish: string | null = null, rest: object = {}): LoopbackEvent => ({
			data: {
				...head(body, "chat.completion.chunk"),
				choices: [{ index: 0, delta, finish_reason: finish }],
				...rest,
			},
		});
		return [
			chunk({ role: "assistant", content: "" }),
			...piecesOf(answer.reasoning ?? "").map((reasoning_content) => chunk({ reasoning_content })),
			...piecesOf(answer.text ?? "").map((content) => chunk({ content })),
			...piecesOf(answer.refusal ?? "").map((refusal) => chunk({ refusal })),
			...callsOf(answer).map((call) => chunk({ tool_calls: [call] })),
			chunk({}, finishOf(answer), { usage: usageOf(answer) }),
			{ data: "[DONE]" },
		];
	},
	error: ({ message, code, type }) => ({
		error: { message, type: type ?? "invalid_request_error", param: null, code: code ?? null },
	}),
};
