import type { Sections, Template, TemplateSection } from "../template/template.ts";

/** The section that carries the ledger; it comes last. */
export const LEDGER_SECTION: TemplateSection = {
	id: "identifiers",
	title: "Identifiers",
	purpose:
		"Paths, URLs, symbols, ids, versions, error codes and numbers that later work is likely to need, separated by spaces.",
	aliases: [],
	maxItems: 50,
};

/** Whether a template leaves the ledger's section to the ledger. */
export function takesLedger(template: Template): boolean {
	return template.sections.every(
		({ id, title }) => id !== LEDGER_SECTION.id && title !== LEDGER_SECTION.title,
	);
}

/** A template as renders with a ledger are read back. */
export function withLedgerSection(template: Template): Template {
	return takesLedger(template) ? { ...template, sections: [...template.sections, LEDGER_SECTION] } : template;
}

/** The same where the sections have a ledger; it belongs to no template, and is rendered last under each. */
export function forSections(template: Template, sections: Sections): Template {
	return Object.hasOwn(sections, LEDGER_SECTION.id) ? withLedgerSection(template) : template;
}
