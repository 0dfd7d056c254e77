import { forSections } from "../core/ledger/ledger-section.ts";
import type { Sections, Template } from "../core/template/template.ts";
import { findJsonFault } from "../formats/json-fault.ts";
import { placeAt } from "../formats/transcript-error.ts";
import { usageError } from "./cli-error.ts";
import type { Input } from "./read-input.ts";
import type { Reporter } from "./reporter.ts";

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** Whether a text is meant as sections in JSON rather than as the text of a summary. */
export function looksLikeJson({ text }: Input): boolean {
	return text
		.trimStart()
		.replace(/^\uFEFF/, "")
		.trimStart()
		.startsWith("{");
}

/** What the template does not have is not written: that is said, and where nothing else is there it is an error. */
function checkIds(name: string, sections: Sections, template: Template, reporter: Reporter): void {
	const filled = Object.keys(sections).filter((id) => sections[id]?.some((entry) => entry.trim() !== ""));
	const known = forSections(template, sections).sections;
	const outside = filled.filter((id) => !known.some((section) => section.id === id));
	if (outside.length === 0) return;
	const ids = outside.map((id) => `"${id}"`).join(", ");
	if (outside.length < filled.length)
		reporter.warn(`left out ${ids}: not in the template "${template.name}".`);
	else
		throw usageError(
			`Cannot use the sections "${name}": the template "${template.name}" has none of ${ids}. Name theirs by "--template".`,
		);
}

/**
 * Sections out of JSON: `{ "sections": { id: [entry, …] } }`, as `precis parse` writes it, or the inner object alone.
 * @throws CliError of usage that names the place; where the template has none of the sections that say something
 */
export function readSections({ text, name }: Input, template: Template, reporter: Reporter): Sections {
	const body = text.replace(/^\uFEFF/, "");
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch (cause) {
		const fault = findJsonFault(body);
		const { line, column } = placeAt(body, fault?.offset ?? 0);
		const what = fault?.what ?? String(cause);
		throw usageError(`Cannot read the sections "${name}": line ${line}, column ${column}: ${what}`, cause);
	}
	const expected = 'expected { "sections": { "ID": ["entry", …] } }, as "precis parse" writes it';
	if (!isObject(value)) throw usageError(`Cannot read the sections "${name}": it is no object; ${expected}.`);
	const isWrapped = Object.hasOwn(value, "sections");
	const sections = isWrapped ? value.sections : value;
	if (!isObject(sections))
		throw usageError(`Cannot read the sections "${name}": /sections is no object; ${expected}.`);
	for (const [id, entries] of Object.entries(sections)) {
		if (isListOfTexts(entries)) continue;
		throw usageError(
			`Cannot read the sections "${name}": ${isWrapped ? "/sections" : ""}/${id} is no list of texts; ${expected}.`,
		);
	}
	checkIds(name, sections as Sections, template, reporter);
	return sections as Sections;
}
