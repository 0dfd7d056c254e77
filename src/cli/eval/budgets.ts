import { usageError } from "../cli-error.ts";
import type { Budget } from "./measure-pass.ts";

const DEFAULT: readonly Budget[] = [0.025, 0.05, 0.1];

/** A summary never has more than half of what it replaces. */
const MOST = 0.5;

/**
 * Reads `--budgets`: numbers above 0 and up to 0.5, or "own", separated by commas.
 * @throws CliError of usage
 */
export function readBudgets(text: string | undefined): readonly Budget[] {
	if (text === undefined) return DEFAULT;
	const budgets = text.split(",").map((written): Budget => {
		const item = written.trim();
		if (item === "own") return item;
		const share = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(item) ? Number(item) : Number.NaN;
		if (share > 0 && share <= MOST) return share;
		throw usageError(
			`Cannot take "${item}" as a budget: expected a share of the evicted tokens above 0 and up to ${MOST}, or "own"; several with commas between.`,
		);
	});
	return [...new Set(budgets)];
}
