import type { Sections, Template } from "./template/template.ts";

/** Entries that say the same up to white space and letter case. */
function keyOf(entry: string): string {
	return entry.trim().replace(/\s+/g, " ").toLowerCase();
}

/**
 * The sections of several summaries as one, in their order, each entry once. Sections outside the template are
 * left out; nothing is cut to a maximum.
 */
export function mergeSections(template: Template, summaries: readonly Sections[]): Sections {
	const merged: Record<string, readonly string[]> = {};
	for (const { id } of template.sections) {
		const entries = new Map<string, string>();
		for (const sections of summaries) {
			for (const entry of (Object.hasOwn(sections, id) ? sections[id] : undefined) ?? []) {
				const key = keyOf(entry);
				if (key !== "" && !entries.has(key)) entries.set(key, entry);
			}
		}
		if (entries.size > 0) merged[id] = [...entries.values()];
	}
	return merged;
}

/** The sections of a template, in its order, each with its entries, if only an empty list. */
export function completeSections(template: Template, sections: Sections): Sections {
	return Object.fromEntries(
		template.sections.map(({ id }) => [id, (Object.hasOwn(sections, id) ? sections[id] : undefined) ?? []]),
	);
}
