import { parseStrict } from "./lenient-json.ts";

/** A call longer than this is not looked for. */
const LONGEST_CALL = 200_000;
const FENCE = /^```[a-z_]{0,20}\n([\s\S]*)\n```$/i;

function has(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
	return keys.some((key) => Object.hasOwn(value, key));
}

function isCall(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0 && value.every(isCall);
	if (typeof value !== "object" || value === null) return false;
	const call = value as Readonly<Record<string, unknown>>;
	if (has(call, ["tool_calls", "toolCalls", "function_call", "functionCall"])) return true;
	return (
		has(call, ["name", "tool", "toolName", "tool_name", "function"]) &&
		has(call, ["arguments", "parameters", "input", "args"])
	);
}

/** Whether a text is nothing but a tool call that a model wrote out as JSON. */
export function isToolCall(text: string): boolean {
	if (text.length > LONGEST_CALL) return false;
	const bare = text.trim();
	const inner = (FENCE.exec(bare)?.[1] ?? bare).trim();
	return /^[[{]/.test(inner) && isCall(parseStrict(inner));
}
