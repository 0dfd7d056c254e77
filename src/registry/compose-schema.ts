import { PLUGIN_KINDS, type PluginKind } from "../config/uses.ts";
import { schemas } from "../generated/schemas.ts";
import { closed } from "./closed-schema.ts";
import { definitionsOf, LIST_OF } from "./plugin-module.ts";
import type { Registry } from "./registry.ts";

type Schema = Readonly<Record<string, unknown>>;

const DIALECT = "http://json-schema.org/draft-07/schema#";
const FILE_REF = /^([^#]*)\.schema\.json(?:#\/definitions\/(.+))?$/;

/** The name under which a schema file stands in the bundle. */
function bundleName(path: string): string {
	return path.replaceAll("/", ".");
}

/** The path of a schema file that another one refers to. */
function resolvePath(from: string, relative: string): string {
	return new URL(relative, `file:///${from}`).pathname.slice(1);
}

/** Puts references to files and to a file's own definitions where these stand in the bundle. */
function relocate(value: unknown, path: string): unknown {
	if (Array.isArray(value)) return value.map((item) => relocate(item, path));
	if (typeof value !== "object" || value === null) return value;
	const out: Record<string, unknown> = {};
	for (const [key, inner] of Object.entries(value)) {
		if (key === "$schema" && typeof inner === "string") continue;
		out[key] = key === "$ref" && typeof inner === "string" ? relocateRef(inner, path) : relocate(inner, path);
	}
	return out;
}

function relocateRef(reference: string, path: string): string {
	const file = FILE_REF.exec(reference);
	const target = file === null ? path : resolvePath(path, file[1] ?? "");
	const definition = file === null ? /^#\/definitions\/(.+)$/.exec(reference)?.[1] : file[2];
	if (target === "config") return definition === undefined ? "#" : `#/definitions/${definition}`;
	const home = `#/definitions/${bundleName(target)}`;
	return definition === undefined ? home : `${home}/definitions/${definition}`;
}

/** Puts a plugin's references to its own schema where that stands in the bundle. */
function relocateOwn(value: unknown, home: string): unknown {
	if (Array.isArray(value)) return value.map((item) => relocateOwn(item, home));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [
			key,
			key === "$ref" && typeof inner === "string" && inner.startsWith("#")
				? `${home}${inner.slice(1)}`
				: relocateOwn(inner, home),
		]),
	);
}

/** A plugin's option schema with the `use` that leads to it, and closed unless its author says otherwise. */
function withUse(schema: object | undefined, kind: PluginKind, name: string, origin: string): Schema {
	const home = `#/definitions/${bundleName(`${LIST_OF[kind]}/${name}`)}`;
	const { $schema: _dialect, $id: _id, ...rest } = (schema ?? { type: "object", properties: {} }) as Schema;
	const written = closed(relocateOwn(rest, home) as Schema);
	const use = { const: name, description: `The ${kind} "${name}" of "${origin}".` };
	return { ...written, properties: { use, ...(written.properties as Schema | undefined) } };
}

/**
 * The JSON Schema of config files with the options of every registered plugin folded in: one document without
 * outside references, so that any editor completes and checks third-party options too. Unknown names are errors.
 */
export function composeSchema(registry: Registry): Schema {
	const { definitions: own = {}, ...config } = relocate(schemas.config, "config") as Record<string, unknown>;
	const definitions: Record<string, unknown> = { ...(own as Schema) };
	for (const [path, schema] of Object.entries(schemas)) {
		if (path !== "config") definitions[bundleName(path)] = relocate(schema, path);
	}
	for (const kind of PLUGIN_KINDS) {
		const branches: { if: object; then: object }[] = [];
		const builtin = registry.builtinNames(kind);
		for (const name of builtin) branches.push(branch(name, bundleName(`${LIST_OF[kind]}/${name}`)));
		for (const { plugin, origin } of registry.plugins) {
			for (const definition of definitionsOf(plugin, kind)) {
				const key = bundleName(`${LIST_OF[kind]}/${definition.name}`);
				definitions[key] = withUse(definition.schema, kind, definition.name, origin);
				branches.push(branch(definition.name, key));
			}
		}
		const { properties, ...rest } = definitions[kind] as Record<string, unknown>;
		const use = { ...((properties as Schema).use as Schema), enum: registry.names(kind) };
		definitions[kind] = { ...rest, properties: { use }, allOf: branches };
	}
	return { $schema: DIALECT, ...config, definitions };
}

function branch(name: string, key: string): { if: object; then: object } {
	return {
		if: { properties: { use: { const: name } }, required: ["use"] },
		then: { $ref: `#/definitions/${key}` },
	};
}
