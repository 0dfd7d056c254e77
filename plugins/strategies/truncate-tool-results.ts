import schema from "../../schemas/strategies/truncate-tool-results.schema.json" with { type: "json" };
import {
	defineStrategy,
	type Edit,
	type Part,
	type ResolvedTruncateToolResultsStrategyOptions,
	type StrategyDefinition,
} from "../../src/plugin.ts";
import { findFixed, withParts } from "./rewrite.ts";
import { shortenText } from "./shorten-text.ts";
import { findHostResults, outputOf, outputText, withText } from "./tool-output.ts";

/** A result with its texts shortened: contents each to an equal share, so that media beside them stay. */
function shorten(part: Part, maxTokens: number, cut: (text: string, maxTokens: number) => string): Part {
	const output = outputOf(part);
	const text = outputText(output);
	if (output.type !== "content" || !Array.isArray(output.value)) {
		const shortened = cut(text, maxTokens);
		return shortened === text ? part : withText(part, shortened);
	}
	if (cut(text, maxTokens) === text) return part;
	const isText = (item: { readonly type?: unknown; readonly text?: unknown }): boolean =>
		item?.type === "text" && typeof item.text === "string";
	const share = Math.max(1, Math.floor(maxTokens / Math.max(1, output.value.filter(isText).length)));
	const value = output.value.map((item) => {
		if (!isText(item)) return item;
		const shortened = cut(item.text, share);
		return shortened === item.text ? item : { ...item, text: shortened };
	});
	return value.every((item, at) => item === (output.value as readonly unknown[])[at])
		? part
		: { ...part, output: { ...output, value } };
}

/** Shortens oversized tool outputs, errors too, and says how much was cut. */
const definition: StrategyDefinition<ResolvedTruncateToolResultsStrategyOptions> = defineStrategy({
	name: "truncate-tool-results",
	schema,
	create: ({ maxTokens, keep, tools }) => ({
		plan(transcript, context) {
			const fixed = findFixed(transcript, context);
			const cut = (text: string, most: number): string =>
				shortenText(text, most, keep, (piece) => context.countTokens(piece));
			const edits: Edit[] = [];
			for (const [index, at] of findHostResults(transcript)) {
				const message = transcript[index];
				if (message === undefined || typeof message.content === "string" || fixed[index] === 1) continue;
				// The whole message is counted already, and no part of it is larger.
				if (context.countTokens(index) <= maxTokens) continue;
				const mayShrink = new Set(at);
				const content = message.content.map((part, position) => {
					if (!mayShrink.has(position)) return part;
					return tools === undefined || tools.includes(part.toolName ?? "")
						? shorten(part, maxTokens, cut)
						: part;
				});
				if (content.every((part, position) => part === message.content[position])) continue;
				edits.push({ replace: index, with: withParts(message, content), why: `over ${maxTokens} tokens` });
			}
			return edits;
		},
	}),
});

export default definition;
