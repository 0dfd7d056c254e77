import { isBlank } from "./blank.ts";
import { summaryMarkOf } from "./kinds.ts";
import type { Message } from "./message.ts";

/**
 * Whether a message ends the step of tool calls before it: the user's and the assistant's do. A summary of ours ends
 * none, since a pass moves it to the head, and neither does what says nothing, since that goes before all else: what
 * waits must not depend on either.
 */
export function endsStep(message: Message): boolean {
	const { role } = message;
	if (role !== "user" && role !== "assistant") return false;
	return summaryMarkOf(message) === undefined && !isBlank(message);
}
