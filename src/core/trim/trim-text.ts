import { LEAST_CHARACTERS } from "./cut-text.ts";
import { fitLines } from "./fit-lines.ts";
import { budgetTooSmall } from "./too-small.ts";

/**
 * Cuts a text without sections to a budget in tokens: the header, which stays whole, and of the lines below it as
 * many as fit, with `[trimmed]` alone on the last line.
 * @throws CompactionError BUDGET_TOO_SMALL where fewer than 20 characters of the body would be left
 */
export function trimText(
	text: string,
	header: string,
	budget: number,
	countTokens: (text: string) => number,
): { readonly text: string; readonly trimmed: boolean } {
	const lines = text.split("\n");
	const start = text.startsWith(`${header}\n\n`) ? header.split("\n").length + 1 : 0;
	const cuts: number[] = [];
	let characters = 0;
	for (let index = start; index < lines.length; index += 1) {
		const line = lines[index] ?? "";
		characters += line.trim().length;
		if (line.trim() !== "" && characters >= LEAST_CHARACTERS) cuts.push(index + 1);
	}
	const fitted = fitLines({ lines, cuts, first: { start, end: lines.length, from: 0 } }, budget, countTokens);
	if (fitted === undefined) throw budgetTooSmall(budget);
	return { text: fitted.text, trimmed: fitted.trimmed };
}
