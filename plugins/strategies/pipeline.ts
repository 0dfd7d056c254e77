import schema from "../../schemas/strategies/pipeline.schema.json" with { type: "json" };
import {
	defineStrategy,
	type ResolvedPipelineStrategyOptions,
	type StrategyDefinition,
	type Use,
} from "../../src/plugin.ts";

/** Runs strategies one after another, to the end or until the target is met. */
const definition: StrategyDefinition<ResolvedPipelineStrategyOptions> = defineStrategy({
	name: "pipeline",
	schema,
	create: ({ steps, until }) => ({ steps: steps as readonly Use[], until }),
});

export default definition;
