import { kindOf, summaryMarkOf } from "./kinds.ts";
import type { Message } from "./message.ts";

/**
 * The index of the last message that a user wrote, or -1: no inserted summary, and no context or notification
 * where there is a message of kind "user" at all.
 */
export function lastUserIndex(messages: readonly Message[]): number {
	let other = -1;
	for (let index = messages.length - 1; index >= 0; index -= 1) {
		const message = messages[index];
		if (message?.role !== "user" || summaryMarkOf(message) !== undefined) continue;
		if (kindOf(message) === "user") return index;
		if (other < 0) other = index;
	}
	return other;
}
