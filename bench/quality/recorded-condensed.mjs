// The summary that the recorded agent's model wrote, less its least telling lines, with the ledger in the room that
// they leave: what a pass does with a summary that fills its budget.
import { renderLedger } from "../../src/core/ledger/build-ledger.ts";
import { dropLines } from "../../src/core/ledger/drop-lines.ts";
import { claimedTokens } from "../../src/flow/make-room.ts";
import { countTokens, ledgerOf } from "./message.mjs";

export default async ({ messages, llmSummary }, budgetTokens) => {
	const ledger = ledgerOf(messages, budgetTokens);
	const tokens = budgetTokens - claimedTokens(ledger.reserveTokens, budgetTokens);
	const text = dropLines(llmSummary, { evicted: messages, tokens, countTokens });
	return (
		text + renderLedger(ledger.entries({ key_facts: text.split("\n") }, budgetTokens - countTokens(text)))
	);
};
