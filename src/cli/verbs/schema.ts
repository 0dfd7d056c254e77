import { resolve } from "node:path";
import { composeSchema } from "../../registry/compose-schema.ts";
import type { CommonFlags, SchemaFlags } from "../flags.ts";
import type { CliIo } from "../io.ts";
import { loadRegistry } from "../load-registry.ts";
import { createReporter } from "../reporter.ts";
import { checkWritable, replaceFile } from "../write-files.ts";

/** `precis schema`: prints the JSON Schema of configs, every plugin's options folded in. */
export async function schema(_file: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags: SchemaFlags = common;
	const reporter = await createReporter(flags, io);
	if (flags.output !== undefined) await checkWritable(resolve(io.cwd, flags.output), flags.output, io);
	const text = `${JSON.stringify(composeSchema(await loadRegistry(flags, io)), null, "\t")}\n`;
	if (flags.output === undefined) await io.stdout.write(text);
	else {
		await replaceFile(resolve(io.cwd, flags.output), flags.output, text, io);
		reporter.say(`written ${flags.output}; name it in the config: "$schema": "./${flags.output}"`);
	}
	await reporter.flush();
	return 0;
}
