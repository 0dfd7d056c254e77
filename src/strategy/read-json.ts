import { closest } from "../core/text/closest.ts";
import { KINDS, type Kind } from "../core/transcript/message.ts";
import { configProblem } from "./strategy-config.ts";

/** The names that the Rust forms give to options, and ours. */
const RUST_NAMES: Readonly<Record<string, string>> = {
	keep_last: "keepLast",
	preserve_kinds: "preserveKinds",
	drop_empty_items: "dropEmptyMessages",
};

function readKinds(use: string, value: unknown, isRust: boolean): Kind[] {
	if (!Array.isArray(value))
		throw configProblem(use, `the kinds to preserve are ${typeof value}; expected a list`);
	return value.map((item: unknown) => {
		const name = typeof item === "string" && isRust ? item.toLowerCase() : item;
		const kind = KINDS.find((known) => known === name);
		if (kind === undefined)
			throw configProblem(use, `"${String(item)}" is no kind; expected one of ${KINDS.join(", ")}`);
		return kind;
	});
}

/** @throws CompactionError CONFIG_INVALID where it is no whole number of 0 or more */
export function checkCount(use: string, option: string, value: unknown): void {
	if (typeof value === "number" && Number.isInteger(value) && value >= 0) return;
	throw configProblem(use, `"${option}" is ${JSON.stringify(value)}; expected a whole number of 0 or more`);
}

function checkFlag(use: string, option: string, value: unknown): void {
	if (typeof value !== "boolean")
		throw configProblem(use, `"${option}" is ${JSON.stringify(value)}; expected true or false`);
}

/**
 * Reads a strategy's config from JSON: as we write it, or as agentkit's Rust types do (`keep_last`,
 * `preserve_kinds` in any case, `drop_empty_items`; there, fields that are not known are passed over).
 * @param options the names of the strategy's options
 * @param needed the Rust field that must be there
 * @returns the options, by our names
 * @throws CompactionError CONFIG_INVALID naming the option
 */
export function readOptions(
	use: string,
	value: unknown,
	options: readonly string[],
	needed: string,
): Record<string, unknown> {
	const parsed: unknown = typeof value === "string" ? parseJson(use, value) : value;
	if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
		throw configProblem(use, "it is no JSON object");
	const written = parsed as Readonly<Record<string, unknown>>;
	const isRust = Object.keys(RUST_NAMES).some((name) => Object.hasOwn(written, name));
	if (isRust && !Object.hasOwn(written, needed)) throw configProblem(use, `the field "${needed}" is missing`);
	const read: Record<string, unknown> = {};
	for (const [name, option] of Object.entries(written)) {
		if (name === "use" && !isRust) {
			if (option !== use) throw configProblem(use, `it is for the strategy "${String(option)}"`);
			continue;
		}
		const key = isRust && Object.hasOwn(RUST_NAMES, name) ? (RUST_NAMES[name] ?? name) : isRust ? "" : name;
		if (options.includes(key)) read[key] = option;
		else if (!isRust) {
			const near = closest(name, options);
			throw configProblem(
				use,
				`it has the unknown option "${name}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`,
			);
		}
	}
	if (read.preserveKinds !== undefined) read.preserveKinds = readKinds(use, read.preserveKinds, isRust);
	for (const count of ["keepLast", "preserveRecent"])
		if (read[count] !== undefined) checkCount(use, count, read[count]);
	if (read.dropEmptyMessages !== undefined) checkFlag(use, "dropEmptyMessages", read.dropEmptyMessages);
	return read;
}

function parseJson(use: string, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw configProblem(use, `it is no JSON: ${why}`);
	}
}
