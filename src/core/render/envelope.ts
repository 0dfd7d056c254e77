import { parseSummary } from "../parse/parse-summary.ts";
import type { Sections, Template } from "../template/template.ts";
import { summaryMarkOf } from "../transcript/kinds.ts";
import { type Message, partsOf } from "../transcript/message.ts";
import { ENDING, OPENING } from "./fixed-lines.ts";

const HEAD = `${OPENING}\n\n`;
const TAIL = `\n\n${ENDING}`;

/** The message that carries a render into a transcript: one text part, marked as a summary of our own. */
export function summaryMessage(render: string, template: Template, role: "user" | "assistant"): Message {
	return {
		role,
		content: [{ type: "text", text: `${HEAD}${render}${TAIL}` }],
		providerOptions: { precis: { kind: "context", summary: { v: 1, template: template.name } } },
	};
}

/** The render that an inserted message carries, or undefined where the message is no summary of ours. */
export function renderOf(message: Message): string | undefined {
	if (summaryMarkOf(message) === undefined) return undefined;
	const text = partsOf(message)
		.map((part) => part.text ?? "")
		.join("");
	const start = text.startsWith(HEAD) ? HEAD.length : 0;
	const end = text.endsWith(TAIL) ? text.length - TAIL.length : text.length;
	return text.slice(start, Math.max(start, end));
}

/**
 * An earlier summary as a backend is handed it: the render, and what the template reads out of it, which is nothing
 * where it was made with sections that this template does not know. Undefined where the message is no summary.
 */
export function previousSummaryOf(
	message: Message,
	template: Template,
): { readonly text: string; readonly sections: Sections } | undefined {
	const text = renderOf(message);
	if (text === undefined) return undefined;
	return { text, sections: parseSummary(text, template)?.sections ?? {} };
}
