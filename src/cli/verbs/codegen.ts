import { watch } from "node:fs";
import { resolve } from "node:path";
import { CliError, reasonOf, usageError } from "../cli-error.ts";
import { printChecker } from "../codegen/print-checker.ts";
import { printOptions, typeNameOf } from "../codegen/print-options.ts";
import type { CodegenFlags, CommonFlags } from "../flags.ts";
import type { CliIo } from "../io.ts";
import { createReporter } from "../reporter.ts";
import { checkWritable, replaceFile } from "../write-files.ts";

const HEADER = "Printed by `precis codegen`. Do not edit.";

async function readSchema(file: string, io: CliIo): Promise<Readonly<Record<string, unknown>>> {
	let text: string;
	try {
		text = (await io.files.readFile(resolve(io.cwd, file))).toString();
	} catch (cause) {
		throw usageError(`Cannot read the schema "${file}": ${reasonOf(cause)}.`, cause);
	}
	const { readJsonWithComments } = await import("../../config/read-config.ts");
	const { value } = readJsonWithComments(text, file);
	if (typeof value === "object" && value !== null && !Array.isArray(value))
		return value as Readonly<Record<string, unknown>>;
	throw usageError(`Cannot use the schema "${file}": expected a JSON object.`);
}

/** What is to be written, by path. */
async function print(
	files: readonly string[],
	flags: CodegenFlags,
	io: CliIo,
): Promise<ReadonlyMap<string, string>> {
	const types: string[] = [];
	const checkers: string[] = [];
	const names = new Map<string, string>();
	for (const file of files) {
		const schema = await readSchema(file, io);
		const name = typeNameOf(schema, file);
		const twin = names.get(name);
		if (twin !== undefined)
			throw usageError(
				`Cannot print types: "${twin}" and "${file}" both give "${name}". Give one another title.`,
			);
		names.set(name, file);
		types.push(await printOptions(schema, file, io.cwd));
		if (flags.checker !== undefined) checkers.push(await printChecker(schema, file));
	}
	const out = new Map([[flags.output, `// ${HEADER}\n${types.join("\n")}`]]);
	if (flags.checker !== undefined)
		out.set(flags.checker, `// @ts-nocheck\n// ${HEADER}\n${checkers.join("\n")}`);
	return out;
}

async function oldText(path: string, io: CliIo): Promise<string | undefined> {
	return io.files.readFile(path).then(String, () => undefined);
}

/** Prints once; with `--check` it only compares. @returns the exit code */
async function once(files: readonly string[], flags: CodegenFlags, io: CliIo): Promise<number> {
	const reporter = await createReporter(flags, io);
	let stale = 0;
	for (const [name, text] of await print(files, flags, io)) {
		const path = resolve(io.cwd, name);
		if ((await oldText(path, io)) === text) {
			reporter.say(`${name} is up to date`);
		} else if (flags.check === true) {
			stale += 1;
			reporter.warn(`${name} is stale: run the same command without --check`);
		} else {
			await checkWritable(path, name, io);
			await replaceFile(path, name, text, io);
			reporter.say(`written ${name}`);
		}
	}
	await reporter.flush();
	return stale === 0 ? 0 : 1;
}

/** `precis codegen SCHEMA… -o FILE`: JSON Schema to TypeScript types, for plugin authors. */
export async function codegen(files: readonly string[], common: CommonFlags, io: CliIo): Promise<number> {
	const flags = common as CodegenFlags;
	if (files.length === 0)
		throw usageError('Cannot print types: name a schema file. Run "precis codegen --help".');
	if (flags.checker !== undefined && files.length > 1)
		throw usageError("Cannot print a checker of several schemas: name one.");
	if (flags.check === true && flags.watch === true)
		throw usageError("Cannot check and watch at once: leave one of --check and --watch out.");
	const code = await once(files, flags, io);
	if (flags.watch !== true) return code;
	return new Promise((done, fail) => {
		const watchers = files.map((file) =>
			watch(resolve(io.cwd, file), () => {
				// A schema that is half written is an error only when it stays one; the next change prints anew.
				once(files, flags, io).catch((error: unknown) => {
					if (!(error instanceof CliError)) fail(error);
				});
			}),
		);
		io.signal.addEventListener("abort", () => {
			for (const watcher of watchers) watcher.close();
			done(0);
		});
	});
}
