/** The kinds of identifier that a ledger lists. */
export const LEDGER_KINDS = ["path", "url", "symbol", "id", "version", "error", "number"] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
