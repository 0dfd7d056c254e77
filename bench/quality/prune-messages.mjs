// AI SDK pruneMessages. It knows no budget: what it leaves is cut to the newest lines that fit.
import { pruneMessages } from "ai";
import { linesOf, newestLines } from "./newest-lines.mjs";

export default async ({ messages }, budgetTokens) => {
	const pruned = pruneMessages({
		messages,
		reasoning: "all",
		toolCalls: "before-last-2-messages",
		emptyMessages: "remove",
	});
	return newestLines(pruned.map(linesOf).join("\n"), budgetTokens);
};
