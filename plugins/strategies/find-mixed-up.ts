import { findTies, type Message, type Ties } from "../../src/plugin.ts";

/**
 * The entries that would hang on another call than before in the transcript that is left without some: a result
 * answers the nearest call of its id that has none, so that of several calls of one id, one may take what was
 * another's.
 * @param left the transcript without what was removed
 */
export function findMixedUp(left: readonly Message[], ties: Ties, removed: Uint8Array): readonly number[] {
	const now = findTies(left);
	const stayed: number[] = [];
	for (let entry = 0; entry < ties.count; entry += 1) if (removed[entry] === 0) stayed.push(entry);
	const before = (entry: number | undefined): number => stayed[entry ?? -1] ?? -1;
	return stayed.filter(
		(entry, place) =>
			before(now.call[place]) !== ties.call[entry] || before(now.caller[place]) !== ties.caller[entry],
	);
}
