import { didYouMean } from "../core/text/closest.ts";
import type { Problem } from "../errors/compaction-error.ts";
import type { ValidationError } from "../generated/validators.ts";
import { escapeSegment } from "./pointer.ts";
import type { Place } from "./read-config.ts";

/** Where the checked value stands. */
export interface Source {
	/** How messages name it: a file, or what code handed in. */
	readonly name: string;
	/** The pointer of the checked value within the whole. */
	readonly pointer: string;
	/** The place of a pointer, where the value came from a file. */
	readonly locate?: (pointer: string, key?: string) => Place;
}

type Raw = ValidationError & { readonly schemaPath?: string };
type Schema = Readonly<Record<string, unknown>>;

/** A problem at a pointer, said in one line: place, pointer, what was found, what was expected. */
export function problemAt(source: Source, pointer: string, text: string, key?: string): Problem {
	const full = `${source.pointer}${pointer}`;
	const place = source.locate?.(full, key);
	const shown = key === undefined ? full : `${full}/${escapeSegment(key)}`;
	const where = place === undefined ? source.name : `${source.name}:${place.line}:${place.column}`;
	return { message: `${where} ${shown === "" ? "/" : shown}: ${text}`, pointer: shown, ...place };
}

/** A value as messages show it: short, on one line. */
export function show(value: unknown): string {
	if (value === undefined) return "nothing";
	// JSON has no word for a number that is not finite.
	const text = (typeof value === "number" ? undefined : JSON.stringify(value)) ?? String(value);
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function articled(type: string): string {
	return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function describe(schema: Schema | undefined): string {
	if (schema === undefined) return "something else";
	if ("const" in schema) return show(schema.const);
	if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(show).join(", ")}`;
	const branches = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(branches)) return branches.map((branch) => describe(branch as Schema)).join(", or ");
	if (schema.type === "array") return "a list";
	if (typeof schema.type === "string") return schema.type === "null" ? "null" : articled(schema.type);
	return "something else";
}

/** The full sentence that the schema says of a value, to help whoever reads the error. */
function hint(error: Raw): string {
	const text = error.parentSchema?.description;
	return typeof text === "string" ? ` ${text}` : "";
}

const COMPARISONS: Readonly<Record<string, string>> = {
	">=": "at least",
	"<=": "at most",
	">": "more than",
	"<": "less than",
};

function explainOne(error: Raw, source: Source): Problem {
	const { params } = error;
	const at = (text: string, key?: string): Problem => problemAt(source, error.instancePath, text, key);
	switch (error.keyword) {
		case "additionalProperties": {
			const key = String(params.additionalProperty);
			const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
			const list = known.length === 0 ? "It takes no options." : `Known: ${known.join(", ")}.`;
			return at(`found the unknown key ${show(key)}; expected none.${didYouMean(key, known)} ${list}`, key);
		}
		case "required":
			return at(`found no ${show(params.missingProperty)}; expected it to be set.`);
		case "enum": {
			const allowed = (params.allowedValues ?? []) as unknown[];
			return at(
				`found ${show(error.data)}; expected one of ${allowed.map(show).join(", ")}.${didYouMean(String(error.data), allowed.map(String))}${hint(error)}`,
			);
		}
		case "const":
			return at(`found ${show(error.data)}; expected ${show(params.allowedValue)}.${hint(error)}`);
		case "type":
			return at(`found ${show(error.data)}; expected ${describe(error.parentSchema)}.${hint(error)}`);
		case "minimum":
		case "maximum":
		case "exclusiveMinimum":
		case "exclusiveMaximum":
			return at(
				`found ${show(error.data)}; expected ${COMPARISONS[String(params.comparison)] ?? ""} ${show(params.limit)}.${hint(error)}`,
			);
		case "minItems":
		case "minLength":
			return at(`found ${show(error.data)}; expected at least ${show(params.limit)}.${hint(error)}`);
		case "maxItems":
		case "maxLength":
			return at(`found ${show(error.data)}; expected at most ${show(params.limit)}.${hint(error)}`);
		case "pattern":
			return at(
				`found ${show(error.data)}; expected text that matches ${String(params.pattern)}.${hint(error)}`,
			);
		case "propertyNames":
			return at(
				`found the name ${show(params.propertyName)}; expected another spelling of it.${hint(error)}`,
				String(params.propertyName),
			);
		case "anyOf":
		case "oneOf":
			return at(`found ${show(error.data)}; expected ${describe(error.parentSchema)}.${hint(error)}`);
		default:
			return at(`found ${show(error.data)}; ${error.message ?? "it is not allowed"}.${hint(error)}`);
	}
}

/** Whether a branch was refused for what the value is at all, and not for something inside it. */
function refusesOutright(errors: readonly Raw[], pointer: string): boolean {
	return errors.some(
		(error) => error.instancePath === pointer && ["type", "const", "enum"].includes(error.keyword),
	);
}

/**
 * Reduces the errors of `anyOf` and `oneOf` to those of the branch that was most likely meant; where none was,
 * one error says what is possible.
 */
function chooseBranches(errors: readonly Raw[]): readonly Raw[] {
	const union = errors.find((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
	if (union === undefined) return errors;
	const prefix = `${union.schemaPath ?? ""}/`;
	const inside = errors.filter(
		(error) =>
			error.schemaPath?.startsWith(prefix) === true && error.instancePath.startsWith(union.instancePath),
	);
	const rest = errors.filter((error) => error !== union && !inside.includes(error));
	const branches = new Map<string, Raw[]>();
	for (const error of inside) {
		const branch = (error.schemaPath ?? "").slice(prefix.length).split("/")[0] ?? "";
		branches.set(branch, [...(branches.get(branch) ?? []), error]);
	}
	const meant = [...branches.values()]
		.filter((branch) => !refusesOutright(branch, union.instancePath))
		.sort((left, right) => left.length - right.length)[0];
	// The union itself goes; its branch may hold further unions.
	return meant === undefined ? [union, ...chooseBranches(rest)] : chooseBranches([...meant, ...rest]);
}

/** Turns a validator's errors into problems with places, in the order of the file. */
export function explainErrors(errors: readonly ValidationError[], source: Source): readonly Problem[] {
	const names = new Set(
		errors.filter((error) => error.keyword === "propertyNames").map((error) => error.instancePath),
	);
	const chosen = chooseBranches(errors as readonly Raw[]).filter(
		// `propertyNames` comes with the error of the name itself, which says no more.
		(error) => !(names.has(error.instancePath) && error.schemaPath?.includes("/propertyNames/") === true),
	);
	return inOrder(chosen.map((error) => explainOne(error, source)));
}

/** Problems in the order of the file, each once. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
	const seen = new Set<string>();
	return problems
		.filter(({ message }) => !seen.has(message) && seen.add(message) !== undefined)
		.sort((left, right) => (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0));
}
