// LangChain trimMessages, the newest messages and a part of the one before them. npm ci --prefix bench/peers
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { countTokens } from "./message.mjs";
import { linesOf } from "./newest-lines.mjs";

const peers = createRequire(new URL("../peers/package.json", import.meta.url));
const { AIMessage, HumanMessage, trimMessages } = await import(
	pathToFileURL(peers.resolve("@langchain/core/messages")).href
);

export default async ({ messages }, budgetTokens) => {
	const cost = new Map();
	const given = messages.map((message) => {
		const text = linesOf(message);
		return message.role === "user" ? new HumanMessage(text) : new AIMessage(text);
	});
	const costOf = (text) => {
		if (!cost.has(text)) cost.set(text, countTokens(text) + 1);
		return cost.get(text);
	};
	const kept = await trimMessages(given, {
		maxTokens: budgetTokens,
		strategy: "last",
		allowPartial: true,
		textSplitter: (text) => Promise.resolve(text.split(/(?<=\n)/)),
		tokenCounter: (list) => list.reduce((sum, { content }) => sum + costOf(content), 0),
	});
	return kept.map(({ content }) => content).join("\n");
};
