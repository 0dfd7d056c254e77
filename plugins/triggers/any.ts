import schema from "../../schemas/triggers/any.schema.json" with { type: "json" };
import {
	defineTrigger,
	type ResolvedAnyTriggerOptions,
	type TriggerDefinition,
	type Use,
} from "../../src/plugin.ts";

/** Fires when one of its triggers fires. */
const anyTrigger: TriggerDefinition<ResolvedAnyTriggerOptions> = defineTrigger<ResolvedAnyTriggerOptions>({
	name: "any",
	schema,
	create({ of }) {
		return { of: of as unknown as readonly Use[], mode: "any" };
	},
});

export default anyTrigger;
