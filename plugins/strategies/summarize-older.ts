import schema from "../../schemas/strategies/summarize-older.schema.json" with { type: "json" };
import {
	defineStrategy,
	type ResolvedSummarizeOlderStrategyOptions,
	type StrategyDefinition,
} from "../../src/plugin.ts";
import { noteBroken, selectOlder } from "./select-older.ts";
import { summaryEdit, summaryReserve } from "./summary-edit.ts";

/** Keeps the newest messages verbatim and replaces everything older by one summary. */
const definition: StrategyDefinition<ResolvedSummarizeOlderStrategyOptions> = defineStrategy({
	name: "summarize-older",
	schema,
	create: (options) => ({
		summarizes: true,
		plan(transcript, context) {
			const { evict, brokenKept } = selectOlder(transcript, context, {
				keepLast: options.keepLast,
				preserveKinds: options.preserveKinds,
				keepTokens: options.keepTokens,
				replacement: options.summaryRole,
				reserveTokens: summaryReserve(options, context),
			});
			const notes = noteBroken(brokenKept);
			if (evict.length === 0) return notes;
			const why = `older than the last ${options.keepLast} messages and what must stay with them`;
			return [summaryEdit(evict, options, why), ...notes];
		},
	}),
});

export default definition;
