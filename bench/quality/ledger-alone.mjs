// The ledger with the whole budget: what its ranking is worth by itself. It is no summary.
import { planLedger, renderLedger } from "../../src/core/ledger/build-ledger.ts";
import { countTokens } from "./message.mjs";

export default async ({ messages }, budgetTokens) =>
	renderLedger(planLedger({ evicted: messages, kept: [], budgetTokens, countTokens }).entries());
