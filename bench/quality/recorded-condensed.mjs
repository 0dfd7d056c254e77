// The same summary less its least telling lines, wherever they stand, with the ledger in the room that they leave.
import { planLedger, renderLedger } from "../../src/core/ledger/build-ledger.ts";
import { dropLines } from "../../src/core/ledger/drop-lines.ts";
import { countTokens } from "./message.mjs";

/** A ledger beside a model's prose: the names that the prose lost, and some that it never had. */
const FRACTION = 0.2;

export default async ({ messages, llmSummary }, budgetTokens) => {
	const ledger = planLedger({
		evicted: messages,
		kept: [],
		budgetTokens: Math.floor(budgetTokens * FRACTION),
		countTokens,
	});
	const tokens = budgetTokens - ledger.reserveTokens;
	const text = dropLines(llmSummary, { evicted: messages, tokens, countTokens });
	return text + renderLedger(ledger.entries({ key_facts: text.split("\n") }));
};
