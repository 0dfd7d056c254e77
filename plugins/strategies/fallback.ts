import schema from "../../schemas/strategies/fallback.schema.json" with { type: "json" };
import {
	defineStrategy,
	type ResolvedFallbackStrategyOptions,
	type StrategyDefinition,
	type Use,
} from "../../src/plugin.ts";

/** Uses the first strategy that does not fail. */
const definition: StrategyDefinition<ResolvedFallbackStrategyOptions> = defineStrategy({
	name: "fallback",
	schema,
	create: ({ steps }) => ({ steps: steps as readonly Use[], until: "first" }),
});

export default definition;
