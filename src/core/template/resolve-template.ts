import { CompactionError } from "../../errors/compaction-error.ts";
import { didYouMean } from "../text/closest.ts";
import { CANONICAL_SECTIONS, canonicalSection, DEFAULT_MAX_ITEMS } from "./canonical-sections.ts";
import { sectionKey } from "./section-key.ts";
import type { Template, TemplateDefinition, TemplateSection } from "./template.ts";

const DEFAULT_HEADER = "## Conversation summary (compacted)";

/** The template of every summary that names none: all four canonical sections. */
export const DEFAULT_TEMPLATE: Template = {
	name: "default",
	header: DEFAULT_HEADER,
	sections: CANONICAL_SECTIONS,
};

/** Decisions and pending tasks only. */
export const ACTION_ONLY_TEMPLATE: Template = {
	name: "action-only",
	header: DEFAULT_HEADER,
	// "Decisions" and "Pending tasks".
	sections: CANONICAL_SECTIONS.slice(1, 3),
};

const PRESETS: readonly Template[] = [DEFAULT_TEMPLATE, ACTION_ONLY_TEMPLATE];

const SECTION_ID = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Whether a name is one of the templates that are always known. */
export function isPreset(name: string): boolean {
	return PRESETS.some((preset) => preset.name === name);
}

function invalid(name: string, problem: string): CompactionError {
	return new CompactionError("CONFIG_INVALID", `Cannot use the template "${name}": ${problem}`);
}

type SectionDefinition = NonNullable<TemplateDefinition["sections"]>[number];

function resolveSection(name: string, definition: SectionDefinition, index: number): TemplateSection {
	if (typeof definition === "string") {
		const known = canonicalSection(definition);
		if (known !== undefined) return known;
		const ids = CANONICAL_SECTIONS.map(({ id }) => id);
		throw invalid(
			name,
			`section ${index + 1} is "${definition}", and only ${ids.map((id) => `"${id}"`).join(", ")} may be named by id alone.${didYouMean(definition, ids)} Write any other section as { "id", "title", "purpose" }.`,
		);
	}
	const { id, title, purpose, aliases = [], maxItems = DEFAULT_MAX_ITEMS } = definition;
	if (!SECTION_ID.test(id)) {
		throw invalid(name, `the id "${id}" of section ${index + 1} is not in snake_case.`);
	}
	if (title.trim() === "" || /[\r\n]/.test(title)) {
		throw invalid(name, `the title of the section "${id}" must be one line of text.`);
	}
	if (!Number.isInteger(maxItems) || maxItems < 1) {
		throw invalid(
			name,
			`"maxItems" of the section "${id}" is ${maxItems}; it must be a whole number from 1.`,
		);
	}
	return { id, title: title.trim(), purpose, aliases, maxItems };
}

/**
 * Refuses names that would not tell sections apart. A canonical section that one list names twice is no clash: it
 * is what was asked for, and it is rendered twice.
 */
function checkNames(name: string, sections: readonly TemplateSection[]): void {
	const owners = new Map<string, TemplateSection>();
	for (const section of sections) {
		for (const label of [section.id, section.title, ...section.aliases]) {
			const key = sectionKey(label);
			const owner = owners.get(key);
			if (owner !== undefined && owner !== section) {
				throw invalid(
					name,
					owner.id === section.id
						? `it has two sections with the id "${section.id}".`
						: `"${label}" names both the section "${owner.id}" and the section "${section.id}".`,
				);
			}
			owners.set(key, section);
		}
	}
}

type Definitions = Readonly<Record<string, TemplateDefinition>>;

function unknownName(name: string, definitions: Definitions, asker: string | undefined): CompactionError {
	const known = [...PRESETS.map((preset) => preset.name), ...Object.keys(definitions)];
	const problem = `there is no template "${name}"; known are ${known.map((one) => `"${one}"`).join(", ")}.${didYouMean(name, known)}`;
	return asker === undefined
		? new CompactionError("CONFIG_INVALID", `Cannot find the template "${name}": ${problem}`)
		: invalid(asker, `it extends "${name}", but ${problem}`);
}

function resolve(name: string, definitions: Definitions, path: readonly string[]): Template {
	// A template may extend the preset that it replaces.
	const replaced = path.at(-1) === name;
	if (!replaced && path.includes(name)) {
		throw invalid(
			path[0] ?? name,
			`it extends itself: ${[...path, name].map((one) => `"${one}"`).join(" → ")}.`,
		);
	}
	const own = !replaced && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
	if (own === undefined) {
		const preset = PRESETS.find((one) => one.name === name);
		if (preset !== undefined) return preset;
		if (replaced) throw invalid(name, `it extends itself: "${name}" → "${name}".`);
		throw unknownName(name, definitions, path.at(-1));
	}
	const base = own.extends === undefined ? undefined : resolve(own.extends, definitions, [...path, name]);
	const given = own.sections ?? [];
	if (own.sections !== undefined && given.length === 0) {
		throw invalid(name, 'its "sections" is empty; leave it out, or name at least one section.');
	}
	const added = given.map((section, index) => resolveSection(name, section, index));
	const repeated = added.find(({ id }) => base?.sections.some((section) => section.id === id));
	if (repeated !== undefined && base !== undefined) {
		throw invalid(name, `its section "${repeated.id}" is already one of "${base.name}", which it extends.`);
	}
	const sections = [...(base?.sections ?? []), ...added];
	const template = {
		name,
		header: own.header ?? base?.header ?? DEFAULT_HEADER,
		sections: sections.length === 0 ? CANONICAL_SECTIONS : sections,
	};
	checkNames(name, template.sections);
	return template;
}

/**
 * The template of a name, out of the presets and the definitions given.
 * @throws CompactionError CONFIG_INVALID for an unknown name, a cycle of `extends`, an unknown section, and names
 * of sections that cannot be told apart
 */
export function resolveTemplate(name: string, definitions: Definitions): Template {
	return resolve(name, definitions, []);
}

/**
 * A template however it is given: by the name of a preset, resolved, or as a definition. A definition with an empty
 * list of sections has the canonical ones.
 * @throws CompactionError CONFIG_INVALID as {@link resolveTemplate}
 */
export function asTemplate(template: string | Template | TemplateDefinition = DEFAULT_TEMPLATE): Template {
	if (typeof template === "string") return resolveTemplate(template, {});
	if ("name" in template) return template;
	const { sections, ...rest } = template;
	const definition = sections === undefined || sections.length === 0 ? rest : template;
	return resolveTemplate("custom", { custom: definition });
}
