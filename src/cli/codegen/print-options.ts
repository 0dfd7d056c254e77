import { pathToFileURL } from "node:url";
import { importModule, isModuleNotFound } from "../../platform/import-module.ts";
import { CliError } from "../cli-error.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The part of json-schema-to-typescript that is used. */
interface Compiler {
	compile(schema: object, name: string, options: object): Promise<string>;
}

/** Loads the compiler of schemas from the author's folder, or from beside this package. */
async function loadCompiler(cwd: string): Promise<Compiler> {
	try {
		return (await importModule(
			"json-schema-to-typescript",
			`${pathToFileURL(cwd).href}/`,
		)) as unknown as Compiler;
	} catch (cause) {
		if (!isModuleNotFound(cause)) throw cause;
		throw new CliError(
			2,
			'Cannot print types: the package "json-schema-to-typescript" is not installed. Run "npm install --save-dev json-schema-to-typescript".',
			cause,
		);
	}
}

/** The same schema with every property that has a default required: what options are once they are resolved. */
function resolved(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(resolved);
	if (typeof schema !== "object" || schema === null) return schema;
	const out: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(schema)) out[key] = resolved(value);
	const properties = out.properties as Schema | undefined;
	if (typeof properties === "object" && properties !== null) {
		const filled = Object.keys(properties).filter((key) =>
			Object.hasOwn(properties[key] as object, "default"),
		);
		const required = Array.isArray(out.required) ? (out.required as readonly string[]) : [];
		if (filled.length + required.length > 0) out.required = [...new Set([...required, ...filled])];
	}
	return out;
}

/** The name of a schema's type: its title, else its file's name. */
export function typeNameOf(schema: Schema, file: string): string {
	const title =
		typeof schema.title === "string" && schema.title !== ""
			? schema.title
			: (file.split(/[\\/]/).at(-1) ?? "options").replace(/(?:\.schema)?\.json$/, "");
	const words = title.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
	const name = words.map((word) => `${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`).join("");
	const safe = /^[A-Za-z]/.test(name) ? name : `Options${name}`;
	return safe.endsWith("Options") ? safe : `${safe}Options`;
}

/**
 * Prints the types of options that a JSON Schema describes: as users write them, and as a factory gets them, with
 * defaults filled in.
 * @throws CliError where the compiler is missing or cannot read the schema
 */
export async function printOptions(schema: Schema, file: string, cwd: string): Promise<string> {
	const { compile } = await loadCompiler(cwd);
	const name = typeNameOf(schema, file);
	const { title: _title, ...untitled } = schema;
	const options = {
		bannerComment: "",
		additionalProperties: false,
		cwd,
		// A schema may be a stranger's: it must not make this fetch anything.
		$refOptions: { resolve: { http: false } },
	};
	try {
		const written = await compile(structuredClone(untitled), name, options);
		const filled = await compile(resolved(untitled) as object, `Resolved${name}`, options);
		return `${written.trim()}\n\n${filled.trim()}\n`;
	} catch (cause) {
		const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
		throw new CliError(2, `Cannot print the types of "${file}": ${why}`, cause);
	}
}
