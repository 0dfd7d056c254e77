import type { Message, Part } from "../core/transcript/message.ts";
import { isReasoning, isSigned, itemsOf, openTurnStart, providerOf } from "../core/transcript/reasoning.ts";
import type { Change } from "./change.ts";

function partsOf({ content }: Message): readonly Part[] {
	return typeof content === "string" ? [] : content;
}

/** Signed reasoning of a message that is not in its new form any more; a copy counts as the same. */
function removedFrom(was: Message, now: Message): readonly Part[] {
	const left = new Set(partsOf(now));
	const gone = partsOf(was).filter((part) => isReasoning(part) && isSigned(part) && !left.has(part));
	if (gone.length === 0) return gone;
	const copies = new Set(
		partsOf(now)
			.filter(isReasoning)
			.map((part) => JSON.stringify(part)),
	);
	return gone.filter((part) => !copies.has(JSON.stringify(part)));
}

/** Whether the last of a message's parts is reasoning that its provider knows as an item of its own. */
function endsWithItem(message: Message): boolean {
	const last = partsOf(message).at(-1);
	return last !== undefined && isReasoning(last) && itemsOf(last).length > 0;
}

/** An item that is left, though the reasoning that its provider wants before it is gone. */
function leaningItem(was: Message, now: Message, removed: ReadonlySet<Part>): string | undefined {
	const left = new Set(partsOf(now).flatMap(itemsOf));
	let providers = new Set<string>();
	let isRun = false;
	for (const part of partsOf(was)) {
		if (isReasoning(part)) {
			if (!isRun) providers = new Set();
			isRun = true;
			if (removed.has(part)) for (const item of itemsOf(part)) providers.add(providerOf(item));
			continue;
		}
		isRun = false;
		const leaning = itemsOf(part).find((item) => left.has(item) && providers.has(providerOf(item)));
		if (leaning !== undefined) return leaning;
	}
	return undefined;
}

/**
 * Says which rewritten message lost reasoning that its provider asks for: signed reasoning beside a call of the
 * turn that still goes on, an item that another part of the message names, or what must follow such an item.
 */
export function lostReasoning({ before, after, cameFrom }: Change): string | undefined {
	let openFrom = -1;
	for (const [index, message] of after.entries()) {
		const origin = cameFrom[index] ?? -1;
		const was = before[origin];
		if (was === undefined || was === message) continue;
		if (endsWithItem(message) && !endsWithItem(was))
			return `the reasoning at the end of message ${origin} has lost what must follow it`;
		const removed = removedFrom(was, message);
		if (removed.length === 0) continue;
		if (openFrom < 0) openFrom = openTurnStart(before);
		if (origin >= openFrom && partsOf(message).some(({ type }) => type === "tool-call"))
			return `message ${origin} is of the turn that goes on, and a call in it has lost its signed reasoning`;
		const leaning = leaningItem(was, message, new Set(removed));
		if (leaning !== undefined)
			return `message ${origin} has lost the reasoning that its item "${leaning}" needs before it`;
	}
	return undefined;
}
