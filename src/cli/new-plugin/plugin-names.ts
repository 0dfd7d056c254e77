import { builtins } from "../../builtins.ts";
import { usageError } from "../cli-error.ts";

/** The names that a new plugin package goes by. */
export interface PluginNames {
	/** What a config writes: `"use": "acme"`. */
	readonly use: string;
	/** The package: the name that a bare use is looked up under. */
	readonly package: string;
	/** The type of its options. */
	readonly type: string;
}

function isTaken(use: string): boolean {
	return Object.values(builtins).some((list) => Object.hasOwn(list, use));
}

/** @throws CliError where the name is none that a package and a `use` can have */
export function pluginNames(name: string): PluginNames {
	const use = name.replace(/^precis-plugin-/, "");
	if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(use) || use.length > 60) {
		throw usageError(
			`Cannot name a plugin "${name}": expected lower-case words joined by dashes, "acme" or "acme-cloud".`,
		);
	}
	if (isTaken(use)) throw usageError(`Cannot name a plugin "${use}": précis itself gives one of that name.`);
	const words = use.split("-").map((word) => `${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`);
	return { use, package: `precis-plugin-${use}`, type: `${words.join("")}Options` };
}
