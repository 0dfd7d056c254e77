import type { Committed } from "../backend/commit-candidate.ts";
import { LEDGER_SECTION, type LedgerPlan } from "../core/ledger/build-ledger.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";
import { renderSections } from "../core/render/render-summary.ts";
import type { Template } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";
import { appendLedger } from "./ledger-tail.ts";
import { claimedTokens, makeRoom } from "./make-room.ts";

/** What the ledger is written beside. */
interface Beside {
	readonly template: Template;
	readonly evicted: readonly Message[];
	readonly budgetTokens: number;
	/** Tokens of the message that would carry a render. */
	measure(render: string): number;
	countTokens(text: string): number;
}

/** The summary without the entries that say least, where it left the ledger no room; else as it was. */
function withRoom<Summary extends Committed>(summary: Summary, ledger: LedgerPlan, beside: Beside): Summary {
	const { template, budgetTokens, measure } = beside;
	const claimed = claimedTokens(ledger.reserveTokens, budgetTokens);
	if (budgetTokens - measure(summary.text) >= claimed || summary.degraded || summary.empty) return summary;
	// What is carried as it is, and what was cut already, is not touched.
	if (summary.trimmed || Object.keys(summary.sections).length === 0) return summary;
	const envelope = measure(`${template.header}${CUT_MARK}`) - beside.countTokens(template.header);
	const sections = makeRoom({
		...beside,
		sections: summary.sections,
		tokens: budgetTokens - claimed - envelope,
	});
	const text = `${renderSections(sections, template)}${CUT_MARK}`;
	const isWorthIt =
		Object.values(sections).some((entries) => entries.length > 0) && measure(text) < measure(summary.text);
	return isWorthIt ? { ...summary, text, sections, trimmed: true } : summary;
}

/**
 * Adds the ledger as the last section of a summary, within the budget of both. A summary that left it no room loses
 * the entries that say least; a ledger that does not fit loses its last bullets.
 */
export function writeLedger<Summary extends Committed>(
	written: Summary,
	ledger: LedgerPlan,
	beside: Beside,
): Summary {
	if (ledger.reserveTokens === 0) return written;
	const summary = withRoom(written, ledger, beside);
	const entries = [...ledger.entries(summary.sections, beside.budgetTokens - beside.measure(summary.text))];
	// Counters need not be additive, so that what fits is found out by measuring.
	while (entries.length > 0) {
		const text = appendLedger(summary.text, entries);
		if (beside.measure(text) <= beside.budgetTokens)
			return { ...summary, text, sections: { ...summary.sections, [LEDGER_SECTION.id]: entries } };
		entries.pop();
	}
	// Room that the ledger could not use is given back.
	return written;
}
