import { CompactionError } from "../../errors/compaction-error.ts";
import type { Message } from "./message.ts";

const ROLES = ["system", "developer", "user", "assistant", "tool"];

/** What is wrong with a value, and where: a JSON pointer into it. */
export interface ShapeProblem {
	readonly pointer: string;
	readonly what: string;
}

function nameOf(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "string") return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
	return value === undefined ? "missing" : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notText(key: string, value: unknown): ShapeProblem | undefined {
	return typeof value === "string"
		? undefined
		: { pointer: `/${key}`, what: `is ${nameOf(value)}; expected text` };
}

/** What is wrong with a part; ids are needed where pairs hang on them. Unknown types and fields pass. */
function partProblem(part: unknown): ShapeProblem | undefined {
	if (!isObject(part)) return { pointer: "", what: `is ${nameOf(part)}; expected an object with a type` };
	switch (part.type) {
		case "text":
		case "reasoning":
			return notText("text", part.text);
		case "tool-call":
			return notText("toolCallId", part.toolCallId) ?? notText("toolName", part.toolName);
		case "tool-result": {
			const { output } = part;
			if (!isObject(output) || typeof output.type !== "string") {
				return {
					pointer: "/output",
					what: `is ${nameOf(output)}; expected an object such as { "type": "text", "value": "…" }`,
				};
			}
			return notText("toolCallId", part.toolCallId) ?? notText("toolName", part.toolName);
		}
		case "tool-approval-request":
			return notText("approvalId", part.approvalId) ?? notText("toolCallId", part.toolCallId);
		case "tool-approval-response":
			return notText("approvalId", part.approvalId);
		default:
			return notText("type", part.type);
	}
}

/** What is wrong with a message, or undefined. Allocates nothing where all is well. */
export function messageProblem(value: unknown): ShapeProblem | undefined {
	if (!isObject(value)) return { pointer: "", what: `is ${nameOf(value)}; expected a message object` };
	const { role, content } = value;
	if (typeof role !== "string" || !ROLES.includes(role)) {
		return { pointer: "/role", what: `is ${nameOf(role)}; expected one of ${ROLES.join(", ")}` };
	}
	if (typeof content === "string") return undefined;
	if (!Array.isArray(content)) {
		return { pointer: "/content", what: `is ${nameOf(content)}; expected text or a list of parts` };
	}
	for (let index = 0; index < content.length; index += 1) {
		const problem = partProblem(content[index]);
		if (problem !== undefined) return { pointer: `/content/${index}${problem.pointer}`, what: problem.what };
	}
	return undefined;
}

/**
 * Checks the form of what a host hands in as a transcript. Unknown parts and fields pass.
 * @returns a list of its own, of the very same message objects
 * @throws CompactionError TRANSCRIPT_INVALID naming the message and the JSON pointer
 */
export function checkTranscript(value: unknown): Message[] {
	if (!Array.isArray(value)) {
		throw new CompactionError(
			"TRANSCRIPT_INVALID",
			`Cannot read the transcript: it is ${nameOf(value)}; expected a list of messages.`,
		);
	}
	const messages: unknown[] = value.slice();
	for (let index = 0; index < messages.length; index += 1) {
		const problem = messageProblem(messages[index]);
		if (problem === undefined) continue;
		const pointer = `/${index}${problem.pointer}`;
		const message = `Cannot read the transcript: message ${index} at "${pointer}" ${problem.what}.`;
		throw new CompactionError("TRANSCRIPT_INVALID", message, { problems: [{ message, pointer }] });
	}
	return messages as Message[];
}
