import { parseSummary } from "../../core/parse/parse-summary.ts";
import { trimSummary } from "../../core/trim/trim-summary.ts";
import { CliError } from "../cli-error.ts";
import type { CommonFlags, TrimFlags } from "../flags.ts";
import { json } from "../format.ts";
import type { CliIo } from "../io.ts";
import { loadTemplate } from "../load-template.ts";
import { readInput } from "../read-input.ts";
import { looksLikeJson, readSections } from "../read-sections.ts";
import { createReporter } from "../reporter.ts";

/** `precis trim`: sections or the text of a summary in, text within a budget out. */
export async function trim(file: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags = common as TrimFlags;
	const reporter = await createReporter(flags, io);
	const template = await loadTemplate(flags, io);
	const input = await readInput(file, io, reporter);
	const sections = looksLikeJson(input)
		? readSections(input, template, reporter)
		: parseSummary(input.text, template)?.sections;
	if (sections === undefined) {
		throw new CliError(
			1,
			`Cannot trim "${input.name}": it has no section of the template "${template.name}".`,
		);
	}
	const trimmed = trimSummary(sections, template, flags.budget);
	await io.stdout.write(flags.json === true ? json(trimmed) : `${trimmed.text}\n`);
	await reporter.flush();
	return 0;
}
