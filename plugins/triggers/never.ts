import schema from "../../schemas/triggers/never.schema.json" with { type: "json" };
import { defineTrigger, type ResolvedNeverTriggerOptions, type TriggerDefinition } from "../../src/plugin.ts";

/** Never fires. */
const never: TriggerDefinition<ResolvedNeverTriggerOptions> = defineTrigger<ResolvedNeverTriggerOptions>({
	name: "never",
	schema,
	create() {
		return { check: () => undefined };
	},
});

export default never;
