import type {
	BackendLimits,
	ModelFacts,
	ResolvedAiSdkBackendOptions as Options,
} from "../../../src/plugin.ts";

/** Tokens that a model which thinks may spend on that before its summary. */
const REASONING_ROOM = 16_384;
/** The room for reasoning may take this share of a window at most. */
const WINDOW_SHARE = 4;

/** How much one call may write. */
export interface Limits {
	/** What the summary machinery plans with: the model's own limits less the room for reasoning. */
	readonly declared: BackendLimits;
	/** The output limit to send for so long an answer, with room for reasoning, and never above what the model takes. */
	outputFor(answerTokens: number): number;
}

function at(value: unknown, ...path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(inner, key) =>
			typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
				? (inner as Readonly<Record<string, unknown>>)[key]
				: undefined,
		value,
	);
}

/** Whether the provider options switch thinking off, or name a budget that the provider's package adds itself. */
function needsNoRoom(providerOptions: Options["providerOptions"]): boolean {
	const thinking = at(providerOptions, "anthropic", "thinking", "type");
	return (
		thinking === "disabled" ||
		thinking === "enabled" ||
		at(providerOptions, "openai", "reasoningEffort") === "none" ||
		at(providerOptions, "google", "thinkingConfig", "thinkingBudget") === 0
	);
}

function least(...figures: readonly (number | undefined)[]): number | undefined {
	const known = figures.filter((figure) => figure !== undefined);
	return known.length === 0 ? undefined : Math.min(...known);
}

/** The limits of a model, from what the config says and what the catalogue knows. */
export function limitsOf(options: Options, facts: ModelFacts | undefined): Limits {
	const most = least(options.maxOutputTokens, facts?.maxOutputTokens);
	const window = options.window ?? facts?.windowTokens;
	const wanted =
		options.reasoningTokens ??
		(facts?.reasoning === true && !needsNoRoom(options.providerOptions) ? REASONING_ROOM : 0);
	const room = Math.min(
		wanted,
		most === undefined ? wanted : Math.floor(most / 2),
		window === undefined ? wanted : Math.floor(window / WINDOW_SHARE),
	);
	const windowTokens = least(
		window === undefined ? undefined : window - room,
		options.window === undefined ? facts?.maxInputTokens : undefined,
	);
	return {
		declared: {
			...(windowTokens === undefined ? {} : { windowTokens }),
			...(most === undefined ? {} : { maxOutputTokens: most - room }),
		},
		outputFor: (answerTokens) => Math.min(answerTokens + room, most ?? Number.POSITIVE_INFINITY),
	};
}
