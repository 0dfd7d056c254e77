import schema from "../../schemas/counters/o200k.schema.json" with { type: "json" };
import {
	CompactionError,
	type CounterDefinition,
	defineCounter,
	messageTokens,
	type ResolvedO200KCounterOptions,
} from "../../src/plugin.ts";
import { splitLongRuns } from "./split-long-runs.ts";

const MODULE = "gpt-tokenizer/encoding/o200k_base";
/** The frame of a message and of a tool part, as for the other counters. */
const FRAME = 4;

type CountTokens = (text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }) => number;

/** What looks like a special token is text: a transcript may speak of them. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Counts as the o200k tokenizer does. */
const o200k: CounterDefinition<ResolvedO200KCounterOptions> = defineCounter<ResolvedO200KCounterOptions>({
	name: "o200k",
	schema,
	async create(_options, host) {
		const tokenizer = await host.importModule(MODULE).catch((cause: unknown) => {
			throw new CompactionError(
				"BACKEND_FAILED",
				'Cannot count with "o200k": the package "gpt-tokenizer" is not installed. Run "npm install gpt-tokenizer@4", or use the counter "heuristic".',
				{ cause },
			);
		});
		const { countTokens } = tokenizer as { readonly countTokens?: CountTokens };
		if (typeof countTokens !== "function") {
			throw new CompactionError(
				"BACKEND_FAILED",
				`Cannot count with "o200k": "${MODULE}" exports no function "countTokens". Run "npm install gpt-tokenizer@4".`,
			);
		}
		const text = (written: string): number => {
			let tokens = 0;
			for (const piece of splitLongRuns(written)) tokens += countTokens(piece, AS_TEXT);
			return tokens;
		};
		const costs = {
			message: FRAME,
			frame: FRAME,
			json: (value: unknown): number => text(JSON.stringify(value) ?? ""),
		};
		return { text, message: (message) => messageTokens(message, text, costs) };
	},
});

export default o200k;
