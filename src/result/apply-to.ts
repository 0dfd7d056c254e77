import type { Message } from "../core/transcript/message.ts";
import { CompactionError } from "../errors/compaction-error.ts";

/** Whether two JSON-like values are equal; own keys in any order. */
function isSame(left: unknown, right: unknown): boolean {
	if (Object.is(left, right)) return true;
	if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
	if (Array.isArray(left) !== Array.isArray(right)) return false;
	const keys = Object.keys(left);
	if (keys.length !== Object.keys(right).length) return false;
	return keys.every(
		(key) =>
			Object.hasOwn(right, key) &&
			isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
	);
}

/**
 * Puts a finished compaction on a transcript that grew while it ran.
 * @param input what the pass was given
 * @param output what it made of it
 * @param longer the input, by identity or by value, and more messages after it
 * @throws CompactionError TRANSCRIPT_INVALID where `longer` does not begin with `input`
 */
export function applyTo(
	input: readonly Message[],
	output: readonly Message[],
	longer: readonly Message[],
): Message[] {
	const differs = input.findIndex((message, index) => !isSame(message, longer[index]));
	if (differs >= 0) {
		throw new CompactionError(
			"TRANSCRIPT_INVALID",
			`Cannot apply the compaction: message ${differs} is not the one that was compacted. Compact the new transcript instead.`,
		);
	}
	return [...output, ...longer.slice(input.length)];
}
