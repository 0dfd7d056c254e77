import type { Message } from "../core/transcript/message.ts";

/** Whether a message is an assistant's that begins with its reasoning. */
function beginsWithReasoning(message: Message | undefined): boolean {
	if (message?.role !== "assistant" || typeof message.content === "string") return false;
	return message.content[0]?.type === "reasoning";
}

/**
 * The role of the message that carries a summary. Providers join neighbours of one role, and some refuse an
 * assistant's turn that does not begin with its reasoning: a summary in front of one has to be the user's.
 * @param indices what the summary replaces, ascending
 */
export function summaryRole(
	wanted: "user" | "assistant",
	messages: readonly Message[],
	indices: readonly number[],
): "user" | "assistant" {
	if (wanted === "user") return wanted;
	const gone = new Set(indices);
	const first = indices[0] ?? 0;
	const next = messages.findIndex((_, index) => index >= first && !gone.has(index));
	// Where the first one stood among results, the summary stands before the step that they belong to.
	const before = messages.findLastIndex(({ role }, index) => index < first && role === "assistant");
	const stepBefore = messages[first]?.role === "tool" ? messages[before] : undefined;
	return beginsWithReasoning(messages[next]) || beginsWithReasoning(stepBefore) ? "user" : wanted;
}
