import type { Host } from "../backend/host.ts";
import type { PluginKind } from "../config/uses.ts";
import { didYouMean } from "../core/text/closest.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { isModuleNotFound, resolveModule } from "../platform/import-module.ts";
import { type LoadedPlugin, pluginOf } from "./plugin-module.ts";

/** Whether a package can be loaded from the config's folder. */
export async function isInstalled(specifier: string, host: Host): Promise<boolean> {
	return "url" in (await resolveModule(specifier, host.baseUrl));
}

/** The error of a plugin that nobody allowed. */
export function notAllowed(specifier: string): CompactionError {
	return new CompactionError(
		"PLUGIN_NOT_FOUND",
		`Cannot load the plugin "${specifier}": plugins are not allowed here, or it is not among the allowed ones.`,
	);
}

/** The error of a name that nothing answers to: what is known, what is close, what to install. */
export function notFound(kind: PluginKind, name: string, names: readonly string[]): CompactionError {
	const [first, second] = candidatePackages(name);
	const install =
		first === undefined
			? ' If it is a plugin, name its module in "plugins", and here the name that it gives.'
			: ` If it is a plugin, run "npm install ${first}" (or "${second}"), or name its module in "plugins".`;
	return new CompactionError(
		"PLUGIN_NOT_FOUND",
		`Cannot find the ${kind} "${name}".${prefixHint(name)}${didYouMean(name, names)} Registered: ${names.join(", ")}.${install}`,
	);
}

/**
 * Imports a plugin as seen from the config's folder and checks its shape.
 * @throws CompactionError PLUGIN_NOT_FOUND or PLUGIN_INVALID
 */
export async function loadPlugin(specifier: string, host: Host): Promise<LoadedPlugin> {
	if (/^(?:https?|data|node):/.test(specifier)) {
		throw new CompactionError(
			"PLUGIN_NOT_FOUND",
			`Cannot load the plugin "${specifier.slice(0, 60)}": expected a package, a path, or a file:, npm: or jsr: specifier.`,
		);
	}
	let module: Record<string, unknown>;
	try {
		module = await host.importModule(specifier);
	} catch (cause) {
		// A module that is there, but imports one that is not, is the plugin's own fault.
		if (isModuleNotFound(cause) && !("url" in (await resolveModule(specifier, host.baseUrl)))) {
			throw new CompactionError(
				"PLUGIN_NOT_FOUND",
				`Cannot find the plugin "${specifier}" from "${host.baseUrl}". ${wayOut(specifier)}`,
				{ cause },
			);
		}
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new CompactionError("PLUGIN_INVALID", `Cannot load the plugin "${specifier}": ${why}`, { cause });
	}
	return { plugin: pluginOf(module, specifier), origin: specifier };
}

/** A package's name where its use was meant. */
function prefixHint(name: string): string {
	const use = /^precis-plugin-(.+)$/.exec(name)?.[1];
	return use === undefined ? "" : ` Write "use": "${use}" for the package "${name}".`;
}

/** What to do about a plugin that is not there. A file's name must not be handed to npm, which may know another. */
function wayOut(specifier: string): string {
	if (/^(?:[./]|file:)/.test(specifier)) return "Correct the path; it is relative to the config file.";
	const isPackage = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(specifier);
	if (!isPackage || /\.[cm]?[jt]s$/.test(specifier)) return `If it is a file, write "./${specifier}".`;
	return `Run "npm install ${specifier}" beside the config.`;
}

/** The packages that a bare name points to. */
export function candidatePackages(name: string): readonly string[] {
	const isBare = /^[a-z0-9][a-z0-9._-]*$/.test(name) && !name.startsWith("precis-plugin-");
	return isBare ? [`precis-plugin-${name}`, `@${name}/precis-plugin`] : [];
}
