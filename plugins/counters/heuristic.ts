import schema from "../../schemas/counters/heuristic.schema.json" with { type: "json" };
import {
	type CounterDefinition,
	defineCounter,
	messageTokens,
	type ResolvedHeuristicCounterOptions,
} from "../../src/plugin.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** Weighs classes of characters. */
const heuristic: CounterDefinition<ResolvedHeuristicCounterOptions> =
	defineCounter<ResolvedHeuristicCounterOptions>({
		name: "heuristic",
		schema,
		create() {
			return {
				text: estimateTokens,
				message: (message) => messageTokens(message, estimateTokens),
			};
		},
	});

export default heuristic;
