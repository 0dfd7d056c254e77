import type { TemplateSection } from "../template/template.ts";

/** The section that carries the ledger; it comes last. */
export const LEDGER_SECTION: TemplateSection = {
	id: "identifiers",
	title: "Identifiers",
	purpose:
		"Paths, URLs, symbols, ids, versions, error codes and numbers that later work is likely to need, separated by spaces.",
	aliases: [],
	maxItems: 50,
};
