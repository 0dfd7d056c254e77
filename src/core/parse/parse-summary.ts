import { asTemplate } from "../template/resolve-template.ts";
import type { Sections, Template, TemplateDefinition } from "../template/template.ts";
import { readAnswer } from "./read-answer.ts";

export { readAnswer };

/**
 * The sections of a model's answer or of a rendered summary: every section of the template, in its order, with an
 * empty list where the text has nothing; a canonical section outside the template follows where the text has
 * entries for it. Undefined where no section is recognized.
 * @throws CompactionError CONFIG_INVALID for a template that cannot be resolved; TypeError for what is no text; never
 * for a text
 */
export function parseSummary(
	text: string,
	template?: string | Template | TemplateDefinition,
): { readonly sections: Sections; readonly source: "json" | "headings" } | undefined {
	if (typeof text !== "string")
		throw new TypeError(
			`Cannot parse a summary: it is ${text === null ? "null" : typeof text}; expected text.`,
		);
	const answer = readAnswer(text, asTemplate(template));
	return answer.kind === "summary" ? { sections: answer.sections, source: answer.source } : undefined;
}
