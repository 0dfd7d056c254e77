import { resolve } from "node:path";
import { isPreset, resolveTemplate } from "../core/template/resolve-template.ts";
import type { Template, TemplateDefinition } from "../core/template/template.ts";
import { createRegistry } from "../flow/create-registry.ts";
import { createHost } from "../platform/create-host.ts";
import { reasonOf, usageError } from "./cli-error.ts";
import type { TemplateFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { atLoad, findConfig } from "./load-compactor.ts";

/** A template out of a file of its own, checked by its schema. */
async function readTemplate(file: string, io: CliIo): Promise<Template> {
	let text: string;
	try {
		text = await io.files.readFile(resolve(io.cwd, file), "utf8");
	} catch (cause) {
		throw usageError(`Cannot read the template "${file}": ${reasonOf(cause)}.`, cause);
	}
	const [{ readJsonWithComments }, { explainErrors }, { configError }, { loadValidator }] = await Promise.all(
		[
			import("../config/read-config.ts"),
			import("../config/explain.ts"),
			import("../config/check-config.ts"),
			import("../generated/validators.ts"),
		],
	);
	const read = readJsonWithComments(text, file);
	const source = { name: file, pointer: "", locate: read.locate };
	const copy: unknown = structuredClone(read.value);
	const validate = await loadValidator("template");
	const faults = validate(copy) ? [] : explainErrors(validate.errors ?? [], source);
	const problems = [...read.problems, ...faults];
	if (problems.length > 0) throw configError(`the template "${file}"`, problems);
	return resolveTemplate(file, { [file]: copy as TemplateDefinition });
}

/** A template by name: a preset, or one of the config and its plugins. */
async function findTemplate(name: string, flags: TemplateFlags, io: CliIo): Promise<Template> {
	const loaded = isPreset(name) ? undefined : await findConfig(flags, io);
	if (loaded === undefined) return resolveTemplate(name, {});
	const [{ resolveConfig }, { sourceOf }] = await Promise.all([
		import("../flow/resolve-config.ts"),
		import("../flow/load-config.ts"),
	]);
	const registry = createRegistry(loaded.plugins === undefined ? {} : { allow: loaded.plugins });
	const source = await sourceOf(loaded, undefined);
	const resolved = await atLoad(resolveConfig(source, registry, createHost({ baseUrl: loaded.baseUrl })));
	return resolveTemplate(name, resolved.templates);
}

/**
 * The template that `--template` names; "default" without the flag.
 * @throws CliError or CompactionError of usage
 */
export async function loadTemplate(flags: TemplateFlags, io: CliIo): Promise<Template> {
	const { template = "default" } = flags;
	return /\.jsonc?$/i.test(template) ? readTemplate(template, io) : findTemplate(template, flags, io);
}
