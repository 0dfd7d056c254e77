import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSummary, readAnswer } from "../../../src/core/parse/parse-summary.ts";
import { DEFAULT_TEMPLATE } from "../../../src/core/template/resolve-template.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 300);

/** Text made of what the parser looks for, so that all of its branches are reached. */
const scraps = fc.constantFrom(
	...["#", "##", "###", "-", "*", "+", "•", "1.", "2)", "(3)", "a.", ">", "|", "|-|", "```", "~~~", "```js"],
	...["`", ":", "：", "**", "__", "---", "* * *", "\t", " ", "  ", "    ", "\n", "\n\n", "\r\n", "\r"],
	...[
		"{",
		"}",
		"[",
		"]",
		'"',
		"'",
		",",
		"\\",
		'{"',
		'":',
		'["',
		'"]',
		"...",
		"//",
		"/*",
		"key_facts",
		"decisions",
	],
	...[
		"Key facts",
		"Decisions",
		"Pending tasks",
		"Open questions",
		"Notes",
		"None",
		"-",
		"<fact>",
		"[trimmed]",
	],
	...["<think>", "</think>", "<summary>", "</summary>", "<tool_call>", "</tool_call>", "[THINK]", "[/THINK]"],
	...["\u200b", "\ufeff", "\u0085", "\u2028", "\ud800", "\udc00", "🚀", "é", "数据", "word", "two words"],
	"## Conversation summary (compacted)",
);
const soup = fc.array(fc.oneof(scraps, fc.string({ maxLength: 5, unit: "binary" })), { maxLength: 60 });

const HEADINGS: readonly [string, readonly string[]][] = [
	[
		"key_facts",
		["### Key facts", "## key facts:", "# **Key Facts**", "### 1. Key facts", "#### key_facts ####"],
	],
	["decisions", ["### Decisions", "## DECISIONS:", "###Decisions", "### _Decisions_", "### 🧭 Decisions"]],
	[
		"pending_tasks",
		["### Pending tasks", "# pending_tasks", "### Pending  tasks :", "### Pending tasks (2)"],
	],
	["open_questions", ["### Open questions", "###### Open Questions", "### `open-questions`"]],
];

const heading = fc
	.constantFrom(...HEADINGS)
	.chain(([id, forms]) => fc.constantFrom(...forms).map((form) => ({ id, form })));
const marker = fc.constantFrom("- ", "* ", "+ ", "• ", "– ", "1. ", "12) ", "(3) ", "-\t", "*  ");
const words = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 6 }).map((list) =>
	list
		.join(" ")
		.replace(/[\r\n]/g, " ")
		.trim(),
);
/** What may stand between bullets without being one. */
const between = fc.constantFrom(
	"",
	"\n",
	"\n\n",
	"Some remark.\n\n",
	"####### Subdivision\n",
	"---\n",
	"**Label:**\n",
);

const answer = fc.array(
	fc.tuple(heading, fc.array(fc.tuple(marker, words, between), { minLength: 1, maxLength: 6 })),
	{ minLength: 1, maxLength: 6 },
);

describe("parsing any text", () => {
	it("never throws, and gives well-formed, trimmed entries of known sections", () => {
		fc.assert(
			fc.property(soup, (parts) => {
				const text = parts.join("");
				const read = readAnswer(text, DEFAULT_TEMPLATE);
				if (read.kind !== "summary") return;
				expect(Object.keys(read.sections)).toEqual(DEFAULT_TEMPLATE.sections.map(({ id }) => id));
				for (const entry of Object.values(read.sections).flat()) {
					expect(entry.trim()).not.toBe("");
					expect(entry).not.toMatch(/\p{Surrogate}/u);
					expect(entry).not.toContain("\r");
				}
				expect(read.empty).toBe(Object.values(read.sections).flat().length === 0);
			}),
			{ numRuns },
		);
	});

	it("never loses a bullet that stands under a known heading, and never moves it", () => {
		fc.assert(
			fc.property(answer, (sections) => {
				let text = "";
				let number = 0;
				const expected = new Map<string, string[]>();
				for (const [{ id, form }, bullets] of sections) {
					text += `${form}\n`;
					for (const [mark, said, gap] of bullets) {
						number += 1;
						// A word of its own makes the bullet one that can be found, and no word that says nothing.
						const entry = `w${number}q ${said}`.trim();
						text += `${mark}${entry}\n${gap}`;
						expected.set(id, [...(expected.get(id) ?? []), entry]);
					}
				}
				const parsed = parseSummary(text);
				for (const [id, entries] of expected) {
					const found = parsed?.sections[id] ?? [];
					const bullets = found.filter((entry) => /^w\d+q/.test(entry));
					// A remark right below a long line that ends no sentence may be the rest of it.
					const cut = bullets.map((bullet, index) => {
						const entry = entries[index] ?? "";
						return entry.length >= 60 && bullet === `${entry} Some remark.` ? entry : bullet;
					});
					expect(cut).toEqual(entries);
				}
			}),
			{ numRuns },
		);
	});

	it("keeps nested bullets in the entry above them", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 30 }), (depths) => {
				const lines = depths.map((depth, index) => `${"  ".repeat(depth)}- w${index}q`);
				const parsed = parseSummary(`### Decisions\n${lines.join("\n")}`);
				const found = (parsed?.sections.decisions ?? []).join("\n").match(/w\d+q/g);
				expect(found).toEqual(depths.map((_, index) => `w${index}q`));
			}),
			{ numRuns },
		);
	});

	it("reads structured output back to what it says", () => {
		const entry = words.map((text) => `w ${text}`.trim());
		const sections = fc.record({
			key_facts: fc.array(entry, { maxLength: 5 }),
			decisions: fc.array(entry, { maxLength: 5 }),
			pending_tasks: fc.array(entry, { maxLength: 5 }),
			open_questions: fc.array(entry, { maxLength: 5 }),
		});
		fc.assert(
			fc.property(sections, fc.constantFrom(undefined, 2, "\t"), (given, space) => {
				expect(parseSummary(JSON.stringify(given, null, space))).toEqual({ sections: given, source: "json" });
			}),
			{ numRuns },
		);
	});
});
