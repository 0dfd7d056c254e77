import type { ModelMessage } from "ai";
import type { Config } from "../generated/types.ts";
import type { CompactionResult } from "../result/compaction-result.ts";
import type { CompactOptions, Compactor, CompactorOptions } from "./create-compactor.ts";
import type { LoadConfigOptions, LoadedConfig } from "./load-config.ts";

// Importing the package must cost next to nothing: the pass and all that it needs load with the first use.

/**
 * Reads a config file: JSON with comments. Without a path the nearest `precis.config.json` upwards is taken.
 * Its shape and its plugins' options are checked when a compactor is made of it.
 * @throws CompactionError CONFIG_INVALID where there is no such file or it is no JSON
 */
export async function loadConfig(path?: string, options?: LoadConfigOptions): Promise<LoadedConfig> {
	return (await import("./load-config.ts")).loadConfig(path, options);
}

/**
 * Binds a config to the plugins that it names.
 * @param config a file's path, what {@link loadConfig} gave, or a config made in code
 * @throws CompactionError CONFIG_INVALID with all problems at once; PLUGIN_NOT_FOUND, PLUGIN_INVALID, PLUGIN_CONFLICT
 */
export async function createCompactor(
	config: string | Config | LoadedConfig,
	options?: CompactorOptions,
): Promise<Compactor> {
	return (await import("./create-compactor.ts")).createCompactor(config, options);
}

/** The one-shot form: binds the config, runs one pass. */
export async function compact(
	messages: readonly ModelMessage[],
	config: string | Config | LoadedConfig,
	options: CompactorOptions & CompactOptions = {},
): Promise<CompactionResult> {
	// What the caller does to its array while plugins load must not reach the pass.
	const snapshot = Array.isArray(messages) ? [...messages] : messages;
	return (await import("./create-compactor.ts")).compactOnce(snapshot, config, options);
}
