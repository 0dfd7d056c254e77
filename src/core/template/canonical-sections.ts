import type { TemplateSection } from "./template.ts";

/** How many entries of a section are kept where its template does not say. */
export const DEFAULT_MAX_ITEMS = 50;

function section(id: string, title: string, purpose: string): TemplateSection {
	return { id, title, purpose, aliases: [], maxItems: DEFAULT_MAX_ITEMS };
}

/** The four sections that templates may name by id alone, in their order. */
export const CANONICAL_SECTIONS: readonly TemplateSection[] = [
	section(
		"key_facts",
		"Key facts",
		"What a later turn would otherwise have to find out again: names, paths, values, results, constraints.",
	),
	section("decisions", "Decisions", "Choices that were made, each with its reason."),
	section(
		"pending_tasks",
		"Pending tasks",
		"Work that was asked for or begun: for each item what is done, what remains, and what was already read or checked.",
	),
	section("open_questions", "Open questions", "What was asked or came up and has no answer yet."),
];

/** A canonical section by its id. */
export function canonicalSection(id: string): TemplateSection | undefined {
	return CANONICAL_SECTIONS.find((one) => one.id === id);
}
