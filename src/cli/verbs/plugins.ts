import { PLUGIN_KINDS } from "../../config/uses.ts";
import { schemas } from "../../generated/schemas.ts";
import { definitionsOf, LIST_OF } from "../../registry/plugin-module.ts";
import type { Registry } from "../../registry/registry.ts";
import type { CommonFlags } from "../flags.ts";
import { json, table } from "../format.ts";
import type { CliIo } from "../io.ts";
import { loadRegistry } from "../load-registry.ts";
import { createReporter } from "../reporter.ts";

/** A registered thing as the list shows it. */
interface Listed {
	readonly name: string;
	/** "precis" for what is built in, else the specifier of the plugin. */
	readonly origin: string;
	/** Names of the options, sorted. */
	readonly options: readonly string[];
}

function optionsOf(schema: object | undefined): readonly string[] {
	const { properties = {} } = (schema ?? {}) as { properties?: object };
	return Object.keys(properties)
		.filter((name) => name !== "use")
		.sort();
}

function list(registry: Registry, kind: (typeof PLUGIN_KINDS)[number]): readonly Listed[] {
	const builtin = registry.builtinNames(kind).map((name) => ({
		name,
		origin: "precis",
		options: optionsOf(schemas[`${LIST_OF[kind]}/${name}`]),
	}));
	const others = registry.plugins.flatMap(({ plugin, origin }) =>
		definitionsOf(plugin, kind).map(({ name, schema }) => ({ name, origin, options: optionsOf(schema) })),
	);
	return [...builtin, ...others].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** `precis plugins`: what is registered, from where, with which options. */
export async function plugins(_file: string | undefined, flags: CommonFlags, io: CliIo): Promise<number> {
	const reporter = await createReporter(flags, io);
	const registry = await loadRegistry(flags, io);
	const listed = Object.fromEntries(PLUGIN_KINDS.map((kind) => [LIST_OF[kind], list(registry, kind)]));
	const templates = Object.keys(registry.templates).sort();
	if (flags.json === true) await io.stdout.write(json({ ...listed, templates }));
	else {
		const blocks = Object.entries(listed).map(([kind, things]) => {
			const rows = things.map(({ name, origin, options }) => {
				const from = origin === "precis" ? "" : `from "${origin}"; `;
				return [name, `${from}${options.length === 0 ? "no options" : options.join(", ")}`] as const;
			});
			return `${kind}\n${table(rows)}\n`;
		});
		if (templates.length > 0) blocks.push(`templates of plugins\n  ${templates.join(", ")}\n`);
		await io.stdout.write(blocks.join("\n"));
	}
	await reporter.flush();
	return 0;
}
