import fc from "fast-check";
import { describe, expect, test } from "vitest";
import extractive from "../../../plugins/backends/extractive.ts";
import type { SummaryRequest } from "../../../src/backend/contract.ts";
import { resolveTemplate } from "../../../src/core/template/resolve-template.ts";
import type { Sections, Template } from "../../../src/core/template/template.ts";
import type { Message } from "../../../src/core/transcript/message.ts";
import { renderSummary, type SummarizingBackend, summaryMessage } from "../../../src/plugin.ts";
import { hasSharedData, sharedNames, sharedTranscript } from "../../support/shared-data.ts";

const RUNS = Number(process.env.PRECIS_RUNS ?? 100);
const TEMPLATE = resolveTemplate("default", {});
const countTokens = (text: string): number => text.length / 4;
const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });
const failure = (value: string): Message => ({
	role: "tool",
	content: [
		{ type: "tool-result", toolCallId: "c", toolName: "test", output: { type: "error-text", value } },
	],
});

const backend = (await extractive.create({}, {} as never)) as SummarizingBackend;

async function sectionsOf(
	messages: readonly Message[],
	more: Partial<SummaryRequest> = {},
): Promise<Sections> {
	const request: SummaryRequest = {
		messages,
		transcript: "",
		template: TEMPLATE,
		budgetTokens: 600,
		reason: { trigger: "test", detail: "test" },
		metadata: {},
		guidance: {},
		...more,
	};
	const answer = await backend.summarize(request, {
		signal: new AbortController().signal,
		countTokens,
		emit() {},
	});
	if (!("sections" in answer)) throw new Error("no sections");
	return answer.sections;
}

/** Tokens of the whole message that would carry the sections. */
function sizeOf(sections: Sections, template: Template = TEMPLATE): number {
	const { content } = summaryMessage(renderSummary(sections, template), template, "user");
	return typeof content === "string" ? 0 : countTokens(content[0]?.text ?? "") + 4;
}

const entriesOf = (sections: Sections): readonly string[] => Object.values(sections).flat();

describe("what goes where", () => {
	test("a decision, an open task, an open question and a fact go into their sections", async () => {
		const sections = await sectionsOf([
			user("The service listens on port 8080."),
			assistant("We decided to store sessions in Redis."),
			assistant("TODO: write the migration for the users table."),
			user("Please look at the bucket too."),
			assistant("Which region should the bucket be in?"),
		]);
		expect(sections.decisions).toEqual(["We decided to store sessions in Redis."]);
		expect(sections.pending_tasks?.join()).toContain("write the migration for the users table");
		expect(sections.open_questions).toEqual(["Which region should the bucket be in?"]);
		expect(sections.key_facts).toEqual(["User: The service listens on port 8080."]);
	});

	test("what the user asked for last is a task until something was reported done since", async () => {
		const asked = user("Please add a dark theme to the settings page.");
		const open = await sectionsOf([asked, assistant("Looking at the settings page first.")]);
		expect(open.pending_tasks).toEqual(["User: Please add a dark theme to the settings page."]);
		const closed = await sectionsOf([asked, assistant("The dark theme is done.")]);
		expect(closed.pending_tasks).toEqual([]);
		expect(closed.key_facts).toContain("User: Please add a dark theme to the settings page.");
	});

	test("a question that the other side answered is open no longer", async () => {
		const sections = await sectionsOf([
			assistant("Which region should the bucket be in?"),
			user("Take eu-central-1 for it."),
			assistant("Good."),
		]);
		expect(sections.open_questions).toEqual([]);
	});

	test("boxes of a task list say what is open and what is done", async () => {
		const sections = await sectionsOf([
			assistant("- [ ] migrate the users table\n- [x] migrate the orders table"),
		]);
		expect(sections.pending_tasks).toEqual(["migrate the users table"]);
		expect(sections.key_facts).toEqual(["migrate the orders table"]);
	});

	test("errors are carried", async () => {
		const sections = await sectionsOf([
			user("Run the tests."),
			failure("TypeError: x is not a function\n at a.ts:1"),
		]);
		expect(entriesOf(sections).join()).toContain("TypeError: x is not a function");
	});

	test("reasoning is not", async () => {
		const sections = await sectionsOf([
			{
				role: "assistant",
				content: [
					{ type: "reasoning", text: "The user must be tired." },
					{ type: "text", text: "The cache is warm." },
				],
			},
		]);
		expect(entriesOf(sections)).toEqual(["The cache is warm."]);
	});

	test("a section of one's own takes what its title or purpose speaks of", async () => {
		const template = resolveTemplate("own", {
			own: {
				header: "## Own",
				sections: [
					"decisions",
					{ id: "files_touched", title: "Files touched", purpose: "Paths read or changed, and why." },
					{ id: "wishes", title: "What the user wants", purpose: "Requests of the user." },
					{ id: "weather", title: "Weather", purpose: "Rain and sunshine forecasts." },
				],
			},
		});
		const sections = await sectionsOf(
			[
				user("Please make the login faster."),
				assistant("I changed src/login.ts to cache the lookup."),
				assistant("We agreed to keep the cookie."),
				assistant("Nothing else matters here today."),
			],
			{ template },
		);
		expect(sections).toEqual({
			decisions: ["We agreed to keep the cookie."],
			files_touched: ["I changed src/login.ts to cache the lookup."],
			wishes: ["User: Please make the login faster."],
			weather: [],
		});
	});
});

describe("what is picked", () => {
	test("stands in the conversation's order, without duplicates", async () => {
		const sections = await sectionsOf([
			assistant("The parser reads lines of the input."),
			assistant("The writer flushes every second."),
			assistant("The parser reads lines of the input."),
			assistant("The socket stays open for a minute."),
		]);
		expect(sections.key_facts).toEqual([
			"The parser reads lines of the input.",
			"The writer flushes every second.",
			"The socket stays open for a minute.",
		]);
	});

	test("neighbouring sentences of one message share a bullet; a gap is marked", async () => {
		const sections = await sectionsOf([assistant("Alpha opens first. Beta follows it. Gamma closes last.")]);
		expect(sections.key_facts).toEqual(["Alpha opens first. Beta follows it. Gamma closes last."]);
	});

	test("holds no more entries than a section takes", async () => {
		const template: Template = {
			...TEMPLATE,
			sections: TEMPLATE.sections.map((section) => ({ ...section, maxItems: 3 })),
		};
		const sections = await sectionsOf(
			Array.from({ length: 20 }, (_, index) => assistant(`Fact number ${index} is about topic${index}.`)),
			{ template },
		);
		expect(sections.key_facts?.length).toBeLessThanOrEqual(3);
	});

	test("covers other scripts: Chinese, Japanese, Thai", async () => {
		const sections = await sectionsOf([
			user("请把登录页面改成深色主题。数据库密码不要写进代码。"),
			assistant("我们决定采用 Redis 存储会话。还需要编写迁移脚本。"),
			assistant("次の手順は未対応です。ประชุมครั้งต่อไปจะมีขึ้นในวันจันทร์"),
		]);
		const text = entriesOf(sections).join("\n");
		for (const part of [
			"请把登录页面改成深色主题",
			"我们决定采用 Redis 存储会话",
			"还需要编写迁移脚本",
			"ประชุมครั้งต่อไป",
		])
			expect(text).toContain(part);
		expect(sections.decisions?.join()).toContain("我们决定采用 Redis 存储会话。");
		expect(sections.pending_tasks?.join()).toContain("还需要编写迁移脚本。");
	});

	test("never holds a secret, wherever it was named", async () => {
		const sections = await sectionsOf([
			user("The password is correct-horse-9 and the key is sk-proj-abcdefghijklmnop1234."),
			{
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: "c",
						toolName: "cat",
						output: { type: "text", value: "DB_PASSWORD=staplebattery" },
					},
				],
			},
			assistant("I log in with staplebattery now and then use correct-horse-9."),
		]);
		const text = entriesOf(sections).join("\n");
		for (const secret of ["correct-horse-9", "sk-proj", "staplebattery"]) expect(text).not.toContain(secret);
		expect(text).toContain("I log in with … now");
	});

	test("the body of a key file is left out", async () => {
		const sections = await sectionsOf([
			user(
				"Here it is:\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSj\n-----END PRIVATE KEY-----\nStore it in the vault.",
			),
		]);
		const text = entriesOf(sections).join("\n");
		expect(text).not.toMatch(/MIIEv|BKcwggSj/);
		expect(text).toContain("Store it in the vault.");
	});
});

describe("the previous summary", () => {
	const previousOf = (sections: Sections): Pick<SummaryRequest, "previousSummary"> => ({
		previousSummary: { text: renderSummary(sections, TEMPLATE), sections },
	});

	test("is merged into its sections, before what is new", async () => {
		const sections = await sectionsOf(
			[assistant("The queue holds ten jobs.")],
			previousOf({
				key_facts: ["User: The service listens on port 8080."],
				decisions: ["Redis stores the sessions."],
			}),
		);
		expect(sections.key_facts).toEqual([
			"User: The service listens on port 8080.",
			"The queue holds ten jobs.",
		]);
		expect(sections.decisions).toEqual(["Redis stores the sessions."]);
	});

	test("loses the tasks that were reported done", async () => {
		const sections = await sectionsOf(
			[assistant("The migration of the users table is done.")],
			previousOf({
				pending_tasks: ["Write the migration of the users table.", "Rotate the certificates."],
			}),
		);
		expect(sections.pending_tasks).toEqual(["Rotate the certificates."]);
	});

	test("ten passes neither nest nor grow", async () => {
		let previous: Sections = {};
		for (let pass = 0; pass < 10; pass += 1) {
			previous = await sectionsOf(
				Array.from({ length: 12 }, (_, index) =>
					index % 2 === 0
						? user(`In round ${pass} please look at module m${pass}x${index}.`)
						: assistant(`Module m${pass}x${index} holds the parser of round ${pass}.`),
				),
				{ ...previousOf(previous), budgetTokens: 300 },
			);
			expect(sizeOf(previous)).toBeLessThanOrEqual(300);
			for (const entry of entriesOf(previous)) expect(entry).not.toMatch(/User: .*User: |^- |###/);
			expect(new Set(entriesOf(previous)).size).toBe(entriesOf(previous).length);
		}
	});
});

const speech = fc.array(
	fc.oneof(
		fc.string({ unit: "binary", maxLength: 60 }),
		fc.constantFrom(
			"Fix it.",
			"Is it done?",
			"We decided to go.",
			"待办：写文档。",
			"- [ ] a task",
			"```",
			"| a | b |",
			"User: hello",
			"### Key facts",
			"…",
			"𠮷".repeat(200),
		),
	),
	{ maxLength: 8 },
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
	speech.map((texts) => user(texts.join("\n"))),
	speech.map((texts) => assistant(texts.join(" "))),
	fc.jsonValue().map((input) => ({
		role: "assistant",
		content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input }],
	})),
	speech.map((texts) => failure(texts.join("\n"))),
);
const squeeze = (text: string): string => text.replace(/[\s…]+/g, "");

describe("for any transcript", () => {
	test("the answer is the same twice, within budget, well-formed, and made of what was said", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(anyMessage, { maxLength: 8 }),
				fc.integer({ min: 120, max: 500 }),
				async (messages, budgetTokens) => {
					const before = JSON.stringify(messages);
					// Where no sentence fits, that is what it says.
					const select = (): Promise<Sections> =>
						sectionsOf(messages, { budgetTokens }).catch((error: { readonly code?: string }) => {
							expect(error.code).toBe("BUDGET_TOO_SMALL");
							return {};
						});
					const sections = await select();
					expect(await select()).toEqual(sections);
					expect(JSON.stringify(messages)).toBe(before);
					const said = squeeze(JSON.stringify(messages).replace(/\\(?:[bfnrt"\\]|u[0-9a-f]{4})/g, ""));
					const entries = entriesOf(sections);
					// One entry may be too long for the budget by itself: it is cut later.
					if (entries.length > 1) expect(sizeOf(sections)).toBeLessThanOrEqual(budgetTokens + 4);
					for (const entry of entries) {
						expect(entry).not.toMatch(/[\n\r]/);
						if (!entry.includes("("))
							for (const piece of entry.replace(/^User: /, "").split(/ … | \/ |…/)) {
								const [first = ""] = piece.match(/^[\w ]{1,40}/) ?? [];
								expect(said).toContain(squeeze(first));
							}
					}
				},
			),
			{ numRuns: RUNS },
		);
	});
});

describe("hostile transcripts", () => {
	test.each([
		["one run of full stops", ".".repeat(200_000)],
		["full stops with spaces", ". ".repeat(100_000)],
		["one line without spaces", "a".repeat(500_000)],
		["one line of ideographs", "漢".repeat(200_000)],
		["two hundred thousand short lines", "ok then\n".repeat(200_000)],
		[
			"alike lines",
			Array.from({ length: 50_000 }, (_, index) => `line ${index} done with the migration task`).join("\n"),
		],
		[
			"open tasks and reports",
			Array.from(
				{ length: 30_000 },
				(_, index) => `TODO: migrate table ${index}.\nThe migration of table ${index} is done.`,
			).join("\n"),
		],
	])("%s take no more than linear time", async (_, text) => {
		const start = performance.now();
		await sectionsOf([user(text), assistant(text)]);
		expect(performance.now() - start).toBeLessThan(6000);
	});

	test("values that are nested a thousand deep or hold bytes are read without harm", async () => {
		let deep: unknown = "leaf";
		for (let depth = 0; depth < 1000; depth += 1) deep = [deep];
		const sections = await sectionsOf([
			{ role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: deep }] },
			{
				role: "user",
				content: [{ type: "file", data: new Uint8Array(1000), mediaType: "image/png", filename: "plan.png" }],
			},
		]);
		expect(entriesOf(sections).join()).toContain("plan.png");
	});

	test("a pass that was cancelled is not begun", async () => {
		const controller = new AbortController();
		controller.abort();
		await expect(
			backend.summarize(
				{
					messages: [],
					transcript: "",
					template: TEMPLATE,
					budgetTokens: 100,
					reason: { trigger: "t", detail: "d" },
					metadata: {},
					guidance: {},
				},
				{ signal: controller.signal, countTokens, emit() {} },
			),
		).rejects.toMatchObject({ code: "CANCELLED" });
	});
});

describe.skipIf(!hasSharedData)("real transcripts (the shared ones, where they are)", () => {
	test.each(sharedNames)("%s: a summary within budget that is not empty", async (name) => {
		const messages = sharedTranscript(name).filter(({ role }) => role !== "system");
		const sections = await sectionsOf(messages, { budgetTokens: 800 });
		expect(entriesOf(sections).length).toBeGreaterThan(0);
		expect(sizeOf(sections)).toBeLessThanOrEqual(800 + 4);
	});
});
