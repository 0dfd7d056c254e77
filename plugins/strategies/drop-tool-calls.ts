import schema from "../../schemas/strategies/drop-tool-calls.schema.json" with { type: "json" };
import {
	defineStrategy,
	RESULT,
	type ResolvedDropToolCallsStrategyOptions,
	type StrategyDefinition,
} from "../../src/plugin.ts";
import { chooseCalls, removeCalls } from "./remove-calls.ts";
import { findFixed } from "./rewrite.ts";

/** Removes old tool calls with all that belongs to them. */
const definition: StrategyDefinition<ResolvedDropToolCallsStrategyOptions> = defineStrategy({
	name: "drop-tool-calls",
	schema,
	create: ({ keepLast, tools }) => ({
		plan(transcript, context) {
			const fixed = findFixed(transcript, context);
			fixed.fill(1, Math.max(0, transcript.length - keepLast));
			const isNamed = (name: string | undefined): boolean =>
				tools === undefined || (name !== undefined && tools.includes(name));
			return removeCalls(transcript, {
				fixed,
				takesInner: true,
				dropEmptyMessages: true,
				why: `tool calls older than the last ${keepLast} messages`,
				choose: (ties, partOf) =>
					chooseCalls(
						ties,
						(entry) => isNamed(partOf(entry).toolName),
						// An approval without its call is of no use to anyone.
						(entry) => ties.kind[entry] !== RESULT || isNamed(partOf(entry).toolName),
					),
			});
		},
	}),
});

export default definition;
