import type { PluginKind } from "../config/uses.ts";
import { didYouMean } from "../core/text/closest.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { Definition, Plugin } from "./contract.ts";

/** A plugin, and the specifier that it was loaded by. */
export interface LoadedPlugin {
	readonly plugin: Plugin;
	readonly origin: string;
}

/** The version of the plugin interface that this package speaks. */
export const API_VERSION = 1;

/** The list of a plugin that holds definitions of a kind. */
export const LIST_OF: Readonly<Record<PluginKind, "strategies" | "backends" | "triggers" | "counters">> = {
	strategy: "strategies",
	backend: "backends",
	trigger: "triggers",
	counter: "counters",
};

const MEMBERS = ["name", "apiVersion", "templates", ...Object.values(LIST_OF)];

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(origin: string, what: string, cause?: unknown): CompactionError {
	return new CompactionError("PLUGIN_INVALID", `Cannot load the plugin "${origin}": ${what}`, { cause });
}

/**
 * Takes the plugin out of a module: the default export, wrapped once more where CommonJS was compiled from
 * ESM, or the export named `plugin`.
 */
function unwrap(module: Record<string, unknown>): unknown {
	const looksRight = (value: unknown): boolean => isObject(value) && "apiVersion" in value;
	const outer = module.default;
	const candidates = [
		outer,
		isObject(outer) ? outer.default : undefined,
		module.plugin,
		isObject(outer) ? outer.plugin : undefined,
		module,
	];
	return candidates.find(looksRight) ?? (isObject(outer) ? outer : undefined);
}

function checkDefinition(origin: string, where: string, value: unknown): void {
	if (!isObject(value))
		throw invalid(origin, `${where} is ${typeof value}; expected an object with name, schema and create.`);
	if (typeof value.name !== "string" || value.name === "")
		throw invalid(origin, `${where}.name is ${typeof value.name}; expected text.`);
	if (typeof value.create !== "function") {
		throw invalid(
			origin,
			`${where}.create of "${value.name}" is ${typeof value.create}; expected a function.`,
		);
	}
	if (value.schema !== undefined && !isObject(value.schema)) {
		throw invalid(
			origin,
			`${where}.schema of "${value.name}" is ${typeof value.schema}; expected a JSON Schema object.`,
		);
	}
}

/**
 * Checks a plugin's shape; what its factories give is checked when they are called.
 * @throws CompactionError PLUGIN_INVALID naming the plugin, the member and its type
 */
export function checkPlugin(value: unknown, origin: string): Plugin {
	if (!isObject(value)) {
		throw invalid(
			origin,
			'it has no default export that is a plugin; expected "export default { name, apiVersion: 1, … }".',
		);
	}
	if (value.apiVersion !== API_VERSION) {
		const asked =
			value.apiVersion === undefined ? "no apiVersion" : `apiVersion ${JSON.stringify(value.apiVersion)}`;
		throw invalid(origin, `it asks for ${asked}; this version of precis speaks apiVersion ${API_VERSION}.`);
	}
	if (typeof value.name !== "string" || value.name === "") {
		throw invalid(origin, `name is ${typeof value.name}; expected text.`);
	}
	for (const key of Object.keys(value)) {
		if (!MEMBERS.includes(key)) {
			throw invalid(
				origin,
				`it has the unknown member "${key}".${didYouMean(key, MEMBERS)} Known: ${MEMBERS.join(", ")}.`,
			);
		}
	}
	for (const list of Object.values(LIST_OF)) {
		const members = value[list];
		if (members === undefined) continue;
		if (!Array.isArray(members)) throw invalid(origin, `${list} is ${typeof members}; expected a list.`);
		for (const [index, member] of members.entries()) checkDefinition(origin, `${list}[${index}]`, member);
	}
	if (value.templates !== undefined && !isObject(value.templates)) {
		throw invalid(origin, `templates is ${typeof value.templates}; expected an object of templates by name.`);
	}
	return value as unknown as Plugin;
}

/** Takes the plugin out of an imported module and checks it. */
export function pluginOf(module: Record<string, unknown>, origin: string): Plugin {
	return checkPlugin(unwrap(module), origin);
}

/** The definitions of a kind that a plugin gives. */
export function definitionsOf(plugin: Plugin, kind: PluginKind): readonly Definition<unknown, never>[] {
	return plugin[LIST_OF[kind]] ?? [];
}
