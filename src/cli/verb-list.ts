/** A verb of the command, in the words of its help. */
export interface Verb {
	readonly name: string;
	/** What stands after the name. */
	readonly takes: string;
	readonly does: string;
}

/** The verbs in the order of the help. The help is printed from this list alone, so that it costs no start-up. */
export const VERBS: readonly Verb[] = [
	{ name: "compact", takes: "[FILE|-]", does: "make a transcript shorter" },
	{
		name: "plan",
		takes: "[FILE|-]",
		does: "say what would be kept, evicted and summarized, with no model call",
	},
	{ name: "parse", takes: "[FILE|-]", does: "a model's answer in, its sections as JSON out" },
	{ name: "render", takes: "[FILE|-]", does: "sections as JSON in, text out" },
	{ name: "trim", takes: "[FILE|-]", does: "sections or summary text in, text within a budget out" },
	{ name: "validate", takes: "[CONFIG]", does: "check a config, its plugins and all options" },
	{ name: "schema", takes: "", does: "print the config's JSON Schema, plugins folded in" },
	{ name: "plugins", takes: "", does: "list what is registered, from where, with which options" },
	{ name: "codegen", takes: "SCHEMA…", does: "print TypeScript types of a JSON Schema, for plugin authors" },
	{ name: "new", takes: "plugin NAME", does: "make a plugin package that builds and passes its tests" },
	{ name: "models", takes: "[NAME]", does: "list the models that are known, with window and price" },
];

/** The flags that every verb takes. */
export const COMMON_FLAGS: readonly (readonly [flags: string, does: string])[] = [
	["--config FILE", "the config; else the nearest precis.config.json upwards"],
	["--no-plugins", "load no plugins, for configs from strangers"],
	["--json", "machine-readable output"],
	["--quiet", "nothing but data and errors"],
	["--no-color", "no colors"],
];

/** The help of the command as a whole. */
export function helpText(): string {
	const rows = (list: readonly (readonly [string, string])[]): string => {
		const width = Math.max(...list.map(([left]) => left.length));
		return list.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
	};
	return `precis makes transcripts of LLM agents shorter and never breaks them.

Usage: precis VERB [FILE|-] [flags]      "-" and no FILE read standard input

${rows(VERBS.map(({ name, takes, does }) => [`${name} ${takes}`, does] as const))}
${rows([...COMMON_FLAGS, ["--version", "print the version"], ["--help", "this text; after a verb: its flags"]])}
Data goes to standard output or --output, everything else to standard error.
Exit codes: 0 done, 1 the pass failed and nothing was written, 2 wrong usage, config or input, 130 interrupted.
`;
}
