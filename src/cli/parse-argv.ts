import { didYouMean } from "../core/text/closest.ts";
import { type CliError, usageError } from "./cli-error.ts";
import { COMMON_FLAGS, type FlagSpec, VERB_FLAGS } from "./verb-flags.ts";
import { VERBS, type Verb } from "./verb-list.ts";

/** What a flag came to; a list where it may be repeated. */
type FlagValue = string | number | boolean | readonly string[];

/** A command line, read. */
export interface ParsedArgv {
	readonly verb: Verb;
	/** Whether the verb's help is asked for; nothing else counts then. */
	readonly isHelp: boolean;
	/** What stands after the verb, flags left out. */
	readonly words: readonly string[];
	/** Values by name in camel case. */
	readonly flags: Readonly<Record<string, FlagValue>>;
}

function misunderstood(what: string, verb?: Verb): CliError {
	const help = verb === undefined ? "precis --help" : `precis ${verb.name} --help`;
	return usageError(`Cannot understand the command line: ${what} Run "${help}".`);
}

function camelCase(name: string): string {
	return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readValue(flag: FlagSpec, text: string | undefined, verb: Verb): string | number {
	if (text === undefined || /^--?[a-z]/.test(text)) {
		throw misunderstood(`the flag "--${flag.name}" lacks its value ${flag.value}.`, verb);
	}
	if (flag.least === undefined) return text;
	const value = Number(text);
	if (/^\d{1,15}$/.test(text) && value >= flag.least) return value;
	throw misunderstood(
		`found "${text}" for "--${flag.name}"; expected a whole number of at least ${flag.least}.`,
		verb,
	);
}

function findVerb(argv: readonly string[]): { readonly verb: Verb; readonly at: number } {
	// Before the verb only common flags make sense, and one of them has a value.
	const at = argv.findIndex((word, index) => !word.startsWith("-") && argv[index - 1] !== "--config");
	const word = argv[at] ?? "";
	const verb = VERBS.find(({ name }) => name === word);
	if (verb !== undefined) return { verb, at };
	const names = VERBS.map(({ name }) => name);
	throw misunderstood(at < 0 ? "it names no verb." : `there is no verb "${word}".${didYouMean(word, names)}`);
}

/**
 * Reads a command line: a verb, words and flags in any order; `--flag value` and `--flag=value`; what stands
 * behind `--` are words.
 * @throws CliError of usage, with a "did you mean"
 */
export function parseArgv(argv: readonly string[]): ParsedArgv {
	const { verb, at: verbAt } = findVerb(argv);
	const specs = [...(VERB_FLAGS[verb.name] ?? []), ...COMMON_FLAGS];
	const flags: Record<string, FlagValue> = {};
	const lists = new Map<FlagSpec, string[]>();
	for (const { name } of specs) if (name.startsWith("no-")) flags[camelCase(name.slice(3))] = true;
	const words: string[] = [];
	let isOver = false;
	for (let at = 0; at < argv.length; at += 1) {
		const word = argv[at] ?? "";
		if (at === verbAt) continue;
		if (isOver || word === "-" || !word.startsWith("-")) {
			words.push(word);
			continue;
		}
		if (word === "--") {
			isOver = true;
			continue;
		}
		if (word === "--help" || word === "-h") return { verb, isHelp: true, words: [], flags };
		const [written = "", ...rest] = word.split("=");
		const flag = specs.find(({ name, short }) => written === `--${name}` || written === `-${short}`);
		if (flag === undefined) {
			const known = specs.map(({ name }) => `--${name}`);
			throw misunderstood(`there is no flag "${written}".${didYouMean(written, known)}`, verb);
		}
		if (flag.value !== undefined) {
			const given = rest.length > 0 ? rest.join("=") : argv[at + 1];
			if (rest.length === 0) at += 1;
			const value = readValue(flag, given, verb);
			if (flag.isRepeatable === true) {
				const list = lists.get(flag) ?? [];
				list.push(String(value));
				lists.set(flag, list);
				flags[`${camelCase(flag.name)}s`] = list;
			} else if (Object.hasOwn(flags, camelCase(flag.name))) {
				throw misunderstood(`the flag "--${flag.name}" is there twice.`, verb);
			} else flags[camelCase(flag.name)] = value;
		} else if (rest.length > 0) {
			throw misunderstood(`the flag "${written}" takes no value.`, verb);
		} else if (flag.name.startsWith("no-")) flags[camelCase(flag.name.slice(3))] = false;
		else flags[camelCase(flag.name)] = true;
	}
	const missing = specs.find(
		({ name, isRequired }) => isRequired === true && !Object.hasOwn(flags, camelCase(name)),
	);
	if (missing !== undefined) throw misunderstood(`it lacks "--${missing.name} ${missing.value}".`, verb);
	const extra = words[verb.words];
	if (extra !== undefined) throw misunderstood(`found "${extra}", one word too many.`, verb);
	return { verb, isHelp: false, words, flags };
}
