import { CANONICAL_SECTIONS } from "../template/canonical-sections.ts";
import { asTemplate } from "../template/resolve-template.ts";
import type { Sections, Template, TemplateDefinition, TemplateSection } from "../template/template.ts";
import { STUB } from "./fixed-lines.ts";

export { STUB };

const LINE_BREAK = /\r\n?|\n/;

/** An entry as the lines of its bullet: continuation lines are indented, so that none can pass for another thing. */
function bulletLines(entry: string): string[] {
	if (!entry.includes("\n") && !entry.includes("\r")) return [`- ${entry}`];
	const [first = "", ...rest] = entry.split(LINE_BREAK);
	return [`- ${first}`, ...rest.map((line) => (line.trim() === "" ? "" : `  ${line}`))];
}

/** A section that is rendered: its heading line, and each entry as its lines. */
export interface RenderedSection {
	readonly section: TemplateSection;
	readonly heading: string;
	readonly entries: readonly (readonly string[])[];
}

/** The sections of a template that have something to say, in its order. Blank entries are none. */
export function renderSections(sections: Sections, template: Template): RenderedSection[] {
	const listed = template.sections.length === 0 ? CANONICAL_SECTIONS : template.sections;
	const rendered: RenderedSection[] = [];
	for (const section of listed) {
		const entries = Object.hasOwn(sections, section.id) ? (sections[section.id] ?? []) : [];
		const written = entries.filter((entry) => entry.trim() !== "").map(bulletLines);
		if (written.length > 0) rendered.push({ section, heading: `### ${section.title}`, entries: written });
	}
	return rendered;
}

/**
 * A summary as text: the header, then each section that has entries, in the template's order, with its heading and
 * one bullet an entry; with no entry at all, the header and a one-line stub. Line breaks are LF, and nothing follows
 * the last entry.
 * @throws CompactionError CONFIG_INVALID for a template that cannot be resolved
 */
export function renderSummary(sections: Sections, template?: string | Template | TemplateDefinition): string {
	const resolved = asTemplate(template);
	const rendered = renderSections(sections, resolved);
	if (rendered.length === 0) return `${resolved.header}\n\n${STUB}`;
	let text = resolved.header;
	for (const { heading, entries } of rendered) {
		text += `\n\n${heading}`;
		for (const lines of entries) text += `\n${lines.length === 1 ? lines[0] : lines.join("\n")}`;
	}
	return text;
}
