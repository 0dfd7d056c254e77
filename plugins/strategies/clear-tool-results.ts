import schema from "../../schemas/strategies/clear-tool-results.schema.json" with { type: "json" };
import {
	defineStrategy,
	type Edit,
	type Part,
	type ResolvedClearToolResultsStrategyOptions,
	type StrategyDefinition,
} from "../../src/plugin.ts";
import { findFixed, withParts } from "./rewrite.ts";
import { findHostResults, outputOf, outputText, withText } from "./tool-output.ts";

/** Whether an output holds more than the placeholder would; media count for more than any text. */
function isLonger(part: Part, placeholder: string): boolean {
	const output = outputOf(part);
	if (
		output.type === "content" &&
		Array.isArray(output.value) &&
		output.value.some((item) => item?.type !== "text")
	)
		return true;
	return outputText(output).length > placeholder.length;
}

/** Replaces old tool outputs by a short placeholder; call and result stay. */
const definition: StrategyDefinition<ResolvedClearToolResultsStrategyOptions> = defineStrategy({
	name: "clear-tool-results",
	schema,
	create: ({ keepLast, tools, placeholder }) => ({
		plan(transcript, context) {
			const fixed = findFixed(transcript, context);
			fixed.fill(1, Math.max(0, transcript.length - keepLast));
			const edits: Edit[] = [];
			for (const [index, at] of findHostResults(transcript)) {
				const message = transcript[index];
				if (message === undefined || typeof message.content === "string" || fixed[index] === 1) continue;
				const mayGo = new Set(at);
				const content = message.content.map((part, position) => {
					if (!mayGo.has(position) || !isLonger(part, placeholder)) return part;
					return tools === undefined || tools.includes(part.toolName ?? "")
						? withText(part, placeholder)
						: part;
				});
				if (content.every((part, position) => part === message.content[position])) continue;
				const why = `tool output older than the last ${keepLast} messages`;
				edits.push({ replace: index, with: withParts(message, content), why });
			}
			return edits;
		},
	}),
});

export default definition;
