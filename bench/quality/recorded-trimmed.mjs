// The summary that the recorded agent's model wrote, trimmed as a pass trims it to make room for the ledger.

import { renderLedger } from "../../src/core/ledger/build-ledger.ts";
import { trimSummary } from "../../src/core/trim/trim-summary.ts";
import { countTokens, ledgerOf, template } from "./message.mjs";

export default async ({ messages, llmSummary }, budgetTokens) => {
	const ledger = ledgerOf(messages, budgetTokens);
	const kept = trimSummary(
		{ key_facts: [llmSummary] },
		template,
		budgetTokens - ledger.reserveTokens,
		countTokens,
	);
	return kept.text + renderLedger(ledger.entries(kept.sections));
};
