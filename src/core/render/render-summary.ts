import { forSections } from "../ledger/ledger-section.ts";
import { CANONICAL_SECTIONS } from "../template/canonical-sections.ts";
import { checkSections } from "../template/check-sections.ts";
import { asTemplate } from "../template/resolve-template.ts";
import type { Sections, Template, TemplateDefinition, TemplateSection } from "../template/template.ts";
import { STUB } from "./fixed-lines.ts";

export { STUB };

const LINE_BREAK = /\r\n?|\n/;

/** Whether an entry says anything; one that does not is not rendered. */
export function isEntry(entry: string): boolean {
	// Most entries start with a letter, and need not be looked through.
	return entry.charCodeAt(0) > 0x20 || entry.trim() !== "";
}

/** An entry as its bullet. Continuation lines are indented, so that none can pass for a heading or another bullet. */
export function bulletOf(entry: string): string {
	if (!entry.includes("\n") && !entry.includes("\r")) return `- ${entry}`;
	const [first = "", ...rest] = entry.split(LINE_BREAK);
	return [`- ${first}`, ...rest.map((line) => (line.trim() === "" ? "" : `  ${line}`))].join("\n");
}

/** A heading as its line. */
export function headingOf(section: TemplateSection): string {
	return `### ${section.title}`;
}

/** The sections that a render has, in order, with what is listed under them. */
export function listSections(
	sections: Sections,
	template: Template,
): { readonly section: TemplateSection; readonly entries: readonly string[] }[] {
	const listed = template.sections.length === 0 ? CANONICAL_SECTIONS : template.sections;
	return listed.map((section) => ({
		section,
		entries: (Object.hasOwn(sections, section.id) ? sections[section.id] : undefined) ?? [],
	}));
}

// The text grows piece by piece and is written out once, when it is first read: the fastest way that engines have.
function renderText(sections: Sections, template: Template): string {
	let text = template.header;
	for (const { section, entries } of listSections(sections, template)) {
		let isOpen = false;
		for (const entry of entries) {
			if (!isEntry(entry)) continue;
			if (!isOpen) text += `\n\n${headingOf(section)}`;
			isOpen = true;
			text += entry.includes("\n") ? `\n${bulletOf(entry)}` : `\n- ${entry}`;
		}
	}
	return text.length === template.header.length ? `${text}\n\n${STUB}` : text;
}

function withLineFeeds(sections: Sections): Sections {
	return Object.fromEntries(
		Object.entries(sections).map(([id, entries]) => [
			id,
			entries.map((entry) => entry.replace(/\r\n?/g, "\n")),
		]),
	);
}

/** A summary as text by a resolved template, and nothing that is not in it. */
export function renderSections(sections: Sections, template: Template): string {
	checkSections("render the summary", sections);
	const text = renderText(sections, template);
	// Looked for once in all, since hardly any summary has other line breaks.
	return text.includes("\r") ? renderText(withLineFeeds(sections), template) : text;
}

/**
 * A summary as text: the header, then each section that has entries, in the template's order, with its heading and
 * one bullet an entry; with no entry at all, the header and a one-line stub. Line breaks are LF, and nothing follows
 * the last entry. The identifiers of a pass, which belong to no template, come last under each.
 * @throws CompactionError CONFIG_INVALID for a template that cannot be resolved; TypeError for what is no sections
 */
export function renderSummary(sections: Sections, template?: string | Template | TemplateDefinition): string {
	const resolved = asTemplate(template);
	checkSections("render the summary", sections);
	return renderSections(sections, forSections(resolved, sections));
}
