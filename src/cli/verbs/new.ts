import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { CliError, reasonOf, usageError } from "../cli-error.ts";
import type { CommonFlags, NewFlags } from "../flags.ts";
import type { CliIo } from "../io.ts";
import { packageFiles } from "../new-plugin/package-files.ts";
import { pluginNames } from "../new-plugin/plugin-names.ts";
import { createReporter } from "../reporter.ts";

/** The versions that the new package is made with: this package's own. */
const VERSIONS = {
	precis: manifest.version,
	typescript: manifest.devDependencies.typescript,
	typesNode: manifest.devDependencies["@types/node"],
	schemaToTypescript: manifest.devDependencies["json-schema-to-typescript"],
};

/** `precis new plugin NAME`: a package that installs, type-checks, passes its tests and packs at once. */
export async function newThing(words: readonly string[], common: CommonFlags, io: CliIo): Promise<number> {
	const flags = common as NewFlags;
	const [what, name, ...rest] = words;
	if (what !== "plugin")
		throw usageError(
			`Cannot make a new ${what === undefined ? "thing" : `"${what}"`}: expected "precis new plugin NAME".`,
		);
	if (name === undefined || rest.length > 0)
		throw usageError('Cannot make a plugin: expected one name, as in "precis new plugin acme".');
	if (flags.backend === true && flags.strategy === true)
		throw usageError("Cannot make a plugin: leave one of --backend and --strategy out.");
	const names = pluginNames(name);
	const folder = resolve(io.cwd, names.package);
	if (
		await stat(folder).then(
			() => true,
			() => false,
		)
	) {
		throw usageError(`Cannot make "${names.package}": there is a file or folder of that name already.`);
	}
	const files = packageFiles(names, flags.strategy === true ? "strategy" : "backend", VERSIONS);
	try {
		for (const [path, text] of Object.entries(files)) {
			await mkdir(dirname(join(folder, path)), { recursive: true });
			await writeFile(join(folder, path), text, { flag: "wx" });
		}
	} catch (cause) {
		throw new CliError(1, `Cannot make "${names.package}": ${reasonOf(cause)}.`, cause);
	}
	const reporter = await createReporter(flags, io);
	reporter.say(`made ${names.package}\n\n  cd ${names.package}\n  npm install\n  npm test\n  npm pack\n`);
	await reporter.flush();
	return 0;
}
