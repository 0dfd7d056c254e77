import { CliError } from "../cli-error.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Helpers that printed checkers ask for, by the module that ajv names. They are put in place of the imports. */
const HELPERS: Readonly<Record<string, () => Promise<unknown>>> = {
	"ajv/dist/runtime/ucs2length": async () => (await import("ajv/dist/runtime/ucs2length.js")).default,
	"ajv/dist/runtime/equal": async () => (await import("ajv/dist/runtime/equal.js")).default,
};

/** CommonJS helpers arrive wrapped once or twice. */
function functionOf(value: unknown): (...args: never[]) => unknown {
	let inner = value;
	while (typeof inner === "object" && inner !== null && "default" in inner) inner = inner.default;
	return inner as (...args: never[]) => unknown;
}

/**
 * Prints a module that checks options without ajv and without generating code: it exports a function that returns
 * whether a value is right, fills in defaults, and leaves what is wrong in its `errors`.
 * @throws CliError where the schema is none, or needs what a module of its own cannot hold
 */
export async function printChecker(schema: Schema, file: string): Promise<string> {
	const newer = String(schema.$schema ?? "").includes("2020-12");
	const { default: standalone } = await import("ajv/dist/standalone/index.js");
	const options = {
		strict: false,
		allErrors: true,
		useDefaults: true,
		validateFormats: false,
		code: { source: true, esm: true },
	} as const;
	let code: string;
	try {
		const ajv = newer
			? new (await import("ajv/dist/2020.js")).Ajv2020(options)
			: new (await import("ajv")).Ajv(options);
		const { $schema: _dialect, $id: _id, ...rest } = schema;
		const print = functionOf(standalone) as unknown as (instance: typeof ajv, validate: unknown) => string;
		code = print(ajv, ajv.compile(rest));
	} catch (cause) {
		throw new CliError(2, `Cannot print a checker of "${file}": ${(cause as Error).message}`, cause);
	}
	for (const [name, load] of Object.entries(HELPERS)) {
		const call = `require("${name}").default`;
		if (code.includes(call)) code = code.replaceAll(call, `(${functionOf(await load()).toString()})`);
	}
	if (code.includes("require("))
		throw new CliError(
			2,
			`Cannot print a checker of "${file}": it uses a keyword that needs ajv at run time.`,
		);
	return `${code.replace(/^"use strict";/, "")}\n`;
}
