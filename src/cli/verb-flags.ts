/** A flag of the command. */
export interface FlagSpec {
	/** Without its hyphens; "no-x" turns x off, which is on otherwise. */
	readonly name: string;
	readonly short?: string;
	/** How the help names its value; absent for a flag that stands alone. */
	readonly value?: string;
	/** The least whole number that it may be; absent for text. */
	readonly least?: number;
	readonly isRequired?: boolean;
	/** May be given several times; its values are gathered under its name in the plural. */
	readonly isRepeatable?: boolean;
	readonly does: string;
}

/** The flags that every verb takes. */
export const COMMON_FLAGS: readonly FlagSpec[] = [
	{ name: "config", value: "FILE", does: "the config; else the nearest precis.config.json upwards" },
	{ name: "no-plugins", does: "load no plugins, for configs from strangers" },
	{ name: "json", does: "machine-readable output" },
	{ name: "quiet", does: "nothing but data and errors" },
	{ name: "no-color", does: "no colors" },
];

const OUTPUT: FlagSpec = {
	name: "output",
	short: "o",
	value: "FILE",
	does: "write there instead of to standard output; whole or not at all",
};
const TEMPLATE: FlagSpec = {
	name: "template",
	value: "NAME|FILE.json",
	does: "the summary's template: a name, or a file",
};
const KEEP_LAST: FlagSpec = {
	name: "keep-last",
	value: "N",
	least: 0,
	does: "keep so many newest messages, whatever the config says",
};
const FORCE: FlagSpec = { name: "force", does: "do not ask the trigger" };

/** The flags of each verb beside the common ones. */
export const VERB_FLAGS: Readonly<Record<string, readonly FlagSpec[]>> = {
	compact: [
		OUTPUT,
		{ name: "in-place", does: "write the input file itself; whole or not at all" },
		{ name: "archive", value: "FILE.jsonl", does: "append the evicted originals there, one a line" },
		KEEP_LAST,
		{ name: "model", value: "ID", does: 'summarize by this model, "provider/model"' },
		FORCE,
	],
	plan: [KEEP_LAST, { name: "model", value: "ID", does: "the model that would summarize" }, FORCE],
	parse: [TEMPLATE],
	render: [TEMPLATE],
	trim: [{ name: "budget", value: "N", least: 1, isRequired: true, does: "tokens at most" }, TEMPLATE],
	eval: [
		{
			name: "config",
			value: "FILE",
			isRepeatable: true,
			does: "a config to measure, several times to compare; else the nearest upwards",
		},
		{
			name: "budgets",
			value: "LIST",
			does: 'sizes of the summary as shares of what is evicted, or "own"; 0.025,0.05,0.1 unless given',
		},
	],
	schema: [OUTPUT],
	codegen: [
		{ ...OUTPUT, isRequired: true, does: "where the types go; whole or not at all" },
		{ name: "checker", value: "FILE", does: "where a module that checks the options goes" },
		{ name: "check", does: "write nothing; exit 1 where a file is stale" },
		{ name: "watch", does: "print again whenever a schema changes" },
	],
	new: [
		{ name: "backend", does: "a backend: how a summary is made (the default)" },
		{ name: "strategy", does: "a strategy: what is evicted" },
	],
	models: [{ name: "refresh", does: "fetch the newest catalogue and keep it" }],
};
