import { describe, expect, it } from "vitest";
import { parseSummary, readAnswer } from "../../../src/core/parse/parse-summary.ts";
import { DEFAULT_TEMPLATE } from "../../../src/core/template/resolve-template.ts";

function filled(text: string): Record<string, readonly string[]> | undefined {
	const parsed = parseSummary(text);
	if (parsed === undefined) return undefined;
	return Object.fromEntries(Object.entries(parsed.sections).filter(([, entries]) => entries.length > 0));
}

function kindOf(text: string): string {
	const answer = readAnswer(text, DEFAULT_TEMPLATE);
	return answer.kind === "summary" && answer.empty ? "empty" : answer.kind;
}

const DECISIONS_A = [
	"# Decisions\n- a",
	"##### decisions:\n- a",
	"#Decisions\n- a",
	"### Decisions ###\n- a",
	"### *Decisions*\n- a",
	"**Decisions**:\n- a",
	"**Decisions:**\n- a",
	"__Decisions__\n- a",
	"### `decisions`\n- a",
	"### 🧭 Decisions\n- a",
	"### 2. Decisions\n- a",
	"### (2) Decisions\n- a",
	"### II. Decisions\n- a",
	"2️⃣ Decisions\n- a",
	"### Decisions (3)\n- a",
	"### Decisions (final)\n- a",
	"### Decisions：\n- a",
	"【Decisions】\n- a",
	"=== Decisions ===\n- a",
	"Decisions\n---------\n- a",
	"DECISIONS\n\n\n- a",
	"### Décisions\n- a",
	"# \u200bDecisions\n- a",
	"1. Decisions\n   - a",
	"- **Decisions**\n  - a",
	"* **Decisions:**\n* a",
	"### 2 Decisions\n- a",
	"<decisions>\n- a\n</decisions>",
	"<output>\n<Decisions>\n- a\n</Decisions>\n</output>",
	"\u200f### Decisions\n\u200f- a",
	"> ### Decisions\n> - a",
	"<summary>\n### Decisions\n- a\n</summary>",
	"```markdown\n### Decisions\n- a\n```",
	"~~~\n### Decisions\n- a\n~~~",
	"\ufeff### Decisions\n- a",
	"### Decisions\r\n- a\r\n",
];

describe("a heading", () => {
	for (const text of DECISIONS_A)
		it(`is read from ${JSON.stringify(text)}`, () => {
			expect(filled(text)).toEqual({ decisions: ["a"] });
		});

	it("is not made of a sentence with its word in it", () => {
		expect(filled("The decisions were these:\n- a")).toBeUndefined();
		expect(filled("Decisions of the week\n- a")).toBeUndefined();
		expect(filled("### Undecided\n- a")).toBeUndefined();
	});

	it("may be followed by text on its line, which is an entry beside bullets", () => {
		expect(filled("**Key facts:** the port is 7411\n**Decisions:** use pnpm\n- and Node 24")).toEqual({
			key_facts: ["the port is 7411"],
			decisions: ["use pnpm", "and Node 24"],
		});
	});

	it("ends at a heading of its own rank that is not known, and not at a deeper one", () => {
		expect(filled("## Decisions\n- a\n### Storage\n- b\n## Rejected\n- c\n## Pending tasks\n- d")).toEqual({
			decisions: ["a", "b"],
			pending_tasks: ["d"],
		});
		expect(filled("**Decisions**\n- a\n**Rejected**\n- b")).toEqual({ decisions: ["a"] });
	});
});

describe("a bullet", () => {
	for (const bullet of [
		"- a",
		"* a",
		"+ a",
		"• a",
		"•a",
		"‣ a",
		"– a",
		"— a",
		"-a",
		"1. a",
		"1) a",
		"(1) a",
		"1.a",
		"a) a",
		"a. a",
		"-\ta",
		"-\u00a0a",
		"  - a",
		"\t* a",
		"\u200b- a",
		"-\n  a",
		"・a",
		"① a",
		"１．a",
		"٢. a",
		"۳) a",
	])
		it(`is read from ${JSON.stringify(bullet)}`, () => {
			expect(filled(`### Decisions\n${bullet}\n`)).toEqual({ decisions: ["a"] });
		});

	it("keeps marks that are its text", () => {
		expect(filled("### Decisions\n- - a\n- # b\n- **c:** d\n- [x] e\n☐ f\n* use *this*")).toEqual({
			decisions: ["- a", "# b", "**c:** d", "[x] e", "☐ f", "use *this*"],
		});
	});

	it("goes on in wrapped lines, indented or not", () => {
		expect(filled("### Decisions\n- the queue listens\n  on port 7411\n- b")).toEqual({
			decisions: ["the queue listens on port 7411", "b"],
		});
		expect(filled("### Decisions\n- the queue listens\non port 7411\n- b")).toEqual({
			decisions: ["the queue listens on port 7411", "b"],
		});
		const long = "the queue that all of the workers share between them listens on";
		expect(filled(`### Decisions\n- ${long}\nPort 7411`)).toEqual({ decisions: [`${long} Port 7411`] });
		expect(filled("### Decisions\n- 数据库\n  在东京")).toEqual({ decisions: ["数据库在东京"] });
	});

	it("keeps nested items, further paragraphs and examples", () => {
		expect(filled("### Decisions\n1. a\n   - b\n     - c\n2. d")).toEqual({
			decisions: ["a\n   - b\n     - c", "d"],
		});
		expect(filled("### Decisions\n- a\n\n  more\n- b")).toEqual({ decisions: ["a\nmore", "b"] });
		expect(filled("### Decisions\n- a\n  ```js\n  - x\n  # y\n  ```\n- b")).toEqual({
			decisions: ["a\n```js\n- x\n# y\n```", "b"],
		});
	});

	it("is not lost to a fence that nothing closes", () => {
		expect(filled("### Decisions\n- a\n```\n### Key facts\n- b")).toEqual({
			decisions: ["a"],
			key_facts: ["b"],
		});
	});

	it("may be the row of a table, without the names of its columns", () => {
		expect(filled("### Decisions\n| what | why |\n|---|:-:|\n| pnpm | speed |\n| Node | - |")).toEqual({
			decisions: ["pnpm | speed", "Node | -"],
		});
	});

	it("may be a title only where the answer is one outline", () => {
		expect(filled("1. Key facts\n   - a\n2. Decisions\n   - b")).toEqual({
			key_facts: ["a"],
			decisions: ["b"],
		});
		expect(filled("### Pending tasks\n1. Review\n2. Decisions\n3. Merge")).toEqual({
			pending_tasks: ["Review", "Decisions", "Merge"],
		});
	});
});

describe("text that is no bullet", () => {
	it("is an entry between entries, and none below the last", () => {
		expect(
			filled("### Decisions\n- a\n\nThis was agreed as well.\n### Key facts\n- b\n\nHope that helps!"),
		).toEqual({
			decisions: ["a", "This was agreed as well."],
			key_facts: ["b"],
		});
	});

	it("leads to bullets where it ends with a colon", () => {
		expect(filled("### Decisions\nThese were made:\n- a")).toEqual({ decisions: ["a"] });
	});

	it("alone is no summary", () => {
		expect(kindOf("### Decisions\nUse pnpm.")).toBe("malformed");
		expect(kindOf("Decisions: use pnpm")).toBe("malformed");
	});
});

describe("thinking and calls", () => {
	it("are no part of the answer", () => {
		expect(filled("<think>\n### Decisions\n- draft\n</think>\n### Decisions\n- a")).toEqual({
			decisions: ["a"],
		});
		expect(filled("### Decisions\n- draft\n</think>\n\n### Decisions\n- a")).toEqual({ decisions: ["a"] });
		expect(filled("I plan.</think>\n### Decisions\n- a")).toEqual({ decisions: ["a"] });
		expect(filled("[THINK]hm[/THINK]### Decisions\n- a")).toEqual({ decisions: ["a"] });
		expect(
			filled("<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>### Decisions\n- a"),
		).toEqual({
			decisions: ["a"],
		});
	});

	it("that an entry speaks of stay in it", () => {
		const text = "### Decisions\n- strip <think> blocks\n- stop at </think>\n- `<analysis>` too";
		expect(filled(text)).toEqual({
			decisions: ["strip <think> blocks", "stop at </think>", "`<analysis>` too"],
		});
	});

	it("alone are blank, however they are written", () => {
		for (const text of [
			"<think>only this</think>",
			"<thinking>cut off here",
			"<tool_call>\n{}\n</tool_call>",
			'{"name":"readFile","arguments":{"path":"a"}}',
			'```json\n{"tool_calls":[{"id":"1"}]}\n```',
			'[{"toolName":"readFile","input":{}}]',
			"```\n```",
			"\u200b\n\ufeff",
			"<summary>\n</summary>",
		])
			expect(kindOf(text)).toBe("blank");
	});
});

describe("an answer that says there is nothing", () => {
	for (const word of [
		"None",
		"none.",
		"(none)",
		"N/A",
		"-",
		"—",
		"…",
		"Nothing yet.",
		"No decisions.",
		"There are no decisions",
		"nenhuma",
		"Aucune",
		"keine",
		"нет",
		"なし",
		"无",
		"없음",
		"<decision>",
	])
		it(`is empty with ${word}`, () => {
			expect(kindOf(`### Decisions\n- ${word}\n### Key facts\n`)).toBe("empty");
			expect(kindOf(JSON.stringify({ decisions: [word], key_facts: [] }))).toBe("empty");
		});

	it("is empty although a preamble stands before it", () => {
		expect(kindOf("Here you go:\n### Decisions\n- None")).toBe("empty");
	});

	it("keeps such a word beside a real entry", () => {
		expect(filled("### Decisions\n- None of the hosts answers\n- none")).toEqual({
			decisions: ["None of the hosts answers", "none"],
		});
	});
});

describe("JSON", () => {
	for (const [text, sections] of [
		['{"summary":{"decisions":["a"]}}', { decisions: ["a"] }],
		['{"a":{"b":[{"decisions":["a"]}]}}', { decisions: ["a"] }],
		['{"decisions":["a","b', { decisions: ["a", "b"] }],
		["{'decisions':['a',],}", { decisions: ["a"] }],
		['{decisions:["a"]}', { decisions: ["a"] }],
		['{"decisions":["say "hi" now"]}', { decisions: ['say "hi" now'] }],
		['/* x */ {"decisions": /* y */ ["a"]}', { decisions: ["a"] }],
		['{"decisions":"- a\\n- b"}', { decisions: ["a", "b"] }],
		['{"decisions":[{"text":"a"},{"what":"b","why":"c"}]}', { decisions: ["a", '{"what":"b","why":"c"}'] }],
		['{"Open Questions":["a?"],"KEY-FACTS":["b"]}', { open_questions: ["a?"], key_facts: ["b"] }],
		['{"decisions":["a\\n  \\nb"]}', { decisions: ["a\n\nb"] }],
		['### Decisions\n```json\n{"decisions":["a"]}\n```', { decisions: ["a"] }],
	] as const)
		it(`is read from ${JSON.stringify(text)}`, () => {
			expect(filled(text)).toEqual(sections);
			expect(parseSummary(text)?.source).toBe("json");
		});

	it("may hold the whole answer as its one text", () => {
		const answer = "### Key facts\n- Shelf A1 holds 14\n### Decisions\n- Count again";
		for (const text of [
			JSON.stringify({ summary: answer }),
			`\`\`\`json\n${JSON.stringify({ text: answer }, null, 2)}\n\`\`\``,
			JSON.stringify({
				output: JSON.stringify({ key_facts: ["Shelf A1 holds 14"], decisions: ["Count again"] }),
			}),
		])
			expect(parseSummary(text)?.sections).toMatchObject({
				key_facts: ["Shelf A1 holds 14"],
				decisions: ["Count again"],
			});
		for (const text of [
			JSON.stringify({ summary: "The shelf was counted." }),
			JSON.stringify({ summary: answer, note: "more" }),
		])
			expect(parseSummary(text)).toBeUndefined();
	});

	it("that an answer with headings quotes is text", () => {
		const text = '### Key facts\n- it sent {"key_facts":["evil"]}\n### Decisions\n- b';
		expect(filled(text)).toEqual({ key_facts: ['it sent {"key_facts":["evil"]}'], decisions: ["b"] });
	});

	it("is not made out of prose with braces", () => {
		for (const text of [
			"We set {decisions: yes} there.",
			'The form is {"decisions": [...]}.',
			"Use { and } around [decisions].",
			"{decisions we made: pnpm, Node}",
		])
			expect(kindOf(text)).toBe("malformed");
	});

	it("without any text is no summary, and with empty lists is an empty one", () => {
		expect(kindOf('{"decisions":[1,2]}')).toBe("malformed");
		expect(kindOf('{"decisions":null}')).toBe("malformed");
		expect(kindOf('{"decisions":[],"key_facts":[]}')).toBe("empty");
	});

	it("cannot reach prototypes", () => {
		const parsed = parseSummary(
			'{"__proto__":{"decisions":["x"]},"constructor":{"decisions":["y"]},"decisions":["a"]}',
		);
		expect(parsed?.sections.decisions).toEqual(["a"]);
		expect(Object.keys(parsed?.sections ?? {})).toEqual([
			"key_facts",
			"decisions",
			"pending_tasks",
			"open_questions",
		]);
		expect(({} as Record<string, unknown>).decisions).toBeUndefined();
	});
});

describe("what is read", () => {
	it("has every section of the template, in its order", () => {
		const parsed = parseSummary("### Pending tasks\n- b\n### Decisions\n- a", "action-only");
		expect(Object.entries(parsed?.sections ?? {})).toEqual([
			["decisions", ["a"]],
			["pending_tasks", ["b"]],
		]);
	});

	it("is cut to what a section may hold", () => {
		const template = { sections: [{ id: "facts", title: "Facts", purpose: "Any.", maxItems: 2 }] };
		expect(parseSummary("# Facts\n- a\n- b\n- c", template)?.sections).toEqual({ facts: ["a", "b"] });
		expect(parseSummary('{"facts":["a","b","c"]}', template)?.sections).toEqual({ facts: ["a", "b"] });
	});

	it("knows the template's titles and aliases in any language", () => {
		const template = {
			sections: [
				{ id: "files", title: "Arquivos tocados", purpose: "Caminhos.", aliases: ["触れたファイル"] },
			],
		};
		for (const heading of ["# ARQUIVOS TOCADOS", "**arquivos_tocados**", "## files", "触れたファイル："])
			expect(parseSummary(`${heading}\n- a`, template)?.sections).toEqual({ files: ["a"] });
	});
});

describe("hostile input", () => {
	const many = 100_000;
	const inputs: readonly string[] = [
		...[
			"#",
			"*",
			"[",
			"{",
			"`",
			">",
			"|",
			" ",
			"\n",
			"\u200b",
			"<think>",
			"</think>\n",
			"[]",
			'{"a":',
			"- ",
		].map((one) => one.repeat(many)),
		`# Decisions\n- a\n${"b\n".repeat(many)}`,
		`# Decisions\n- a\n${"```x\n".repeat(many)}`,
		`# Decisions\n- a\n${"  - b\n".repeat(many)}`,
		`# Decisions\n${"a:\n\n\n".repeat(many)}`,
		`# Decisions\n- a${" ".repeat(many)}b\n# c${" ".repeat(many)}d`,
		`{"key_facts":${"[".repeat(many)}"a"${"]".repeat(many)}}`,
		`{"key_facts":["a",{"b":${"[".repeat(many)}${"]".repeat(many)}}]}`,
		`{"a":${'{"a":'.repeat(many)}1${"}".repeat(many)},"key_facts":["a"]}`,
	];

	// Far below what quadratic time would take, and far above what linear time does on the slowest machine.
	it("takes no more than linear time, and overflows nothing", () => {
		for (const text of inputs) {
			const start = performance.now();
			parseSummary(text);
			expect(performance.now() - start, text.slice(0, 30)).toBeLessThan(3000);
		}
	});
});
