import { LEDGER_SECTION, renderLedger } from "../core/ledger/build-ledger.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";
import type { Template } from "../core/template/template.ts";

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

/** A render with the ledger as its last section; the mark of a cut stays on the last line. */
export function appendLedger(render: string, entries: readonly string[]): string {
	const tail = renderLedger(entries);
	return render.endsWith(CUT_MARK)
		? `${render.slice(0, -CUT_MARK.length)}${tail}${CUT_MARK}`
		: `${render}${tail}`;
}
