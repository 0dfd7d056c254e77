import type { Kind } from "../core/transcript/message.ts";
import type {
	KeepRecentStrategyOptions,
	StrategyOptions,
	SummarizeOlderStrategyOptions,
} from "../generated/types.ts";
import { checkCount, readOptions } from "./read-json.ts";
import { makeConfig, type StrategyConfig } from "./strategy-config.ts";

/** A config whose kinds can be added to. */
export type KindsConfig<Name extends "summarize-older" | "keep-recent"> = StrategyConfig<Name> & {
	readonly keepLast: number;
	readonly preserveKinds: Kind[];
	/** The same config, with one more kind of message that is never evicted. */
	preserveKind(kind: Kind): KindsConfig<Name>;
};

/** Makes configs of one strategy, and reads them back. */
export interface KindsConfigFactory<Name extends "summarize-older" | "keep-recent"> {
	/** @throws CompactionError CONFIG_INVALID where `keepLast` is no whole number of 0 or more */
	(keepLast?: number, options?: Omit<StrategyOptions[Name], "keepLast">): KindsConfig<Name>;
	/**
	 * Reads what `toJSON` wrote, as text or as a value, and the form of agentkit's Rust types.
	 * @throws CompactionError CONFIG_INVALID naming the option
	 */
	fromJSON(value: unknown): KindsConfig<Name>;
}

/** Makes configs of a strategy with one switch, and reads them back. */
export interface EmptyConfigFactory<Name extends "drop-reasoning" | "drop-failed-tool-results"> {
	(options?: StrategyOptions[Name]): StrategyConfig<Name>;
	/** Reads what `toJSON` wrote, and `{"drop_empty_items":true}`. @throws CompactionError CONFIG_INVALID */
	fromJSON(value: unknown): StrategyConfig<Name>;
}

const KEEP_LAST = 8;

type Options = Readonly<Record<string, unknown>>;

function kindsFactory<Name extends "summarize-older" | "keep-recent">(
	use: Name,
	names: readonly string[],
): KindsConfigFactory<Name> {
	const make = ({ keepLast = KEEP_LAST, preserveKinds = [], ...rest }: Options): KindsConfig<Name> => {
		checkCount(use, "keepLast", keepLast);
		const full = { keepLast, preserveKinds, ...rest };
		const config = makeConfig(use, full, (options) => ({
			with: (more: Options) => make({ ...options, ...more }),
			preserveKind: (kind: Kind) =>
				make({ ...options, preserveKinds: [...(options.preserveKinds as readonly Kind[]), kind] }),
		}));
		return config as KindsConfig<Name>;
	};
	const factory = (keepLast?: number, options?: Options): KindsConfig<Name> => make({ ...options, keepLast });
	return Object.assign(factory, {
		fromJSON: (value: unknown) => make(readOptions(use, value, names, "keep_last")),
	}) as KindsConfigFactory<Name>;
}

function emptyFactory<Name extends "drop-reasoning" | "drop-failed-tool-results">(
	use: Name,
): EmptyConfigFactory<Name> {
	const make = (options: Options): StrategyConfig<Name> =>
		makeConfig(use, { dropEmptyMessages: true, ...options }, (own) => ({
			with: (more: Options) => make({ ...own, ...more }),
		}));
	return Object.assign((options: Options = {}) => make(options), {
		fromJSON: (value: unknown) => make(readOptions(use, value, ["dropEmptyMessages"], "drop_empty_items")),
	}) as EmptyConfigFactory<Name>;
}

const KEEP_RECENT_OPTIONS = [
	"keepLast",
	"preserveKinds",
	"keepTokens",
] as const satisfies readonly (keyof KeepRecentStrategyOptions)[];

const SUMMARIZE_OLDER_OPTIONS = [
	...KEEP_RECENT_OPTIONS,
	"template",
	"summaryTokens",
	"transcriptMaxTokens",
	"parseOutput",
	"malformed",
	"empty",
	"summaryRole",
	"ledger",
] as const satisfies readonly (keyof SummarizeOlderStrategyOptions)[];

/** Keeps the newest messages and has everything older summarized: `summarizeOlder(8).preserveKind("system")`. */
export const summarizeOlder: KindsConfigFactory<"summarize-older"> = kindsFactory(
	"summarize-older",
	SUMMARIZE_OLDER_OPTIONS,
);

/** Keeps the newest messages and drops everything older. */
export const keepRecent: KindsConfigFactory<"keep-recent"> = kindsFactory("keep-recent", KEEP_RECENT_OPTIONS);

/** Removes reasoning that no provider needs. */
export const dropReasoning: EmptyConfigFactory<"drop-reasoning"> = emptyFactory("drop-reasoning");

/** Removes failed tool results and the calls that they answer. */
export const dropFailedToolResults: EmptyConfigFactory<"drop-failed-tool-results"> =
	emptyFactory("drop-failed-tool-results");
