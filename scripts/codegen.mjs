// Prints src/generated/* and src/builtins.ts from schemas/ and plugins/; --check fails where anything is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { compile } from "json-schema-to-typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => JSON.parse(readFileSync(`${root}schemas/${path}.schema.json`, "utf8"));
const KINDS = { strategies: "strategy", backends: "backend", triggers: "trigger", counters: "counter" };
const namesOf = (folder) =>
	readdirSync(`${root}schemas/${folder}`)
		.map((file) => file.replace(".schema.json", ""))
		.sort();
// As json-schema-to-typescript does it: a letter after a digit is a capital too.
const pascal = (name) =>
	name.replace(
		/(^|-|\d)([a-z])/g,
		(_, before, letter) => (before === "-" ? "" : before) + letter.toUpperCase(),
	);
const FILE_REF = /^(?:(?<file>[^#]*)\.schema\.json)?(?:#\/definitions\/(?<definition>\w+))?$/;

/** A schema without references: definitions are put in place; uses of plugged-in things stay open. */
function inline(schema, folder, home, leaf) {
	if (Array.isArray(schema)) return schema.map((item) => inline(item, folder, home, leaf));
	if (typeof schema !== "object" || schema === null) return schema;
	if (typeof schema.$ref === "string") {
		const groups = FILE_REF.exec(schema.$ref)?.groups;
		if (groups === undefined) throw new Error(`Cannot inline "${schema.$ref}"`);
		const path =
			groups.file === undefined
				? undefined
				: new URL(groups.file, `file:///${folder}/`).pathname.replace(/^\/+/, "");
		const target = path === undefined ? home : read(path);
		const definition = groups.definition === undefined ? target : target.definitions[groups.definition];
		if ((path ?? "config") === "config" && Object.values(KINDS).includes(groups.definition))
			return leaf(groups.definition);
		const { $schema: _, definitions: _d, ...rest } = inline(definition, folder, target, leaf);
		return rest;
	}
	return Object.fromEntries(
		Object.entries(schema)
			.filter(([key, value]) => !(key === "$schema" && typeof value === "string") && key !== "definitions")
			.map(([key, value]) => [key, inline(value, folder, home, leaf)]),
	);
}

const openUse = () => ({
	type: "object",
	required: ["use"],
	properties: { use: { type: "string", minLength: 1 } },
});
const typedUse = (kind) => ({ tsType: `${pascal(kind)}Use` });

function optionsSchema(folder, name, leaf) {
	const schema = inline(read(`${folder}/${name}`), folder, read(`${folder}/${name}`), leaf);
	const { use: _, ...properties } = schema.properties;
	return { ...schema, properties };
}

/** The same schema with every property that has a default required: what options are once resolved. */
function resolved(schema) {
	if (Array.isArray(schema)) return schema.map(resolved);
	if (typeof schema !== "object" || schema === null) return schema;
	const out = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value)]));
	if (out.type === "object" && out.properties !== undefined) {
		const required = new Set(out.required ?? []);
		for (const [key, value] of Object.entries(out.properties)) if ("default" in value) required.add(key);
		out.required = [...required];
	}
	return out;
}

const withoutTitles = (schema) =>
	Array.isArray(schema)
		? schema.map(withoutTitles)
		: typeof schema !== "object" || schema === null
			? schema
			: Object.fromEntries(
					Object.entries(schema)
						.filter(([key, value]) => !(key === "title" && typeof value === "string"))
						.map(([key, value]) => [key, withoutTitles(value)]),
				);

async function typeOf(name, schema) {
	const text = await compile(withoutTitles(structuredClone(schema)), name, {
		bannerComment: "",
		additionalProperties: false,
		ignoreMinAndMaxItems: true,
		format: false,
		unknownAny: true,
	});
	return text.replace(/\[k: string\]: unknown \| undefined/g, "[k: string]: unknown");
}

async function printTypes() {
	const parts = [];
	for (const folder of Object.keys(KINDS)) {
		for (const name of namesOf(folder)) {
			const schema = optionsSchema(folder, name, typedUse);
			parts.push(await typeOf(`${pascal(name)}${pascal(KINDS[folder])}Options`, schema));
			parts.push(await typeOf(`Resolved${pascal(name)}${pascal(KINDS[folder])}Options`, resolved(schema)));
		}
	}
	for (const [folder, kind] of Object.entries(KINDS)) {
		const type = `${pascal(kind)}Options`;
		const rows = namesOf(folder).map((name) => `\t"${name}": ${pascal(name)}${pascal(kind)}Options;`);
		parts.push(
			`/** Options by name of every ${kind}; a plugin package adds its own by declaration merging. */`,
			`export interface ${type} {\n${rows.join("\n")}\n}`,
			`/** A ${kind} as a config writes it. */`,
			`export type ${pascal(kind)}Use = { [Name in keyof ${type}]: { use: Name } & ${type}[Name] }[keyof ${type}];`,
		);
	}
	const config = inline(read("config"), "", read("config"), typedUse);
	for (const [name, schema] of [
		["Config", config],
		["SummaryFile", inline(read("summary"), "", read("summary"), typedUse)],
		["ResultFile", inline(read("result"), "", read("result"), typedUse)],
	])
		parts.push(await typeOf(name, schema));
	return `// Printed by scripts/codegen.mjs from schemas/. Do not edit.\n${parts.join("\n")}\n`;
}

const VALIDATED = {
	config: () => inline(read("config"), "", read("config"), openUse),
	template: () => inline(read("template"), "", read("template"), openUse),
	summary: () => inline(read("summary"), "", read("summary"), openUse),
	result: () => inline(read("result"), "", read("result"), openUse),
	plugin: () => inline(read("plugin"), "", read("plugin"), openUse),
	...Object.fromEntries(
		Object.keys(KINDS).flatMap((folder) =>
			namesOf(folder).map((name) => [`${folder}/${name}`, () => optionsSchema(folder, name, openUse)]),
		),
	),
};

/** A checker of one schema, without imports: only what is used is ever loaded. */
async function printValidator(name) {
	const ajv = new Ajv({
		strict: true,
		strictRequired: false,
		strictTypes: false,
		allErrors: true,
		verbose: true,
		useDefaults: true,
		code: { source: true, esm: true, lines: false },
	});
	const code = standaloneCode(ajv, ajv.compile(VALIDATED[name]()));
	const bundled = await build({
		stdin: { contents: code, resolveDir: root, loader: "js" },
		bundle: true,
		write: false,
		format: "esm",
		platform: "neutral",
		mainFields: ["main"],
		target: "es2022",
		minifySyntax: true,
		minifyWhitespace: true,
	});
	const body = bundled.outputFiles[0].text.replace(/export\s*\{([\s\S]*?)\};?\s*$/, (_, names) => {
		const found = /(\w+) as default/.exec(names)?.[1];
		return `export const validator: Validator = ${found};\n`;
	});
	return `// @ts-nocheck
// Printed by scripts/codegen.mjs from schemas/${name}.schema.json. Do not edit.
import type { Validator } from "${"../".repeat(name.split("/").length)}validators.ts";
${body}`;
}

function printValidatorTable() {
	const rows = Object.keys(VALIDATED).map(
		(name) => `\t"${name}": async () => (await import("./validators/${name}.ts")).validator,`,
	);
	return `// Printed by scripts/codegen.mjs from schemas/. Do not edit.
/** One error of a validator, in ajv's form (verbose). */
export interface ValidationError { keyword: string; instancePath: string; schemaPath?: string; params: Record<string, unknown>; message?: string; data?: unknown; parentSchema?: Record<string, unknown>; schema?: unknown }
/** Checks a value in place and fills defaults; problems stand in \`errors\`. */
export interface Validator { (value: unknown): boolean; errors?: ValidationError[] | null }
/** Validators by schema path, for example "strategies/keep-recent"; each is loaded on first use. */
const validators: Readonly<Record<string, () => Promise<Validator>>> = {
${rows.join("\n")}
};

/** The validator of a schema, by its path: "config", "strategies/keep-recent". */
export async function loadValidator(path: string): Promise<Validator> {
\tconst load = Object.hasOwn(validators, path) ? validators[path] : undefined;
\tif (load === undefined) throw new TypeError(\`Cannot check a value: no validator is printed for "\${path}"\`);
\treturn load();
}
`;
}

async function printSchemas() {
	const all = Object.fromEntries(
		Object.keys(KINDS).flatMap((folder) =>
			namesOf(folder).map((name) => [`${folder}/${name}`, read(`${folder}/${name}`)]),
		),
	);
	const shared = {
		config: read("config"),
		template: read("template"),
		"summary-options": read("summary-options"),
	};
	return `// Printed by scripts/codegen.mjs from schemas/. Do not edit.
/** The schema files by path, for \`precis schema\` and \`precis plugins\`. */
export const schemas: Readonly<Record<string, object>> = ${JSON.stringify({ ...shared, ...all }, null, "\t")};
`;
}

function printBuiltins() {
	const rows = Object.keys(KINDS).map((folder) => {
		const items = namesOf(folder)
			.filter((name) => existsSync(`${root}plugins/${folder}/${name}.ts`))
			.map((name) => `\t\t"${name}": () => import("../plugins/${folder}/${name}.ts"),`);
		return `\t${folder}: {\n${items.join("\n")}\n\t},`;
	});
	return `// Printed by scripts/codegen.mjs from plugins/. Do not edit.
import type { Definition } from "./registry/contract.ts";

/** Loads a first-party definition on first use. */
export type BuiltinLoader = () => Promise<{ default: Definition<unknown, never> }>;

/** The first-party plugins by kind and name: the only wire to plugins/. */
export const builtins: Readonly<Record<"strategies" | "backends" | "triggers" | "counters", Readonly<Record<string, BuiltinLoader>>>> = {
${rows.join("\n")}
};
`;
}

const check = process.argv.includes("--check");
mkdirSync(`${root}src/generated`, { recursive: true });
let stale = 0;
for (const [path, print] of [
	["src/generated/types.ts", printTypes],
	["src/generated/validators.ts", printValidatorTable],
	...Object.keys(VALIDATED).map((name) => [
		`src/generated/validators/${name}.ts`,
		() => printValidator(name),
	]),
	["src/generated/schemas.ts", printSchemas],
	["src/builtins.ts", printBuiltins],
]) {
	const text = await print();
	const old = existsSync(root + path) ? readFileSync(root + path, "utf8") : "";
	if (old === text) continue;
	mkdirSync(dirname(root + path), { recursive: true });
	if (check) {
		stale += 1;
		console.error(`${path} is stale: run "npm run codegen"`);
	} else {
		writeFileSync(root + path, text);
		console.error(`printed ${path}`);
	}
}
if (stale > 0) process.exit(1);
