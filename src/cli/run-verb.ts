import type { CommonFlags } from "./flags.ts";
import { json } from "./format.ts";
import type { CliIo } from "./io.ts";
import { parseArgv } from "./parse-argv.ts";
import { verbHelp } from "./verb-list.ts";

type VerbRunner = (file: string | undefined, flags: CommonFlags, io: CliIo) => Promise<number>;
type WordsRunner = (words: readonly string[], flags: CommonFlags, io: CliIo) => Promise<number>;

/** A verb of one word at most, run on it. */
function onFile(load: () => Promise<VerbRunner>): () => Promise<WordsRunner> {
	return async () => {
		const runner = await load();
		return ([file], flags, io) => runner(file, flags, io);
	};
}

/** A verb loads only what it needs. */
const RUNNERS: Readonly<Record<string, () => Promise<WordsRunner>>> = {
	compact: onFile(async () => (await import("./verbs/compact.ts")).compact),
	plan: onFile(async () => (await import("./verbs/plan.ts")).plan),
	parse: onFile(async () => (await import("./verbs/parse.ts")).parse),
	render: onFile(async () => (await import("./verbs/render.ts")).render),
	trim: onFile(async () => (await import("./verbs/trim.ts")).trim),
	eval: async () => (await import("./verbs/eval.ts")).evaluate,
	validate: onFile(async () => (await import("./verbs/validate.ts")).validate),
	schema: onFile(async () => (await import("./verbs/schema.ts")).schema),
	plugins: onFile(async () => (await import("./verbs/plugins.ts")).plugins),
	models: onFile(async () => (await import("./verbs/models.ts")).models),
	codegen: async () => (await import("./verbs/codegen.ts")).codegen,
	new: async () => (await import("./verbs/new.ts")).newThing,
};

/** With `--json` a program reads what failed, and by which code, where it would have read the result. */
async function writeFailure(error: unknown, verb: string, io: CliIo): Promise<void> {
	const { failureOf } = await import("./report-error.ts");
	const failure = failureOf(error, io);
	const written = verb === "validate" ? { valid: false, ...failure } : { status: "failed", ...failure };
	// What stands in the way of standard output is the failure itself, or is told by it.
	await io.stdout.write(json(written)).catch(() => undefined);
}

/**
 * Runs one verb.
 * @throws CliError for wrong usage, and whatever the verb throws
 */
export async function runVerb(argv: readonly string[], io: CliIo): Promise<number> {
	const { verb, isHelp, words, flags } = parseArgv(argv);
	if (isHelp) {
		await io.stdout.write(verbHelp(verb));
		return 0;
	}
	const common = flags as unknown as CommonFlags;
	const runner = await RUNNERS[verb.name]?.();
	try {
		return (await runner?.(words, common, io)) ?? 0;
	} catch (error) {
		if (common.json === true) await writeFailure(error, verb.name, io);
		throw error;
	}
}
