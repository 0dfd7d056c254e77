import { usageError } from "./cli-error.ts";
import type { TranscriptFlags } from "./flags.ts";

type Json = Readonly<Record<string, unknown>>;

/** The option by which each built-in strategy keeps its newest messages. */
const KEEPS: Readonly<Record<string, string>> = {
	"keep-recent": "keepLast",
	structured: "preserveRecent",
	"summarize-older": "keepLast",
};

function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Applies a change to a use or to each use of a list. */
function mapUses(value: unknown, change: (use: Json) => Json): unknown {
	if (Array.isArray(value)) return value.map((item) => mapUses(item, change));
	return isObject(value) ? change(value) : value;
}

/** Sets an option of each strategy that has it, inside of composites too. */
function withOption(
	strategy: unknown,
	optionOf: (name: string) => string | undefined,
	value: unknown,
): { readonly changed: unknown; readonly isTaken: boolean } {
	let isTaken = false;
	const change = (use: Json): Json => {
		const option = optionOf(String(use.use));
		if (option !== undefined) {
			isTaken = true;
			return { ...use, [option]: value };
		}
		return Object.hasOwn(use, "steps") ? { ...use, steps: mapUses(use.steps, change) } : use;
	};
	const changed = mapUses(strategy, change);
	return { changed, isTaken };
}

function withKeepLast(strategy: unknown, keepLast: number): unknown {
	const optionOf = (name: string): string | undefined =>
		Object.hasOwn(KEEPS, name) ? KEEPS[name] : undefined;
	const { changed, isTaken } = withOption(strategy, optionOf, keepLast);
	// What is no strategy at all is left to the check.
	if (isTaken || typeof strategy !== "object") return changed;
	throw usageError(
		`Cannot apply "--keep-last ${keepLast}": no strategy of the config takes it. Those that do: ${Object.keys(KEEPS).join(", ")}.`,
	);
}

/** The built-in strategies that say how large their summary may be. */
const SUMMARIZERS: ReadonlySet<string> = new Set(["structured", "summarize-older"]);

/** The share of the target that a summary may have at most. */
export const MOST_OF_TARGET = 0.95;

/**
 * A config whose summaries may have so many tokens, given a target that is large enough for them.
 * @returns undefined where no strategy of the config takes it
 */
export function withSummaryTokens(config: unknown, max: number): unknown {
	if (!isObject(config) || !Object.hasOwn(config, "strategy")) return undefined;
	const { changed, isTaken } = withOption(
		config.strategy,
		(name) => (SUMMARIZERS.has(name) ? "summaryTokens" : undefined),
		{ fraction: MOST_OF_TARGET, max },
	);
	return isTaken ? { ...config, strategy: changed } : undefined;
}

/** The model takes the place of the one in the config's `ai-sdk` backend, whose other options stay. */
function withModel(backend: unknown, model: string): unknown {
	const isAiSdk = (use: unknown): boolean => isObject(use) && use.use === "ai-sdk";
	const change = (use: Json): Json => (isAiSdk(use) ? { ...use, model } : use);
	const list = Array.isArray(backend) ? backend : [backend];
	return list.some(isAiSdk) ? mapUses(backend, change) : { use: "ai-sdk", model };
}

/**
 * A config as the flags have it: they win over the file. What is no config is left to the check.
 * @throws CliError where no strategy takes a flag
 */
export function overrideConfig(config: unknown, { keepLast, model }: TranscriptFlags): unknown {
	if (!isObject(config) || !Object.hasOwn(config, "strategy")) return config;
	let changed = config;
	if (keepLast !== undefined) changed = { ...changed, strategy: withKeepLast(changed.strategy, keepLast) };
	if (model !== undefined) {
		const backend = Object.hasOwn(changed, "backend") ? changed.backend : undefined;
		changed = { ...changed, backend: withModel(backend, model) };
	}
	return changed;
}
