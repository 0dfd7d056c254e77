import { asTemplate } from "./resolve-template.ts";
import type { Template, TemplateDefinition } from "./template.ts";

/**
 * The JSON Schema of a summary as a model is asked for it in structured-output mode: one list of strings for each
 * section, all of them required and nothing else, which the strictest providers accept too.
 * @throws CompactionError CONFIG_INVALID for a template that cannot be resolved
 */
export function templateSchema(template?: string | Template | TemplateDefinition): Record<string, unknown> {
	const { sections } = asTemplate(template);
	// No limit on the number of items: several providers refuse such keywords, and the parser keeps the limit.
	const properties = Object.fromEntries(
		sections.map(({ id, title, purpose }) => [
			id,
			{ type: "array", description: `${title}: ${purpose}`, items: { type: "string" } },
		]),
	);
	return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
