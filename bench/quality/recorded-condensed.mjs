// The same summary, condensed by the default backend instead of trimmed: its least telling lines go, not its last.
import { extract, ledgerOf, write } from "./message.mjs";

export default async ({ messages, llmSummary }, budgetTokens) => {
	const ledger = ledgerOf(messages, budgetTokens);
	const written = [{ role: "assistant", content: llmSummary }];
	return write(await extract(written, budgetTokens - ledger.reserveTokens), ledger);
};
