import {
	DEFAULT_USAGE,
	type LoopbackAnswer,
	type LoopbackEvent,
	piecesOf,
	type WireFormat,
} from "./answer.ts";
import { chatWire } from "./chat-wire.ts";

type Item = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

function itemsOf(answer: LoopbackAnswer): readonly Item[] {
	const items: Item[] = [];
	if (answer.reasoning !== undefined) {
		items.push({
			type: "reasoning",
			id: "rs_loopback",
			summary: [{ type: "summary_text", text: answer.reasoning }],
		});
	}
	const content = [
		...(answer.text === undefined ? [] : [{ type: "output_text", text: answer.text, annotations: [] }]),
		...(answer.refusal === undefined ? [] : [{ type: "refusal", refusal: answer.refusal }]),
	];
	if (content.length > 0)
		items.push({ type: "message", id: "msg_loopback", status: "completed", role: "assistant", content });
	for (const { toolCallId, toolName, input } of answer.toolCalls ?? []) {
		items.push({
			type: "function_call",
			id: `fc_${toolCallId}`,
			call_id: toolCallId,
			name: toolName,
			arguments: JSON.stringify(input),
			status: "completed",
		});
	}
	return items;
}

function whole(answer: LoopbackAnswer, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const { finishReason, usage = DEFAULT_USAGE } = answer;
	const reason =
		finishReason === "length"
			? "max_output_tokens"
			: finishReason === "content-filter"
				? "content_filter"
				: null;
	return {
		id: "resp_loopback",
		object: "response",
		created_at: 1,
		status: reason === null ? "completed" : "incomplete",
		error: null,
		incomplete_details: reason === null ? null : { reason },
		model: body.model,
		output: itemsOf(answer),
		usage: {
			input_tokens: usage.input,
			input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
			output_tokens: usage.output,
			output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
			total_tokens: usage.input + usage.output,
		},
	};
}

function eventsOf(item: Item, index: number, answer: LoopbackAnswer): readonly LoopbackEvent[] {
	const at = { item_id: item.id, output_index: index };
	const event = (type: string, rest: object): LoopbackEvent => ({ event: type, data: { type, ...rest } });
	const bare =
		item.type === "message"
			? { ...item, status: "in_progress", content: [] }
			: item.type === "function_call"
				? { ...item, status: "in_progress", arguments: "" }
				: { ...item, summary: [] };
	const middle: LoopbackEvent[] = [];
	if (item.type === "message") {
		for (const delta of piecesOf(answer.text ?? ""))
			middle.push(event("response.output_text.delta", { ...at, content_index: 0, delta }));
		for (const delta of piecesOf(answer.refusal ?? ""))
			middle.push(event("response.refusal.delta", { ...at, content_index: 0, delta }));
	} else if (item.type === "function_call") {
		middle.push(event("response.function_call_arguments.delta", { ...at, delta: item.arguments }));
	} else {
		middle.push(event("response.reasoning_summary_part.added", { ...at, summary_index: 0 }));
		for (const delta of piecesOf(answer.reasoning ?? ""))
			middle.push(event("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta }));
	}
	return [
		event("response.output_item.added", { output_index: index, item: bare }),
		...middle,
		event("response.output_item.done", { output_index: index, item }),
	];
}

/** OpenAI responses. */
export const responsesWire: WireFormat = {
	whole,
	streamed(answer, body) {
		const response = whole(answer, body);
		const created = { ...response, status: "in_progress", output: [], usage: null };
		const last = response.status === "completed" ? "response.completed" : "response.incomplete";
		return [
			{ event: "response.created", data: { type: "response.created", response: created } },
			...itemsOf(answer).flatMap((item, index) => eventsOf(item, index, answer)),
			{ event: last, data: { type: last, response } },
		];
	},
	error: chatWire.error,
};
