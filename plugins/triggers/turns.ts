import schema from "../../schemas/triggers/turns.schema.json" with { type: "json" };
import { defineTrigger, type ResolvedTurnsTriggerOptions, type TriggerDefinition } from "../../src/plugin.ts";

/** Fires above a number of turns. */
const turnsTrigger: TriggerDefinition<ResolvedTurnsTriggerOptions> =
	defineTrigger<ResolvedTurnsTriggerOptions>({
		name: "turns",
		schema,
		create({ max }) {
			return {
				check({ turns }) {
					return turns > max ? `The transcript has ${turns} turns, more than ${max}.` : undefined;
				},
			};
		},
	});

export default turnsTrigger;
