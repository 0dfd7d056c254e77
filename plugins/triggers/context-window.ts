import schema from "../../schemas/triggers/context-window.schema.json" with { type: "json" };
import {
	defineTrigger,
	type ResolvedContextWindowTriggerOptions,
	type TriggerDefinition,
} from "../../src/plugin.ts";

/** Fires when the transcript fills a share of the window. */
const contextWindow: TriggerDefinition<ResolvedContextWindowTriggerOptions> =
	defineTrigger<ResolvedContextWindowTriggerOptions>({
		name: "context-window",
		schema,
		create({ percent }) {
			const thresholdTokens = (windowTokens: number): number =>
				Math.max(1, Math.floor((windowTokens * percent) / 100));
			return {
				thresholdTokens,
				check({ tokens, windowTokens }) {
					const threshold = thresholdTokens(windowTokens);
					if (tokens < threshold) return undefined;
					const share = Math.floor((tokens / windowTokens) * 100);
					return `The next request has about ${tokens} tokens, ${share} % of the window of ${windowTokens}; the limit is ${percent} % (${threshold}).`;
				},
			};
		},
	});

export default contextWindow;
