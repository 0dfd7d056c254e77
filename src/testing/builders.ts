import type { ModelMessage } from "ai";
import type { Part } from "../core/transcript/message.ts";

/** A message of the user. */
export function user(content: string): ModelMessage {
	return { role: "user", content };
}

/** A message of the assistant: text, or parts. */
export function assistant(...content: readonly (string | Part)[]): ModelMessage {
	const [only] = content;
	if (content.length === 1 && typeof only === "string") return { role: "assistant", content: only };
	return {
		role: "assistant",
		content: content.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
	} as unknown as ModelMessage;
}

/** A system message. */
export function system(content: string): ModelMessage {
	return { role: "system", content };
}

/** A call of a tool, as a part of an assistant message. */
export function call(toolCallId: string, toolName: string, input: unknown = {}): Part {
	return { type: "tool-call", toolCallId, toolName, input };
}

/** A tool's result, as a part of a tool message. */
export function result(toolCallId: string, toolName: string, value: string, failed = false): Part {
	return {
		type: "tool-result",
		toolCallId,
		toolName,
		output: { type: failed ? "error-text" : "text", value },
	};
}

/** A message of tools. */
export function tool(...content: readonly Part[]): ModelMessage {
	return { role: "tool", content } as unknown as ModelMessage;
}

/** Reasoning, as a part of an assistant message. */
export function reasoning(text: string): Part {
	return { type: "reasoning", text };
}

/** Makes a value and all that it holds unchangeable, so that whoever writes to it throws. */
export function deepFreeze<Value>(value: Value): Value {
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next !== "object" || next === null || Object.isFrozen(next) || ArrayBuffer.isView(next))
			continue;
		Object.freeze(next);
		open.push(...Object.values(next));
	}
	return value;
}
