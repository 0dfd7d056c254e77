import type { Template } from "../template/template.ts";

/** A fault of an answer that a second call may mend. */
export type AnswerFault = "blank" | "malformed" | "over-budget" | "cut-off" | "empty" | "unstructured";

/** What the second call is told, after the same transcript; it fits the fault. */
export function rescuePrompt(fault: AnswerFault, template: Template, budgetTokens: number): string {
	const first = `### ${template.sections[0]?.title ?? ""}`;
	switch (fault) {
		case "blank":
			return `An earlier attempt brought no usable text. Write the sections now, as plain text: no tool call, no thinking aloud, no refusal. Begin with the line "${first}" or the first section that has an entry.`;
		case "malformed":
		case "unstructured":
			return `An earlier attempt lacked the headings and could not be used. Write nothing but the sections: your first line is a heading exactly as given, "${first}" for example, and every other line is a heading or starts with "- ".`;
		case "over-budget":
			return `An earlier attempt was too long. Write less: at most ${budgetTokens} tokens in all, what the next agent needs most first. Shorten entries and leave out the least important ones.`;
		case "cut-off":
			return `An earlier attempt was too long and broke off before its end. Write less: fewer and shorter entries, at most ${budgetTokens} tokens in all, so that the last entry is complete.`;
		case "empty":
			return `An earlier attempt had no entries at all. Go through the text again and write down what a later turn would have to rediscover: what was asked, what was found, done and decided, what is left.`;
	}
}
