import { didYouMean } from "../core/text/closest.ts";
import { CompactionError } from "../errors/compaction-error.ts";

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const has = (value: unknown, member: string, type = "function"): boolean =>
	typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[member] === type;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** What an option may be. Amounts are of tokens, or of things; `anything` is looked at where it is used. */
type ShapeName =
	| "string"
	| "strings"
	| "amount"
	| "positive"
	| "boolean"
	| "function"
	| "object"
	| "list"
	| "signal"
	| "registry"
	| "allowance"
	| "anything";

/** Each shape in words and as a test. */
const SHAPES: Readonly<Record<ShapeName, readonly [string, (value: unknown) => boolean]>> = {
	string: ["a string", isText],
	strings: ["a list of strings", isTexts],
	amount: ["a number of 0 or more", (value) => isNumber(value) && value >= 0],
	positive: ["a number above 0", (value) => isNumber(value) && value > 0],
	boolean: ["true or false", (value) => typeof value === "boolean"],
	function: ["a function", (value) => typeof value === "function"],
	object: ["an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)],
	list: ["a list", Array.isArray],
	signal: ["an AbortSignal", (value) => has(value, "aborted", "boolean") && has(value, "addEventListener")],
	registry: ["what createRegistry gives", (value) => has(value, "find") && has(value, "limitedTo")],
	allowance: ['"none" or a list of specifiers', (value) => value === "none" || isTexts(value)],
	anything: ["anything", () => true],
};

/** One of the shapes, or one of some words. */
type Shape = ShapeName | readonly string[];

/** Every option that a function takes, with what it must be. */
export type OptionShapes<Options> = { readonly [Name in keyof Required<Options>]: Shape };

function testOf(shape: Shape): readonly [string, (value: unknown) => boolean] {
	if (typeof shape === "string") return SHAPES[shape];
	const words = shape.map((word) => JSON.stringify(word)).join(", ");
	return [`one of ${words}`, (value) => isText(value) && shape.includes(value as string)];
}

function show(value: unknown): string {
	if (value === null) return "null";
	if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
	if (typeof value === "function") return "a function";
	const text = typeof value === "string" ? JSON.stringify(value) : String(value);
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/**
 * Refuses options given by code that nobody would look at, or that are no use as they are: nothing that a caller
 * asks for may be ignored in silence. What is undefined counts as not given.
 * @param action what fails with them: "make a compactor"
 * @throws CompactionError CONFIG_INVALID that names every one
 */
export function checkGiven<Options>(action: string, given: unknown, shapes: OptionShapes<Options>): void {
	if (given === undefined) return;
	const problems: string[] = [];
	const names = Object.keys(shapes);
	if (!SHAPES.object[1](given)) problems.push(`the options are ${show(given)}; expected an object`);
	else {
		for (const [name, value] of Object.entries(given as object)) {
			if (value === undefined) continue;
			if (!Object.hasOwn(shapes, name)) {
				problems.push(`there is no option "${name}".${didYouMean(name, names)} Known: ${names.join(", ")}`);
				continue;
			}
			const [expected, is] = testOf((shapes as Readonly<Record<string, Shape>>)[name] ?? "anything");
			if (!is(value)) problems.push(`the option "${name}" is ${show(value)}; expected ${expected}`);
		}
	}
	if (problems.length > 0)
		throw new CompactionError("CONFIG_INVALID", `Cannot ${action}: ${problems.join("; ")}.`);
}

/** Those of the given options that a function takes, where one call serves two. */
export function optionsFor<Options extends object>(given: object, shapes: OptionShapes<Options>): Options {
	const own = Object.entries(given).filter(([name]) => Object.hasOwn(shapes, name));
	return Object.fromEntries(own) as Options;
}
