import { LEDGER_SECTION } from "../ledger/ledger-section.ts";
import { CANONICAL_SECTIONS } from "../template/canonical-sections.ts";
import { sectionKey } from "../template/section-key.ts";
import type { Template, TemplateSection } from "../template/template.ts";

/** The sections that an answer may name: the template's, and the canonical ones that it leaves out. */
export interface KnownSections {
	readonly template: Template;
	/** In the template's order, then the canonical ones outside it; each once. */
	readonly sections: readonly TemplateSection[];
	readonly byKey: ReadonlyMap<string, TemplateSection>;
	/** Length of the longest name. */
	readonly longestName: number;
}

/** The sections that an answer to this template may name, by id, title and alias. */
export function knownSections(template: Template): KnownSections {
	const byId = new Map<string, TemplateSection>();
	const byKey = new Map<string, TemplateSection>();
	let longestName = 0;
	for (const section of [...template.sections, ...CANONICAL_SECTIONS, LEDGER_SECTION]) {
		if (byId.has(section.id)) continue;
		byId.set(section.id, section);
		for (const name of [section.id, section.title, ...section.aliases]) {
			const key = sectionKey(name);
			// What the template calls by this name is what is meant.
			if (!byKey.has(key)) byKey.set(key, section);
			longestName = Math.max(longestName, name.length);
		}
	}
	return { template, sections: [...byId.values()], byKey, longestName };
}
