import { Command, CommanderError, InvalidArgumentError } from "commander";
import { usageError } from "./cli-error.ts";
import type { CommonFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { COMMON_FLAGS, VERBS } from "./verb-list.ts";

type WordsRunner = (words: readonly string[], flags: CommonFlags, io: CliIo) => Promise<number>;
type VerbRunner = (file: string | undefined, flags: CommonFlags, io: CliIo) => Promise<number>;

/** A verb loads only what it needs. */
const RUNNERS: Readonly<Record<string, () => Promise<VerbRunner>>> = {
	compact: async () => (await import("./verbs/compact.ts")).compact,
	plan: async () => (await import("./verbs/plan.ts")).plan,
	parse: async () => (await import("./verbs/parse.ts")).parse,
	render: async () => (await import("./verbs/render.ts")).render,
	trim: async () => (await import("./verbs/trim.ts")).trim,
	validate: async () => (await import("./verbs/validate.ts")).validate,
	schema: async () => (await import("./verbs/schema.ts")).schema,
	plugins: async () => (await import("./verbs/plugins.ts")).plugins,
	models: async () => (await import("./verbs/models.ts")).models,
};

/** Verbs that take any number of words. */
const MANY: Readonly<Record<string, () => Promise<WordsRunner>>> = {
	codegen: async () => (await import("./verbs/codegen.ts")).codegen,
	new: async () => (await import("./verbs/new.ts")).newThing,
};

/** Reads a whole number of at least `least`. */
function wholeNumber(least: number): (text: string) => number {
	return (text) => {
		const value = Number(text);
		if (/^\d{1,15}$/.test(text) && value >= least) return value;
		throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
	};
}

const OUTPUT = [
	"-o, --output <FILE>",
	"write there instead of to standard output; whole or not at all",
] as const;
const TEMPLATE = ["--template <NAME|FILE.json>", "the summary's template: a name, or a file"] as const;
const KEEP_LAST = [
	"--keep-last <N>",
	"keep so many newest messages, whatever the config says",
	wholeNumber(0),
] as const;
const FORCE = ["--force", "do not ask the trigger"] as const;

/** The flags of each verb beside the common ones. */
const FLAGS: Readonly<Record<string, (verb: Command) => Command>> = {
	compact: (verb) =>
		verb
			.option(...OUTPUT)
			.option("--in-place", "write the input file itself; whole or not at all")
			.option("--archive <FILE.jsonl>", "append the evicted originals there, one a line")
			.option(...KEEP_LAST)
			.option("--model <ID>", 'summarize by this model, "provider/model"')
			.option(...FORCE),
	plan: (verb) =>
		verb
			.option(...KEEP_LAST)
			.option("--model <ID>", "the model that would summarize")
			.option(...FORCE),
	parse: (verb) => verb.option(...TEMPLATE),
	render: (verb) => verb.option(...TEMPLATE),
	trim: (verb) => verb.requiredOption("--budget <N>", "tokens at most", wholeNumber(1)).option(...TEMPLATE),
	schema: (verb) => verb.option(...OUTPUT),
	codegen: (verb) =>
		verb
			.requiredOption("-o, --output <FILE>", "where the types go; whole or not at all")
			.option("--checker <FILE>", "where a module that checks the options goes")
			.option("--check", "write nothing; exit 1 where a file is stale")
			.option("--watch", "print again whenever a schema changes"),
	new: (verb) =>
		verb
			.option("--backend", "a backend: how a summary is made (the default)")
			.option("--strategy", "a strategy: what is evicted"),
	models: (verb) => verb.option("--refresh", "fetch the newest catalogue and keep it"),
};

/** One sentence of commander's, as ours. */
function explain(error: CommanderError, verb: string): string {
	const [what = "", ...hints] = error.message.replace(/^error: /, "").split("\n");
	const hint = hints.map((line) => ` ${line.replace(/^\((.*)\)$/, "$1")}`).join("");
	return `Cannot understand the command line: ${what.replaceAll("'", '"').replace(/\.?$/, ".")}${hint} Run "precis ${verb}--help".`;
}

/**
 * Runs one verb.
 * @throws CliError for wrong usage, and whatever the verb throws
 */
export async function runVerb(argv: readonly string[], io: CliIo): Promise<number> {
	let exitCode = 0;
	const written: Promise<void>[] = [];
	const program = new Command("precis").exitOverride().showHelpAfterError(false);
	program.configureOutput({
		writeOut: (text) => written.push(io.stdout.write(text)),
		writeErr: (text) => written.push(io.stderr.write(text)),
		outputError: () => undefined,
		getOutHelpWidth: () => io.stdout.columns || 100,
		getErrHelpWidth: () => io.stderr.columns || 100,
		getOutHasColors: () => false,
		getErrHasColors: () => false,
	});
	program.configureHelp({ showGlobalOptions: true });
	for (const [flags, does] of COMMON_FLAGS) program.option(flags.replace(" FILE", " <FILE>"), does);
	for (const { name, takes, does } of VERBS) {
		const verb = program.command(name).description(`${does[0]?.toUpperCase()}${does.slice(1)}.`);
		const many = MANY[name];
		if (many !== undefined) {
			verb.argument("[words...]").usage(`${takes} [flags]`);
			verb.action(async (words: readonly string[]) => {
				exitCode = await (await many())(words, verb.optsWithGlobals<CommonFlags>(), io);
			});
		} else if (takes !== "") verb.argument(takes);
		FLAGS[name]?.(verb);
		if (many !== undefined) continue;
		verb.action(async (...args: unknown[]) => {
			const file = takes === "" ? undefined : (args[0] as string | undefined);
			const runner = await RUNNERS[name]?.();
			exitCode = (await runner?.(file, verb.optsWithGlobals<CommonFlags>(), io)) ?? 0;
		});
	}
	try {
		await program.parseAsync(argv, { from: "user" });
	} catch (error) {
		await Promise.all(written);
		if (!(error instanceof CommanderError)) throw error;
		if (error.exitCode === 0) return 0;
		const verb = VERBS.find(({ name }) => argv.includes(name));
		throw usageError(explain(error, verb === undefined ? "" : `${verb.name} `), error);
	}
	return exitCode;
}
