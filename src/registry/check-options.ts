import { explainErrors, problemAt, type Source } from "../config/explain.ts";
import { CompactionError, type Problem } from "../errors/compaction-error.ts";
import { loadValidator, type ValidationError, type Validator } from "../generated/validators.ts";
import type { Use } from "../strategy/contract.ts";
import { closed } from "./closed-schema.ts";
import { quickCheck } from "./quick-check.ts";

/** Options without the `use` that names what they are for. */
export function withoutUse(use: Use): Record<string, unknown> {
	const { use: _name, ...options } = use;
	return structuredClone(options);
}

const compiled = new WeakMap<object, Validator>();

/** Compiles a plugin's own schema; the draft that it names decides which ajv is loaded. */
async function compile(schema: object, who: string): Promise<Validator> {
	const known = compiled.get(schema);
	if (known !== undefined) return known;
	const options = {
		strict: false,
		allErrors: true,
		verbose: true,
		useDefaults: true,
		validateFormats: false,
	} as const;
	const dialect = String((schema as { $schema?: unknown }).$schema ?? "");
	try {
		const newer = dialect.includes("2020-12") || dialect.includes("2019-09");
		const { Ajv } = newer ? { Ajv: (await import("ajv/dist/2020.js")).Ajv2020 } : await import("ajv");
		const { $schema: _dialect, $id: _id, ...rest } = closed(schema as Readonly<Record<string, unknown>>);
		const validate = new Ajv(options).compile(rest) as unknown as Validator;
		compiled.set(schema, validate);
		return validate;
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new CompactionError("PLUGIN_INVALID", `Cannot use the option schema of ${who}: ${why}`, { cause });
	}
}

/** What checking options gives: a copy with defaults filled in, and every problem. */
export interface CheckedOptions {
	readonly options: Record<string, unknown>;
	readonly problems: readonly Problem[];
}

function run(validate: Validator, options: Record<string, unknown>, source: Source): CheckedOptions {
	const valid = validate(options);
	const errors: readonly ValidationError[] = validate.errors ?? [];
	return { options, problems: valid ? [] : explainErrors(errors, source) };
}

/** Checks the options of a built-in by its printed validator. */
export async function checkBuiltinOptions(
	path: string,
	options: Record<string, unknown>,
	source: Source,
): Promise<CheckedOptions> {
	return run(await loadValidator(path), options, source);
}

/** Checks the options of a plugin's definition by the schema that it brings; without one it takes none. */
export async function checkPluginOptions(
	schema: object | undefined,
	who: string,
	options: Record<string, unknown>,
	source: Source,
): Promise<CheckedOptions> {
	if (schema === undefined) {
		const problems = Object.keys(options).map((key) =>
			problemAt(source, "", `found the unknown key "${key}"; expected none, ${who} takes no options.`, key),
		);
		return { options, problems };
	}
	const quick = quickCheck(closed(schema as Readonly<Record<string, unknown>>), options);
	return quick === undefined
		? run(await compile(schema, who), options, source)
		: { options: quick, problems: [] };
}
