import { describe, expect, it } from "vitest";
import {
	ACTION_ONLY_TEMPLATE,
	asTemplate,
	DEFAULT_TEMPLATE,
	resolveTemplate,
} from "../../../src/core/template/resolve-template.ts";
import { sectionKey } from "../../../src/core/template/section-key.ts";
import type { TemplateDefinition } from "../../../src/core/template/template.ts";
import { templateSchema } from "../../../src/core/template/template-schema.ts";

const files = { id: "files_touched", title: "Files touched", purpose: "Paths read or changed, and why." };

function invalid(...words: string[]): { code: string; message: unknown } {
	return expect.objectContaining({
		code: "CONFIG_INVALID",
		message: expect.stringMatching(new RegExp(words.map((word) => `(?=.*${word})`).join(""), "s")),
	});
}

describe("a template", () => {
	it("is known by name where it is a preset", () => {
		expect(resolveTemplate("default", {})).toBe(DEFAULT_TEMPLATE);
		expect(resolveTemplate("action-only", {})).toBe(ACTION_ONLY_TEMPLATE);
		expect(DEFAULT_TEMPLATE.header).toBe("## Conversation summary (compacted)");
		expect(DEFAULT_TEMPLATE.sections.map(({ title }) => title)).toEqual([
			"Key facts",
			"Decisions",
			"Pending tasks",
			"Open questions",
		]);
		expect(ACTION_ONLY_TEMPLATE.sections.map(({ id }) => id)).toEqual(["decisions", "pending_tasks"]);
	});

	it("may name canonical sections by id, and define others", () => {
		const handover = { header: "## Handover", sections: ["decisions", files] };
		expect(resolveTemplate("handover", { handover })).toEqual({
			name: "handover",
			header: "## Handover",
			sections: [DEFAULT_TEMPLATE.sections[1], { ...files, aliases: [], maxItems: 50 }],
		});
	});

	it("may extend others: their header unless it has one, their sections before its own", () => {
		const definitions = {
			base: { extends: "action-only", header: "# Base", sections: [files] },
			more: { extends: "base", sections: ["key_facts"] },
		};
		const more = resolveTemplate("more", definitions);
		expect(more.header).toBe("# Base");
		expect(more.sections.map(({ id }) => id)).toEqual([
			"decisions",
			"pending_tasks",
			"files_touched",
			"key_facts",
		]);
		expect(resolveTemplate("bare", { bare: { extends: "action-only" } }).sections).toEqual(
			ACTION_ONLY_TEMPLATE.sections,
		);
	});

	it("may replace a preset, and extend the one that it replaces", () => {
		const definitions = { default: { extends: "default", header: "# Ours" } };
		expect(resolveTemplate("default", definitions)).toEqual({ ...DEFAULT_TEMPLATE, header: "# Ours" });
	});

	it("may have an empty header", () => {
		expect(resolveTemplate("x", { x: { header: "" } }).header).toBe("");
	});

	it("may list a canonical section twice, as is asked for", () => {
		const { sections } = resolveTemplate("x", { x: { sections: ["decisions", "decisions"] } });
		expect(sections.map(({ id }) => id)).toEqual(["decisions", "decisions"]);
	});

	it("may give a canonical section a title in another language", () => {
		const x = { sections: [{ id: "decisions", title: "Entscheidungen", purpose: "Was gilt." }] };
		expect(resolveTemplate("x", { x }).sections[0]?.title).toBe("Entscheidungen");
	});

	it("is an error where it cannot be told", () => {
		const cases: [Record<string, TemplateDefinition>, string[]][] = [
			[{ x: { extends: "y" } }, ['"x"', 'extends "y"', "default"]],
			[{ x: { extends: "y" }, y: { extends: "x" } }, ['"x" → "y" → "x"']],
			[{ x: { extends: "x" } }, ['"x" → "x"']],
			[{ x: { sections: [] } }, ["empty"]],
			[{ x: { sections: ["decision"] } }, ['Did you mean "decisions"', "section 1"]],
			[{ x: { sections: [{ ...files, id: "Files" }] } }, ["snake_case", "Files"]],
			[{ x: { sections: [{ ...files, title: " " }] } }, ["title", "files_touched"]],
			[{ x: { sections: [{ ...files, title: "a\nb" }] } }, ["one line", "files_touched"]],
			[{ x: { sections: [{ ...files, maxItems: 0 }] } }, ["maxItems", "files_touched", "0"]],
			[{ x: { sections: [{ ...files, maxItems: 1.5 }] } }, ["maxItems", "files_touched", "1.5"]],
			[{ x: { sections: [files, files] } }, ["two sections", "files_touched"]],
			[
				{ x: { sections: [files, { ...files, id: "other" }] } },
				['"Files touched"', "files_touched", "other"],
			],
			[
				{ x: { sections: ["decisions", { ...files, aliases: ["DECISIONS!"] }] } },
				['"DECISIONS!"', "decisions"],
			],
			[{ x: { extends: "action-only", sections: ["decisions"] } }, ["decisions", "action-only"]],
		];
		for (const [definitions, words] of cases)
			expect(() => resolveTemplate("x", definitions), JSON.stringify(definitions)).toThrow(invalid(...words));
		expect(() => resolveTemplate("acton-only", {})).toThrow(invalid('Did you mean "action-only"'));
		expect(() => resolveTemplate("toString", {})).toThrow(invalid("toString"));
	});

	it("is taken in every form by the public functions", () => {
		expect(asTemplate()).toBe(DEFAULT_TEMPLATE);
		expect(asTemplate("action-only")).toBe(ACTION_ONLY_TEMPLATE);
		expect(asTemplate(ACTION_ONLY_TEMPLATE)).toBe(ACTION_ONLY_TEMPLATE);
		expect(asTemplate({ header: "# A" })).toMatchObject({
			header: "# A",
			sections: DEFAULT_TEMPLATE.sections,
		});
		expect(asTemplate({ sections: [] }).sections).toEqual(DEFAULT_TEMPLATE.sections);
		expect(() => asTemplate("nothing")).toThrow(invalid("nothing"));
	});
});

describe("the schema of structured output", () => {
	it("asks for one list of strings for each section, all required, and nothing else", () => {
		expect(templateSchema("action-only")).toEqual({
			type: "object",
			properties: {
				decisions: {
					type: "array",
					description: expect.stringMatching(/^Decisions: /),
					items: { type: "string" },
				},
				pending_tasks: {
					type: "array",
					description: expect.stringMatching(/^Pending tasks: /),
					items: { type: "string" },
				},
			},
			required: ["decisions", "pending_tasks"],
			additionalProperties: false,
		});
	});

	it("names a section that is listed twice once", () => {
		expect(templateSchema({ sections: ["decisions", "decisions"] }).required).toEqual(["decisions"]);
	});
});

describe("the key of a section's name", () => {
	it("is the same for names that mean the same", () => {
		for (const name of [
			"Key facts",
			"key_facts",
			"keyFacts",
			"KEY-FACTS",
			"«Key  facts»",
			"\u212aey facts",
			"ＫＥＹ ＦＡＣＴＳ",
		])
			expect(sectionKey(name)).toBe("keyfacts");
		expect(sectionKey("Décisions")).toBe("decisions");
		expect(sectionKey("STRASSE")).toBe(sectionKey("Straße"));
		expect(sectionKey("ΑΠΟΦΑΣΕΙΣ")).toBe(sectionKey("Αποφάσεις"));
	});

	it("tells apart what differs in letters, in any script", () => {
		expect(sectionKey("कि")).not.toBe(sectionKey("का"));
		expect(sectionKey("決定")).not.toBe(sectionKey("事実"));
		expect(sectionKey("🔥")).not.toBe(sectionKey("❄"));
	});
});
