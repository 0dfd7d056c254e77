import type { CommonFlags } from "./flags.ts";
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
	const runner = await RUNNERS[verb.name]?.();
	return (await runner?.(words, flags as unknown as CommonFlags, io)) ?? 0;
}
