import schema from "../../schemas/strategies/keep-recent.schema.json" with { type: "json" };
import {
	defineStrategy,
	type ResolvedKeepRecentStrategyOptions,
	type StrategyDefinition,
} from "../../src/plugin.ts";
import { noteBroken, selectOlder } from "./select-older.ts";

/** Drops what summarize-older would have summarized; an inserted summary stays. */
const definition: StrategyDefinition<ResolvedKeepRecentStrategyOptions> = defineStrategy({
	name: "keep-recent",
	schema,
	create: ({ keepLast, preserveKinds, keepTokens }) => ({
		plan(transcript, context) {
			const { evict, brokenKept } = selectOlder(transcript, context, {
				keepLast,
				preserveKinds,
				keepTokens,
				replacement: "none",
			});
			const notes = noteBroken(brokenKept);
			if (evict.length === 0) return notes;
			const why = `older than the last ${keepLast} messages and what must stay with them`;
			return [{ drop: evict, why }, ...notes];
		},
	}),
});

export default definition;
