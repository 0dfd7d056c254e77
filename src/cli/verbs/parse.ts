import { parseSummary } from "../../core/parse/parse-summary.ts";
import { CliError } from "../cli-error.ts";
import type { CommonFlags, TemplateFlags } from "../flags.ts";
import { json } from "../format.ts";
import type { CliIo } from "../io.ts";
import { loadTemplate } from "../load-template.ts";
import { readInput } from "../read-input.ts";
import { createReporter } from "../reporter.ts";

/** `precis parse`: a model's answer in, its sections as JSON out. */
export async function parse(file: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags: TemplateFlags = common;
	const reporter = await createReporter(flags, io);
	const template = await loadTemplate(flags, io);
	const input = await readInput(file, io, reporter);
	const parsed = parseSummary(input.text, template);
	if (parsed === undefined) {
		const titles = template.sections.map(({ title }) => `"${title}"`).join(", ");
		throw new CliError(
			1,
			`Cannot parse "${input.name}": it has no section of the template "${template.name}" (${titles}).`,
		);
	}
	await io.stdout.write(json({ sections: parsed.sections, source: parsed.source }));
	await reporter.flush();
	return 0;
}
