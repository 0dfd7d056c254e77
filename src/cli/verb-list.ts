import { COMMON_FLAGS, type FlagSpec, VERB_FLAGS } from "./verb-flags.ts";

/** A verb of the command, in the words of its help. */
export interface Verb {
	readonly name: string;
	/** What stands after the name. */
	readonly takes: string;
	/** How many words it takes at most. */
	readonly words: number;
	readonly does: string;
}

/** The verbs in the order of the help. The help is printed from this list alone, so that it costs no start-up. */
export const VERBS: readonly Verb[] = [
	{ name: "compact", takes: "[FILE|-]", words: 1, does: "make a transcript shorter" },
	{
		name: "plan",
		takes: "[FILE|-]",
		words: 1,
		does: "say what would be kept, evicted and summarized, with no model call",
	},
	{ name: "parse", takes: "[FILE|-]", words: 1, does: "a model's answer in, its sections as JSON out" },
	{ name: "render", takes: "[FILE|-]", words: 1, does: "sections as JSON in, text out" },
	{
		name: "trim",
		takes: "[FILE|-]",
		words: 1,
		does: "sections or summary text in, text within a budget out",
	},
	{
		name: "eval",
		takes: "FILE…|FOLDER",
		words: Number.POSITIVE_INFINITY,
		does: "measure configs on one's own transcripts",
	},
	{ name: "validate", takes: "[CONFIG]", words: 1, does: "check a config, its plugins and all options" },
	{ name: "schema", takes: "", words: 0, does: "print the config's JSON Schema, plugins folded in" },
	{ name: "plugins", takes: "", words: 0, does: "list what is registered, from where, with which options" },
	{
		name: "codegen",
		takes: "SCHEMA…",
		words: Number.POSITIVE_INFINITY,
		does: "print TypeScript types of a JSON Schema, for plugin authors",
	},
	{
		name: "new",
		takes: "plugin NAME",
		words: Number.POSITIVE_INFINITY,
		does: "make a plugin package that builds and passes its tests",
	},
	{
		name: "models",
		takes: "[NAME]",
		words: 1,
		does: "list the models that are known, with window and price",
	},
];

type Row = readonly [left: string, right: string];

function rows(list: readonly Row[]): string {
	const width = Math.max(...list.map(([left]) => left.length));
	return list.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function flagRow({ name, short, value, does }: FlagSpec): Row {
	return [
		`${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
		does,
	];
}

/** The help of the command as a whole. */
export function helpText(): string {
	return `precis makes transcripts of LLM agents shorter and never breaks them.

Usage: precis VERB [FILE|-] [flags]      "-" and no FILE read standard input

${rows(VERBS.map(({ name, takes, does }): Row => [`${name} ${takes}`, does]))}
${rows([...COMMON_FLAGS.map(flagRow), ["--version", "print the version"], ["--help", "this text; after a verb: its flags"]])}
Data goes to standard output or --output, everything else to standard error.
Exit codes: 0 done, 1 the pass failed and nothing was written, 2 wrong usage, config or input, 130 interrupted.
`;
}

/** The help of one verb. */
export function verbHelp({ name, takes, does }: Verb): string {
	const own = VERB_FLAGS[name] ?? [];
	const common = COMMON_FLAGS.filter((flag) => !own.some((other) => other.name === flag.name));
	return `precis ${name}: ${does}.

Usage: precis ${name} ${takes === "" ? "" : `${takes} `}[flags]

${own.length === 0 ? "" : `${rows(own.map(flagRow))}\n`}${rows(common.map(flagRow))}`;
}
