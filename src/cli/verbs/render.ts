import { renderSummary } from "../../core/render/render-summary.ts";
import type { CommonFlags, TemplateFlags } from "../flags.ts";
import { json } from "../format.ts";
import type { CliIo } from "../io.ts";
import { loadTemplate } from "../load-template.ts";
import { readInput } from "../read-input.ts";
import { readSections } from "../read-sections.ts";
import { createReporter } from "../reporter.ts";

/** `precis render`: sections as JSON in, text out. */
export async function render(file: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags: TemplateFlags = common;
	const reporter = await createReporter(flags, io);
	const template = await loadTemplate(flags, io);
	const text = renderSummary(readSections(await readInput(file, io, reporter), template, reporter), template);
	await io.stdout.write(flags.json === true ? json({ text }) : `${text}\n`);
	await reporter.flush();
	return 0;
}
