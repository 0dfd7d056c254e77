import { CompactionError } from "../../errors/compaction-error.ts";

/** The error of a budget that holds not even the start of one entry. */
export function budgetTooSmall(budget: number): CompactionError {
	return new CompactionError(
		"BUDGET_TOO_SMALL",
		`Cannot trim the summary: not one entry fits within ${budget} tokens beside the header and the line "[trimmed]". Raise the budget.`,
	);
}
