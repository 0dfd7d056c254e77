import { createCompactor } from "../../flow/create-compactor.ts";
import { CONFIG_FILE } from "../../flow/load-config.ts";
import { usageError } from "../cli-error.ts";
import type { CommonFlags } from "../flags.ts";
import { count, json } from "../format.ts";
import type { CliIo } from "../io.ts";
import { atLoad, findConfig } from "../load-compactor.ts";
import { createReporter } from "../reporter.ts";

/** `precis validate`: checks a config, its plugins and all options. */
export async function validate(file: string | undefined, flags: CommonFlags, io: CliIo): Promise<number> {
	if (file !== undefined && flags.config !== undefined) {
		throw usageError(`Cannot validate both "${file}" and "${flags.config}": name one config.`);
	}
	const reporter = await createReporter(flags, io);
	const name = file ?? flags.config;
	const loaded = await findConfig(name === undefined ? flags : { ...flags, config: name }, io);
	if (loaded === undefined) {
		throw usageError(`Cannot find "${CONFIG_FILE}" in "${io.cwd}" or above it. Write one, or name a file.`);
	}
	const { windowTokens, targetTokens } = await atLoad(createCompactor(loaded));
	if (flags.json === true) await io.stdout.write(json({ valid: true, file: loaded.file, problems: [] }));
	reporter.say(
		`${reporter.paint.green("valid")} ${name ?? loaded.file}: window ${count(windowTokens)} tokens, target ${count(targetTokens)}`,
	);
	await reporter.flush();
	return 0;
}
