import schema from "../../schemas/triggers/messages.schema.json" with { type: "json" };
import {
	defineTrigger,
	type ResolvedMessagesTriggerOptions,
	type TriggerDefinition,
} from "../../src/plugin.ts";

/** Fires above a number of messages. */
const messagesTrigger: TriggerDefinition<ResolvedMessagesTriggerOptions> =
	defineTrigger<ResolvedMessagesTriggerOptions>({
		name: "messages",
		schema,
		create({ max }) {
			return {
				check({ messages }) {
					return messages.length > max
						? `The transcript has ${messages.length} messages, more than ${max}.`
						: undefined;
				},
			};
		},
	});

export default messagesTrigger;
