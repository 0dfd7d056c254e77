import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderSummary } from "../../src/core/render/render-summary.ts";
import { loadValidator } from "../../src/generated/validators.ts";
import { folderWith, precis, precisProcess } from "./command.ts";

const ANSWER = `Here is the summary.

## Key facts
- Shelf A1 holds 14 boxes, and nobody has moved one of them since the last count of the hall
- The hall has two doors, one of which sticks when it rains

## Decisions
1. Count by hand
2. Write the numbers on paper first, because the terminal in the hall was slow on both days

## Pending tasks
- Count shelf A2
`;

const HANDOVER =
	'{ "header": "## Handover", "sections": ["decisions", { "id": "files_touched", "title": "Files touched", "purpose": "Paths." }] }';

describe("parse", () => {
	test("an answer in, its sections as versioned JSON out", async () => {
		const cwd = await folderWith({ "answer.md": ANSWER });
		const { code, stdout, stderr } = await precis(["parse", "answer.md"], { cwd });
		expect(code).toBe(0);
		expect(stderr).toBe("");
		const parsed = JSON.parse(stdout);
		const validate = await loadValidator("summary");
		expect(validate(parsed), JSON.stringify(validate.errors)).toBe(true);
		expect(parsed).toMatchObject({
			version: 1,
			source: "headings",
			sections: {
				pending_tasks: ["Count shelf A2"],
				decisions: ["Count by hand", expect.stringContaining("paper")],
			},
		});
	});

	test("no section is exit code 1, with what was looked for, and no output", async () => {
		const cwd = await folderWith({ "answer.md": "I cannot do that." });
		const { code, stdout, stderr } = await precis(["parse", "answer.md"], { cwd });
		expect(code).toBe(1);
		expect(stdout).toBe("");
		expect(stderr).toContain('Cannot parse "answer.md"');
		expect(stderr).toContain('"Pending tasks"');
	});

	test("--template takes a preset, a name of the config, and a file", async () => {
		const cwd = await folderWith({
			"answer.md": "### Files touched\n- src/a.ts\n### Decisions\n- Yes",
			"handover.json": HANDOVER,
			"precis.config.json": `{ "strategy": { "use": "keep-recent" }, "templates": { "handover": ${HANDOVER} } }`,
		});
		for (const template of ["handover", "handover.json"]) {
			const { stdout } = await precis(["parse", "answer.md", "--template", template], { cwd });
			expect(JSON.parse(stdout).sections).toMatchObject({ files_touched: ["src/a.ts"], decisions: ["Yes"] });
		}
		const preset = await precis(["parse", "answer.md", "--template", "action-only"], { cwd });
		expect(JSON.parse(preset.stdout).sections.decisions).toEqual(["Yes"]);
	});

	test.each([
		["handovr", 'there is no template "handovr"'],
		["none.json", 'Cannot read the template "none.json": there is no such file.'],
		["bad.json", 'bad.json:2:3 /sectons: found the unknown key "sectons"'],
		["broken.json", "broken.json:1:"],
	])("--template %s is exit code 2", async (template, what) => {
		const cwd = await folderWith({ "bad.json": '{\n  "sectons": ["decisions"]\n}', "broken.json": "{" });
		const { code, stderr } = await precis(["parse", "--template", template], { cwd, stdin: ANSWER });
		expect(code).toBe(2);
		expect(stderr).toContain(what);
	});
});

describe("render", () => {
	test("takes what parse writes, and the sections alone", async () => {
		const sections = { decisions: ["Count by hand"], open_questions: ["Who has the key?"] };
		for (const stdin of [
			JSON.stringify({ version: 1, sections, source: "json" }),
			`\uFEFF${JSON.stringify(sections)}`,
		]) {
			const { code, stdout } = await precis(["render"], { cwd: await folderWith(), stdin });
			expect(code).toBe(0);
			expect(stdout).toBe(`${renderSummary(sections)}\n`);
		}
	});

	test("what the template does not have is never passed off as nothing", async () => {
		const cwd = await folderWith();
		const strange = '{"sections":{"files_touched":["a.ts"],"key_facts":[]}}';
		for (const argv of [["render"], ["trim", "--budget", "500"]]) {
			const refused = await precis(argv, { cwd, stdin: strange });
			expect(refused).toMatchObject({ code: 2, stdout: "" });
			expect(refused.stderr).toContain('none of "files_touched"');
			const partly = await precis(argv, { cwd, stdin: '{"files_touched":["a.ts"],"decisions":["a"]}' });
			expect(partly.code).toBe(0);
			expect(partly.stderr).toContain('left out "files_touched"');
			expect(partly.stdout).toBe(`${renderSummary({ decisions: ["a"] })}\n`);
		}
	});

	test("--json wraps the text, versioned", async () => {
		const { stdout } = await precis(["render", "-", "--json"], {
			cwd: await folderWith(),
			stdin: '{"decisions":["a"]}',
		});
		expect(JSON.parse(stdout)).toEqual({ version: 1, text: renderSummary({ decisions: ["a"] }) });
	});

	test.each([
		["[]", "it is no object"],
		['{"sections":[]}', "/sections is no object"],
		['{"sections":{"decisions":"a"}}', "/sections/decisions is no list of texts"],
		['{"decisions":["a",1]}', "/decisions is no list of texts"],
		['{"decisions":["a",]}', "line 1, column 19"],
		["", "unfinished"],
	])("%s is exit code 2", async (stdin, what) => {
		const { code, stdout, stderr } = await precis(["render"], { cwd: await folderWith(), stdin });
		expect(code).toBe(2);
		expect(stdout).toBe("");
		expect(stderr).toContain(what);
	});
});

describe("trim", () => {
	test("takes sections and summary text, and stays within the budget", async () => {
		const cwd = await folderWith({ "answer.md": ANSWER });
		const sections = (await precis(["parse", "answer.md"], { cwd })).stdout;
		for (const stdin of [ANSWER, sections]) {
			const { code, stdout } = await precis(["trim", "--budget", "60"], { cwd, stdin });
			expect(code).toBe(0);
			expect(stdout).toContain("## Conversation summary");
			expect(stdout.trimEnd().split("\n").at(-1)).toBe("[trimmed]");
		}
		const whole = await precis(["trim", "--budget", "5000", "--json"], { cwd, stdin: ANSWER });
		const result = JSON.parse(whole.stdout);
		expect(result).toMatchObject({ version: 1, trimmed: false });
		expect(result.sections.pending_tasks).toEqual(["Count shelf A2"]);
	});

	test("a budget that holds nothing is exit code 1", async () => {
		const { code, stdout, stderr } = await precis(["trim", "--budget", "1"], {
			cwd: await folderWith(),
			stdin: ANSWER,
		});
		expect(code).toBe(1);
		expect(stdout).toBe("");
		expect(stderr).toMatch(/^precis: Cannot /);
	});

	test("text without sections is exit code 1", async () => {
		const { code } = await precis(["trim", "--budget", "50"], {
			cwd: await folderWith(),
			stdin: "Nothing here.",
		});
		expect(code).toBe(1);
	});
});

test("the three verbs work in a pipe: precis parse answer.md | precis render | precis trim --budget 200", async () => {
	const cwd = await folderWith({ "answer.md": `${ANSWER}\n### Identifiers\n- src/a.ts\n` });
	const parsed = await precisProcess(["parse", "answer.md"], cwd);
	const rendered = await precisProcess(["render"], cwd, parsed.stdout);
	const trimmed = await precisProcess(["trim", "--budget", "200"], cwd, rendered.stdout);
	expect([parsed.code, rendered.code, trimmed.code]).toEqual([0, 0, 0]);
	expect(trimmed.stdout).toBe(rendered.stdout);
	expect(trimmed.stdout).toContain("### Identifiers\n- src/a.ts");
	expect([parsed.stderr, rendered.stderr].join("")).not.toContain("left out");
	expect(await readFile(join(cwd, "answer.md"), "utf8")).toContain(ANSWER);
});
