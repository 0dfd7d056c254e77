import schema from "../../schemas/triggers/tokens.schema.json" with { type: "json" };
import {
	defineTrigger,
	type ResolvedTokensTriggerOptions,
	type TriggerDefinition,
} from "../../src/plugin.ts";

/** Fires above a number of tokens. */
const tokensTrigger: TriggerDefinition<ResolvedTokensTriggerOptions> =
	defineTrigger<ResolvedTokensTriggerOptions>({
		name: "tokens",
		schema,
		create({ max }) {
			return {
				thresholdTokens: () => max,
				check({ tokens }) {
					return tokens > max ? `The next request has about ${tokens} tokens, more than ${max}.` : undefined;
				},
			};
		},
	});

export default tokensTrigger;
