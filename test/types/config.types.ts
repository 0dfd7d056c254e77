// Checked by `npm run check`: a line marked @ts-expect-error that compiles is an error.

import type { HeadlinesOptions } from "../../plugins/examples/precis-plugin-headlines/index.d.ts";
import type { BackendUse, Config, StrategyUse, TriggerUse } from "../../src/index.ts";

export const whole: Config = {
	plugins: ["./house.mjs"],
	templates: {
		handover: {
			header: "## Handover",
			sections: ["decisions", { id: "files_touched", title: "Files touched", purpose: "Paths." }],
		},
	},
	tokens: { counter: { use: "ratio", charsPerToken: 4 }, window: 200_000 },
	trigger: {
		use: "any",
		of: [
			{ use: "context-window", percent: 80 },
			{ use: "messages", max: 100 },
		],
	},
	target: { percent: 50 },
	strategy: [{ use: "drop-reasoning" }, { use: "summarize-older", keepLast: 8, preserveKinds: ["system"] }],
	backend: [{ use: "ai-sdk", model: "openai/gpt-5-mini" }, { use: "extractive" }],
};

// config-09: a mistyped key does not compile.
// @ts-expect-error "strategyy" is no key of a config
export const typo: Config = { strategyy: [] };

// @ts-expect-error "keepLst" is no option of summarize-older
export const option: StrategyUse = { use: "summarize-older", keepLst: 8 };

// @ts-expect-error an option of another strategy
export const foreign: StrategyUse = { use: "keep-recent", template: "default" };

// @ts-expect-error a wrong type
export const wrong: TriggerUse = { use: "context-window", percent: "80" };

// @ts-expect-error a required option is missing
export const missing: TriggerUse = { use: "tokens" };

// @ts-expect-error an unknown name
export const unknown: BackendUse = { use: "nobody" };

/** `use` tells the options apart. */
export function keepLastOf(use: StrategyUse): number | undefined {
	if (use.use === "summarize-older") return use.keepLast;
	// @ts-expect-error pipelines have no keepLast
	if (use.use === "pipeline") return use.keepLast;
	return undefined;
}

export type { HeadlinesOptions };
