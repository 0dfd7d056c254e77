import schema from "../../schemas/strategies/drop-failed-tool-results.schema.json" with { type: "json" };
import {
	CALL,
	defineStrategy,
	type Part,
	RESULT,
	type ResolvedDropFailedToolResultsStrategyOptions,
	type StrategyDefinition,
	type Ties,
} from "../../src/plugin.ts";
import { removeCalls } from "./remove-calls.ts";
import { findFixed } from "./rewrite.ts";
import { isFailed } from "./tool-output.ts";

/** Marks failed results, and each call of which no result is left with all that belongs to it. */
function chooseFailed(ties: Ties, partOf: (entry: number) => Part): Uint8Array {
	const removed = new Uint8Array(ties.count);
	const survives = new Uint8Array(ties.count);
	for (let entry = 0; entry < ties.count; entry += 1) {
		if (ties.kind[entry] !== RESULT) continue;
		const call = ties.call[entry] ?? -1;
		if (isFailed(partOf(entry))) removed[entry] = 1;
		else if (call >= 0) survives[call] = 1;
	}
	for (let entry = 0; entry < ties.count; entry += 1) {
		const call = ties.call[entry] ?? -1;
		if (ties.kind[entry] === CALL)
			removed[entry] = ties.answered[entry] === 1 && survives[entry] === 0 ? 1 : 0;
		else if (ties.kind[entry] !== RESULT && call >= 0) removed[entry] = removed[call] ?? 0;
	}
	return removed;
}

/** Removes failed tool results and the calls that they answer. */
const definition: StrategyDefinition<ResolvedDropFailedToolResultsStrategyOptions> = defineStrategy({
	name: "drop-failed-tool-results",
	schema,
	create: ({ dropEmptyMessages }) => ({
		plan: (transcript, context) =>
			removeCalls(transcript, {
				fixed: findFixed(transcript, context),
				takesInner: false,
				dropEmptyMessages,
				why: "failed tool results and the calls that they answer",
				choose: chooseFailed,
			}),
	}),
});

export default definition;
