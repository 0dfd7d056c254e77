import schema from "../../schemas/triggers/all.schema.json" with { type: "json" };
import {
	defineTrigger,
	type ResolvedAllTriggerOptions,
	type TriggerDefinition,
	type Use,
} from "../../src/plugin.ts";

/** Fires when all of its triggers fire. */
const allTrigger: TriggerDefinition<ResolvedAllTriggerOptions> = defineTrigger<ResolvedAllTriggerOptions>({
	name: "all",
	schema,
	create({ of }) {
		return { of: of as unknown as readonly Use[], mode: "all" };
	},
});

export default allTrigger;
