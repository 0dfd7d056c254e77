import { type Edit, isBlank, isPinned, type Message, type Part, type PlanContext } from "../../src/plugin.ts";

/** The messages that must stay as they are: pinned units, and units with a call that waits; a byte for each. */
export function findFixed(transcript: readonly Message[], { units }: PlanContext): Uint8Array {
	const fixed = new Uint8Array(transcript.length);
	for (const index of units.waiting) fixed[index] = 1;
	if (!transcript.some(isPinned)) return fixed;
	const pinned = new Set<number>();
	for (const [index, message] of transcript.entries())
		if (isPinned(message)) pinned.add(units.unitOf[index] ?? -1);
	for (let index = 0; index < fixed.length; index += 1)
		if (pinned.has(units.unitOf[index] ?? -1)) fixed[index] = 1;
	return fixed;
}

/** A message with other parts; everything else of it stays. */
export function withParts(message: Message, content: readonly Part[]): Message {
	return { ...message, content };
}

/** The edits that give messages other parts; one that has nothing left to say is dropped. */
export function partEdits(
	transcript: readonly Message[],
	parts: ReadonlyMap<number, readonly Part[]>,
	why: string,
): readonly Edit[] {
	const drop: number[] = [];
	const edits: Edit[] = [];
	for (const [index, content] of parts) {
		const message = transcript[index];
		if (message === undefined) continue;
		const changed = withParts(message, content);
		if (isBlank(changed)) drop.push(index);
		else edits.push({ replace: index, with: changed, why });
	}
	if (drop.length > 0) edits.push({ drop: drop.sort((left, right) => left - right), why });
	return edits;
}
