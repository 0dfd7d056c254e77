import { checkGiven } from "../config/check-given.ts";
import type { Source } from "../config/explain.ts";
import { readJsonWithComments } from "../config/read-config.ts";
import { CompactionError, type Problem } from "../errors/compaction-error.ts";
import type { Config } from "../generated/types.ts";
import { findUp, folderUrlOf, readTextFile, toPath } from "../platform/files.ts";

/** The name that config files have. */
export const CONFIG_FILE = "precis.config.json";

/** How a config may be loaded. */
export interface LoadConfigOptions {
	/** The folder that relative paths, and the search upwards, start from; the working directory by default. */
	readonly cwd?: string;
	/** Which plugins a config may load: any (absent), none, or those in the list. For configs from strangers. */
	readonly plugins?: "none" | readonly string[];
	/** Changes what was read before it is checked; errors still name places of the file. */
	readonly change?: (config: unknown) => unknown;
}

/** A config with its origin, so that errors can name places and plugins are looked up from its folder. */
export interface LoadedConfig {
	readonly config: Config;
	/** The absolute path of the file. */
	readonly file: string;
	/** URL of the folder that holds it. */
	readonly baseUrl: string;
	readonly plugins: "none" | readonly string[] | undefined;
}

/** What is to be checked: a value, where it came from, and what was wrong with its text already. */
export interface ConfigSource {
	readonly value: unknown;
	readonly source: Source;
	readonly baseUrl: string | undefined;
	readonly plugins: "none" | readonly string[] | undefined;
	readonly problems: readonly Problem[];
}

const sources = new WeakMap<object, ConfigSource>();

/**
 * Reads a config file: JSON with comments. Without a path the nearest `precis.config.json` upwards is taken.
 * Its shape and its plugins' options are checked when a compactor is made of it.
 * @throws CompactionError CONFIG_INVALID where there is no such file or it is no JSON
 */
export async function loadConfig(path?: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> {
	checkGiven<LoadConfigOptions>("load the config", options, {
		cwd: "string",
		plugins: "allowance",
		change: "function",
	});
	if (path !== undefined && typeof path !== "string")
		throw new CompactionError(
			"CONFIG_INVALID",
			`Cannot load the config: its path is a ${typeof path}; expected text.`,
		);
	const cwd = options.cwd ?? ".";
	const file = path === undefined ? await findUp(CONFIG_FILE, cwd) : toPath(path, cwd);
	if (file === undefined) {
		throw new CompactionError(
			"CONFIG_INVALID",
			`Cannot find "${CONFIG_FILE}" in "${toPath(cwd, ".")}" or above it. Write one, or name a file.`,
		);
	}
	const name = path ?? file;
	let text: string | undefined;
	try {
		text = await readTextFile(file);
	} catch (cause) {
		const { code, message } = cause as { code?: unknown; message: string };
		const why = code === "EISDIR" ? "it is a folder; name the file in it." : message;
		throw new CompactionError("CONFIG_INVALID", `Cannot read the config "${name}": ${why}`, { cause });
	}
	if (text === undefined)
		throw new CompactionError("CONFIG_INVALID", `Cannot read the config "${name}": there is no such file.`);
	const read = readJsonWithComments(text, name);
	const value = options.change === undefined ? read.value : options.change(read.value);
	const loaded: LoadedConfig = {
		config: value as Config,
		file,
		baseUrl: folderUrlOf(file),
		plugins: options.plugins,
	};
	sources.set(loaded, {
		value,
		source: { name, pointer: "", locate: read.locate },
		baseUrl: loaded.baseUrl,
		plugins: options.plugins,
		problems: read.problems,
	});
	return loaded;
}

/** The source of a config, whether it was loaded from a file or made in code. */
export async function sourceOf(
	config: string | Config | LoadedConfig,
	baseUrl: string | undefined,
): Promise<ConfigSource> {
	if (typeof config === "string") return sourceOf(await loadConfig(config), baseUrl);
	const known = sources.get(config);
	if (known !== undefined) return known;
	return {
		value: config,
		source: { name: "the config", pointer: "" },
		baseUrl,
		plugins: undefined,
		problems: [],
	};
}
