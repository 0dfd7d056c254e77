import schema from "../../schemas/backends/extractive.schema.json" with { type: "json" };
import {
	type BackendAnswer,
	type BackendContext,
	type BackendDefinition,
	CompactionError,
	defineBackend,
	type ExtractiveBackendOptions,
	type SummaryRequest,
} from "../../src/plugin.ts";
import { extract } from "./extractive/extract.ts";

/** Below so many tokens an empty summary means that nothing fitted, not that nothing was worth keeping. */
const SMALL = 200;

/** The embedded default: no model, no network, the same answer for the same request. */
const extractive: BackendDefinition<ExtractiveBackendOptions> = defineBackend<ExtractiveBackendOptions>({
	name: "extractive",
	schema,
	create() {
		return {
			summarize(request: SummaryRequest, context: BackendContext): Promise<BackendAnswer> {
				if (context.signal.aborted)
					return Promise.reject(new CompactionError("CANCELLED", "Cannot summarize: the pass was cancelled"));
				const sections = extract(request, (text) => context.countTokens(text));
				if (request.budgetTokens < SMALL && Object.values(sections).every((entries) => entries.length === 0))
					return Promise.reject(
						new CompactionError(
							"BUDGET_TOO_SMALL",
							`Cannot summarize: no sentence fits in ${request.budgetTokens} tokens. Raise summaryTokens or the target.`,
						),
					);
				return Promise.resolve({ sections, usage: { calls: 0 } });
			},
		};
	},
});

export default extractive;
