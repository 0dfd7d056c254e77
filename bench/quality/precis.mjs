// The default: backend "extractive" with the ledger.
import { extract, ledgerOf, write } from "./message.mjs";

export default async ({ messages }, budgetTokens) => {
	const ledger = ledgerOf(messages, budgetTokens);
	return write(await extract(messages, budgetTokens - ledger.reserveTokens), ledger);
};
