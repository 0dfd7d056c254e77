import type { ModelMessage } from "ai";
import type { Message, Part } from "../../src/core/transcript/message.ts";

/** A message of the given cases, as they write it. */
export interface CaseItem {
	readonly kind: string;
	readonly parts: readonly CasePart[];
}

export interface CasePart {
	readonly text?: string;
	readonly reasoning?: string;
	readonly structured?: unknown;
	readonly call?: string;
	readonly name?: string;
	readonly input?: unknown;
	readonly result?: string;
	readonly output?: string;
	readonly error?: boolean;
}

/** Words behind each short text, so that a summary is smaller than what it replaces. */
export const PAD: string = ` ${"The crate list repeats the same long row of words for every crate. ".repeat(24).trim()}`;

function partOf(part: CasePart): Part {
	if (part.text !== undefined) return { type: "text", text: part.text + PAD };
	if (part.reasoning !== undefined) return { type: "reasoning", text: part.reasoning + PAD };
	if (part.structured !== undefined) return { type: "text", text: JSON.stringify(part.structured) + PAD };
	if (part.call !== undefined) {
		const input = part.input ?? { shelf: PAD };
		return { type: "tool-call", toolCallId: part.call, toolName: part.name ?? "count", input };
	}
	return {
		type: "tool-result",
		toolCallId: part.result ?? "",
		toolName: part.name ?? "count",
		output: { type: part.error === true ? "error-text" : "text", value: (part.output ?? "14") + PAD },
	};
}

/** Roles of the kinds that have none of their own. */
const ROLES: Readonly<Record<string, string>> = { context: "user", notification: "user", developer: "user" };

/** The cases' items as messages: kinds without a role carry a mark, results stand in tool messages. */
export function caseMessages(items: readonly CaseItem[]): ModelMessage[] {
	return items.map(({ kind, parts }): ModelMessage => {
		const isResult = parts.length > 0 && parts.every(({ result }) => result !== undefined);
		const role = isResult ? "tool" : (ROLES[kind] ?? kind);
		const content = parts.map(partOf);
		const message: Message = {
			role,
			content: role === "system" ? content.map(({ text }) => text ?? "").join("\n") : content,
			...(kind in ROLES ? { providerOptions: { precis: { kind } } } : {}),
		};
		return message as ModelMessage;
	});
}

/** Writes out `{ "$repeat": … }` and `{ "$concat": … }`. */
export function expand(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(expand);
	if (typeof value !== "object" || value === null) return value;
	if ("$repeat" in value) {
		const { text, times } = value.$repeat as { text: string; times: number };
		return text.repeat(times);
	}
	if ("$concat" in value) return (value.$concat as unknown[]).map(expand).join("");
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]));
}

/** A message with its texts made long: of all that a reader would not take for a name or a number. */
export function padded(message: ModelMessage): ModelMessage {
	if (message.role === "system") return message;
	const { content } = message;
	if (typeof content === "string") return { ...message, content: content + PAD } as ModelMessage;
	const parts = (content as readonly Part[]).map((part): Part => {
		if (part.type === "text" && part.text !== undefined) return { ...part, text: part.text + PAD };
		const output = part.output as { type: string; value: unknown } | undefined;
		if (part.type === "tool-result" && typeof output?.value === "string")
			return { ...part, output: { ...output, value: output.value + PAD } };
		return part;
	});
	return { ...message, content: parts } as ModelMessage;
}
