import { type Compactor, createCompactor } from "../../flow/create-compactor.ts";
import { CONFIG_FILE } from "../../flow/load-config.ts";
import type { Config } from "../../generated/types.ts";
import type { CommonFlags } from "../flags.ts";
import type { CliIo } from "../io.ts";
import { atLoad, baseUrlOf, DEFAULT_CONFIG, findConfig } from "../load-compactor.ts";
import { withSummaryTokens } from "../override-config.ts";
import type { Reporter } from "../reporter.ts";

/** A config that is measured. */
export interface MeasuredConfig {
	/** As the output names it: the file as it was named, or "default". */
	readonly name: string;
	/** The config as it stands. */
	readonly compactor: Compactor;
	/** Whether all its backends work without a model, so that no call costs anything. */
	readonly isFree: boolean;
	/** Whether one of its strategies says how large its summary may be, so that it can be told. */
	readonly takesSummaryTokens: boolean;
	/** A compactor whose summaries may have so many tokens. */
	withSummaryTokens(max: number): Promise<Compactor>;
}

/** Whether a config names no backend but the one that needs no model. */
function isFree(config: unknown): boolean {
	const { backend } = (config ?? {}) as { readonly backend?: unknown };
	const uses = [backend ?? []].flat() as readonly { readonly use?: unknown }[];
	return uses.every(({ use }) => use === "extractive");
}

/** Opens one config, or, where none is named and none found, the default, which is said. */
export async function openConfig(
	name: string | undefined,
	flags: CommonFlags,
	io: CliIo,
	reporter: Reporter,
): Promise<MeasuredConfig> {
	let config: unknown;
	const open = async (path: string | undefined, max?: number): Promise<Compactor | undefined> => {
		const change = (read: unknown): unknown => {
			config = read;
			return max === undefined ? read : (withSummaryTokens(read, max) ?? read);
		};
		const loaded = await findConfig(
			{ ...flags, ...(path === undefined ? {} : { config: path }) },
			io,
			change,
		);
		return loaded === undefined ? undefined : atLoad(createCompactor(loaded));
	};
	const compactor = await open(name);
	if (compactor !== undefined) {
		return {
			name: name ?? CONFIG_FILE,
			compactor,
			isFree: isFree(config),
			takesSummaryTokens: withSummaryTokens(config, 1) !== undefined,
			withSummaryTokens: async (max) => (await open(name, max)) ?? compactor,
		};
	}
	reporter.say(
		`precis: found no "${CONFIG_FILE}" here or above; using ${JSON.stringify(DEFAULT_CONFIG)}, offline`,
	);
	const openDefault = (value: Config): Promise<Compactor> =>
		atLoad(createCompactor(value, { baseUrl: baseUrlOf(io) }));
	return {
		name: "default",
		compactor: await openDefault(DEFAULT_CONFIG),
		isFree: true,
		takesSummaryTokens: true,
		withSummaryTokens: (max) =>
			openDefault((withSummaryTokens(DEFAULT_CONFIG, max) ?? DEFAULT_CONFIG) as Config),
	};
}
