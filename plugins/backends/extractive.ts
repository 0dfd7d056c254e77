import schema from "../../schemas/backends/extractive.schema.json" with { type: "json" };
import {
	type BackendAnswer,
	type BackendContext,
	type BackendDefinition,
	CompactionError,
	defineBackend,
	type ExtractiveBackendOptions,
	type Sections,
	type SummaryRequest,
} from "../../src/plugin.ts";
import { extract } from "./extractive/extract.ts";

/** Tokens in which some sentence fits, if there is one. */
const AMPLE = 2000;

const isEmpty = (sections: Sections): boolean =>
	Object.values(sections).every((entries) => entries.length === 0);

/** The embedded default: no model, no network, the same answer for the same request. */
const extractive: BackendDefinition<ExtractiveBackendOptions> = defineBackend<ExtractiveBackendOptions>({
	name: "extractive",
	schema,
	create() {
		return {
			summarize(request: SummaryRequest, context: BackendContext): Promise<BackendAnswer> {
				if (context.signal.aborted)
					return Promise.reject(new CompactionError("CANCELLED", "Cannot summarize: the pass was cancelled"));
				const select = (budgetTokens: number): Sections =>
					extract({ ...request, budgetTokens }, (text) => context.countTokens(text));
				const sections = select(request.budgetTokens);
				// Nothing because nothing fits is another matter than nothing because there is nothing.
				if (isEmpty(sections) && !isEmpty(select(AMPLE)))
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
