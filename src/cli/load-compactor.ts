import { pathToFileURL } from "node:url";
import { isCompactionError } from "../errors/compaction-error.ts";
import { type Compactor, createCompactor } from "../flow/create-compactor.ts";
import { CONFIG_FILE, type LoadedConfig, loadConfig } from "../flow/load-config.ts";
import type { Config } from "../generated/types.ts";
import { findUp } from "../platform/files.ts";
import { CliError } from "./cli-error.ts";
import type { CommonFlags, TranscriptFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { overrideConfig } from "./override-config.ts";
import type { Reporter } from "./reporter.ts";

/** What is done where there is no config: offline, with no key. */
export const DEFAULT_CONFIG: Config = { strategy: { use: "summarize-older" } };

/** A fault of a plugin is the user's to mend as long as it is being loaded. */
export async function atLoad<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (isCompactionError(error) && error.code !== "CANCELLED") throw new CliError(2, error.message, error);
		throw error;
	}
}

/** URL of the working directory, with a slash at its end. */
export function baseUrlOf(io: CliIo): string {
	return `${pathToFileURL(io.cwd).href}/`;
}

/**
 * The config that `--config` names, else the nearest one upwards, else undefined.
 * @throws CliError of usage where it cannot be read
 */
export async function findConfig(
	flags: CommonFlags,
	io: CliIo,
	change?: (config: unknown) => unknown,
): Promise<LoadedConfig | undefined> {
	const path = flags.config ?? (await findUp(CONFIG_FILE, io.cwd));
	if (path === undefined) return undefined;
	return atLoad(
		loadConfig(path, {
			cwd: io.cwd,
			...(flags.plugins ? {} : { plugins: "none" as const }),
			...(change === undefined ? {} : { change }),
		}),
	);
}

/** A compactor for the config that the flags ask for, or for the default, which is said. */
export async function loadCompactor(
	flags: TranscriptFlags,
	io: CliIo,
	reporter: Reporter,
): Promise<{ readonly compactor: Compactor; readonly config: Config; readonly file?: string }> {
	const change = (config: unknown): unknown => overrideConfig(config, flags);
	const loaded = await findConfig(flags, io, change);
	if (loaded !== undefined)
		return { compactor: await atLoad(createCompactor(loaded)), config: loaded.config, file: loaded.file };
	reporter.say(
		`precis: found no "${CONFIG_FILE}" here or above; using ${JSON.stringify(DEFAULT_CONFIG)}, offline`,
	);
	const config = change(DEFAULT_CONFIG) as Config;
	return { compactor: await atLoad(createCompactor(config, { baseUrl: baseUrlOf(io) })), config };
}
