import { describe, expect, it } from "vitest";
import type {
	Backend,
	BackendAnswer,
	SummarizingBackend,
	SummaryRequest,
} from "../../src/backend/contract.ts";
import { makeSummary } from "../../src/backend/make-summary.ts";
import { resolveTemplate } from "../../src/core/template/resolve-template.ts";
import { templateSchema } from "../../src/core/template/template-schema.ts";
import { CompactionError } from "../../src/errors/compaction-error.ts";
import { alternating, only, scriptedBackend, summaryJob } from "../support/scripted-backend.ts";

const GOOD = { text: "### Key facts\n- The mirror lives in Oslo" };

/** A backend that does the whole job with one answer, and remembers what it was asked. */
function whole(
	answer: unknown,
	settings: Partial<SummarizingBackend> = {},
): SummarizingBackend & { asked: SummaryRequest[] } {
	const asked: SummaryRequest[] = [];
	return {
		asked,
		...settings,
		async summarize(request) {
			asked.push(request);
			return answer as BackendAnswer;
		},
	};
}

describe("a backend that does the whole job", () => {
	it("may answer sections, which are rendered in the template's order", async () => {
		const backend = whole({ sections: { decisions: [" Keep two replicas "], key_facts: ["Oslo", " "] } });
		const outcome = await makeSummary(only(backend), summaryJob());
		expect(outcome).toMatchObject({
			sections: { key_facts: ["Oslo"], decisions: ["Keep two replicas"] },
			source: "backend",
			trimmed: false,
			retries: 0,
			usage: { calls: 1 },
		});
		expect(outcome.text).toMatch(/### Key facts\n- Oslo\n\n### Decisions\n- Keep two replicas$/);
	});

	it("may answer text, read into sections where it has them", async () => {
		const outcome = await makeSummary(only(whole(GOOD)), summaryJob());
		expect(outcome).toMatchObject({ sections: { key_facts: ["The mirror lives in Oslo"] }, degraded: false });
		const raw = await makeSummary(only(whole({ text: "It lives in Oslo." })), summaryJob());
		expect(raw).toMatchObject({
			sections: { key_facts: ["It lives in Oslo."] },
			degraded: true,
			source: "backend",
		});
	});

	it("may repeat the header in a raw text, which has it once all the same", async () => {
		const { header } = resolveTemplate("default", {});
		const repeated = { text: `${header}\n\n${header}\n\nIt lives in Oslo.` };
		const plain = await makeSummary(only(whole(repeated)), summaryJob({ options: { parseOutput: false } }));
		expect(plain.text).toBe(`${header}\n\nIt lives in Oslo.`);
		const raw = await makeSummary(only(whole(repeated)), summaryJob());
		expect(raw.sections).toMatchObject({ key_facts: ["It lives in Oslo."] });
		for (const parseOutput of [true, false])
			await expect(
				makeSummary(only(whole({ text: header })), summaryJob({ options: { parseOutput } })),
			).rejects.toMatchObject({ code: "BLANK_SUMMARY" });
	});

	it("may answer messages, whose texts become the one message's", async () => {
		const messages = [
			{ role: "user", content: "### Key facts\n- Oslo" },
			{
				role: "assistant",
				content: [
					{ type: "text", text: "### Decisions\n- Keep two" },
					{ type: "image", image: "x" },
				],
			},
		];
		const outcome = await makeSummary(only(whole({ messages })), summaryJob());
		expect(outcome.sections).toEqual({
			key_facts: ["Oslo"],
			decisions: ["Keep two"],
			pending_tasks: [],
			open_questions: [],
		});
	});

	it("has its usage and metadata reported, and its events prefixed", async () => {
		const events: object[] = [];
		const backend: Backend = {
			async summarize(_, { emit, countTokens }) {
				emit({ name: "step", tokens: countTokens("12345678") });
				return {
					...GOOD,
					usage: { calls: 0, inputTokens: 7, costUSD: Number.NaN },
					metadata: { region: "eu" },
				};
			},
		};
		const outcome = await makeSummary(
			only(backend, "acme"),
			summaryJob({ emit: (event) => events.push(event) }),
		);
		expect(outcome.usage).toEqual({ calls: 0, inputTokens: 7 });
		expect(outcome.metadata).toEqual({ region: "eu" });
		expect(events).toContainEqual({ name: "acme.step", tokens: 2 });
	});

	it("is shown a bounded transcript, rendered only when it is read", async () => {
		const messages = alternating(400, 50);
		const backend = whole(GOOD, { limits: { windowTokens: 4000 } });
		await makeSummary(only(backend), summaryJob({ messages }));
		const [request] = backend.asked;
		expect(request?.messages).toBe(messages);
		expect((request?.transcript.length ?? 0) / 4).toBeLessThanOrEqual(3000);
		expect(request?.transcript).toContain("m00");
		expect(request?.transcript).toContain("m399");
		expect(request?.transcript).toBe(request?.transcript);
		const small = whole(GOOD);
		await makeSummary(only(small), summaryJob({ messages, options: { transcriptMaxTokens: 200 } }));
		expect((small.asked[0]?.transcript.length ?? 0) / 4).toBeLessThanOrEqual(200);
	});

	it("is trimmed to the budget", async () => {
		const entries = Array.from({ length: 40 }, (_, index) => `entry number ${index} with some words`);
		const job = summaryJob({ budgetTokens: 120 });
		const outcome = await makeSummary(only(whole({ sections: { key_facts: entries } })), job);
		expect(outcome.trimmed).toBe(true);
		expect(job.measure(outcome.text)).toBeLessThanOrEqual(120);
		expect(outcome.sections.key_facts).toEqual(entries.slice(0, outcome.sections.key_facts?.length));
	});

	it.each([
		["nothing", undefined],
		["null", null],
		["a string", "text"],
		["a list", []],
		["an empty object", {}],
		["two forms at once", { text: "x", sections: {} }],
		["text that is no string", { text: 7 }],
		["sections that are a list", { sections: ["x"] }],
		["a section that is no list", { sections: { key_facts: "x" } }],
		["entries that are no strings", { sections: { key_facts: [1] } }],
		["only sections that the template does not have", { sections: { files: ["x"] } }],
		["messages that are no list", { messages: {} }],
		["messages with junk among them", { messages: [null] }],
	])("that answers %s is PLUGIN_INVALID and named", async (_, answer) => {
		await expect(makeSummary(only(whole(answer), "acme"), summaryJob())).rejects.toMatchObject({
			code: "PLUGIN_INVALID",
			message: expect.stringContaining('"acme"'),
		});
	});

	it.each([
		["no messages", { messages: [] }],
		["blank messages", { messages: [{ role: "user", content: " \n" }] }],
		["no sections", { sections: {} }],
		["empty sections", { sections: { key_facts: [], decisions: [" "] } }],
		["blank text", { text: " \u200b\ufeff" }],
		["empty headings", { text: "### Key facts\n\n### Decisions\n" }],
	])("that answers %s fails the pass", async (_, answer) => {
		await expect(makeSummary(only(whole(answer)), summaryJob())).rejects.toMatchObject({
			code: "BLANK_SUMMARY",
		});
	});

	it('refuses prose under "malformed": "fail"', async () => {
		await expect(
			makeSummary(only(whole({ text: "prose" })), summaryJob({ options: { malformed: "fail" } })),
		).rejects.toMatchObject({ code: "MALFORMED_SUMMARY" });
	});

	it("says which sections it filled in vain", async () => {
		const backend = whole({ sections: { key_facts: ["Oslo"], files: ["a.ts"], constructor: ["x"] } });
		const outcome = await makeSummary(only(backend, "acme"), summaryJob());
		expect(outcome.sections).toEqual({
			key_facts: ["Oslo"],
			decisions: [],
			pending_tasks: [],
			open_questions: [],
		});
		expect(outcome.notes.join("\n")).toMatch(/"acme" filled sections .* files, constructor/);
	});
});

describe("a backend that answers by a schema", () => {
	const template = resolveTemplate("default", {});
	const answer = { text: '{"key_facts":["Oslo"],"decisions":[],"pending_tasks":[],"open_questions":[]}' };

	it("is given the template's schema, and asked for JSON", async () => {
		const backend = scriptedBackend([answer], { structured: true });
		const outcome = await makeSummary(only(backend), summaryJob());
		expect(backend.requests[0]?.schema).toEqual(templateSchema(template));
		expect(backend.requests[0]?.system).toContain("one JSON object");
		expect(outcome).toMatchObject({ sections: { key_facts: ["Oslo"] }, source: "json", retries: 0 });
	});

	it.each([
		["answers no JSON", { text: "I would rather talk about it." }],
		[
			"says that it cannot",
			{ error: Object.assign(new Error("response_format is not supported"), { statusCode: 400 }) },
		],
		[
			"made no object",
			{ error: Object.assign(new Error("no object"), { name: "AI_NoObjectGeneratedError" }) },
		],
	])("and %s is asked for text instead, which is the second call", async (_, first) => {
		const backend = scriptedBackend([first, GOOD], { structured: true });
		const outcome = await makeSummary(only(backend), summaryJob());
		expect(backend.requests).toHaveLength(2);
		expect(backend.requests[1]?.schema).toBeUndefined();
		expect(backend.requests[1]?.system).toContain("### Key facts");
		expect(outcome).toMatchObject({
			source: "headings",
			retries: 1,
			faults: ["unstructured"],
			usage: { calls: 2 },
		});
	});

	it("is asked by the schema again where only the length was wrong", async () => {
		const long = {
			text: JSON.stringify({ key_facts: Array.from({ length: 40 }, (_, index) => `entry ${index}`) }),
		};
		const backend = scriptedBackend([long, answer], { structured: true });
		const outcome = await makeSummary(only(backend), summaryJob({ budgetTokens: 60 }));
		expect(backend.requests[1]?.schema).toBeDefined();
		expect(outcome).toMatchObject({ faults: ["over-budget"], trimmed: false });
	});

	it("and fails for another reason fails as any backend", async () => {
		const backend = scriptedBackend(
			[{ error: Object.assign(new Error("who are you"), { statusCode: 401 }) }],
			{
				structured: true,
			},
		);
		await expect(makeSummary(only(backend), summaryJob())).rejects.toMatchObject({ code: "BACKEND_FAILED" });
		expect(backend.requests).toHaveLength(1);
	});
});

describe("a chain of backends", () => {
	const failing = (message: string): ReturnType<typeof scriptedBackend> =>
		scriptedBackend([{ error: new Error(message) }]);

	it("uses the first that does not fail, and reports each failure and all calls", async () => {
		const events: { readonly name: string }[] = [];
		const blank = scriptedBackend([{ text: "" }]);
		const outcome = await makeSummary(
			[
				{ name: "first", backend: failing("down") },
				{ name: "second", backend: blank },
				{ name: "third", backend: scriptedBackend([GOOD]) },
				{ name: "fourth", backend: failing("never asked") },
			],
			summaryJob({ emit: (event) => events.push(event) }),
		);
		expect(outcome.usage.calls).toBe(4);
		expect(outcome.sections.key_facts).toEqual(["The mirror lives in Oslo"]);
		expect(outcome.notes.join("\n")).toMatch(
			/"first" failed with BACKEND_FAILED: .*down[\s\S]*"second" failed with BLANK_SUMMARY/,
		);
		expect(events.filter(({ name }) => name === "precis.compaction.backend.failed")).toHaveLength(2);
	});

	it("starts anew with each: the next sees no trace of the one before", async () => {
		const third = scriptedBackend([GOOD]);
		await makeSummary(
			[
				{ name: "first", backend: scriptedBackend([{ text: "prose" }, { text: "" }]) },
				{ name: "second", backend: third },
			],
			summaryJob({ options: { malformed: "fail" } }),
		);
		expect(third.requests).toHaveLength(1);
		expect(third.requests[0]?.prompt).not.toContain("earlier attempt");
	});

	it("that fails as a whole names every failure", async () => {
		await expect(
			makeSummary(
				[
					{ name: "first", backend: failing("down") },
					{ name: "second", backend: scriptedBackend([{ text: "" }]) },
				],
				summaryJob(),
			),
		).rejects.toMatchObject({
			code: "BLANK_SUMMARY",
			message: expect.stringMatching(
				/all 2 backends failed: "first": BACKEND_FAILED: .*down; "second": BLANK_SUMMARY/,
			),
		});
	});

	it("that fails as a whole says what it spent", async () => {
		const spent: object[] = [];
		const blank = scriptedBackend([{ text: "", usage: { inputTokens: 5 } }]);
		const job = { ...summaryJob(), spent: (usage: object) => spent.push(usage) };
		await expect(makeSummary(only(blank), job)).rejects.toMatchObject({ code: "BLANK_SUMMARY" });
		expect(spent).toEqual([{ calls: 2, inputTokens: 10 }]);
		const failing: Backend = { summarize: () => Promise.reject(new Error("down")) };
		await expect(makeSummary(only(failing), job)).rejects.toMatchObject({ code: "BACKEND_FAILED" });
		expect(spent[1]).toEqual({ calls: 1 });
	});

	it("is stopped by a cancellation", async () => {
		const controller = new AbortController();
		const second = scriptedBackend([GOOD]);
		const first: Backend = {
			async generate() {
				controller.abort("gone");
				throw new Error("aborted by the provider");
			},
		};
		await expect(
			makeSummary(
				[
					{ name: "first", backend: first },
					{ name: "second", backend: second },
				],
				summaryJob({ signal: controller.signal }),
			),
		).rejects.toMatchObject({ code: "CANCELLED", name: "AbortError", cause: "gone" });
		expect(second.requests).toEqual([]);
	});

	it("is cancelled between two calls too, and before the first", async () => {
		const controller = new AbortController();
		let calls = 0;
		const backend: Backend = {
			async generate() {
				calls += 1;
				controller.abort();
				return { text: "prose" };
			},
		};
		await expect(makeSummary(only(backend), summaryJob({ signal: controller.signal }))).rejects.toMatchObject(
			{
				code: "CANCELLED",
			},
		);
		expect(calls).toBe(1);
		await expect(makeSummary(only(backend), summaryJob({ signal: controller.signal }))).rejects.toMatchObject(
			{
				code: "CANCELLED",
			},
		);
		expect(calls).toBe(1);
	});

	it("passes a backend's own error with its code", async () => {
		const own = new CompactionError("BLANK_SUMMARY", "Cannot: nothing to say.");
		await expect(makeSummary(only(scriptedBackend([{ error: own }])), summaryJob())).rejects.toBe(own);
	});

	it("of none is MISSING_BACKEND", async () => {
		await expect(makeSummary([], summaryJob())).rejects.toMatchObject({ code: "MISSING_BACKEND" });
	});

	it("refuses what is no backend, an answer that is none, and absurd limits", async () => {
		await expect(makeSummary(only({} as Backend, "acme"), summaryJob())).rejects.toMatchObject({
			code: "PLUGIN_INVALID",
		});
		for (const answer of [undefined, null, "text", { text: 1 }, []]) {
			const backend = { generate: async () => answer } as unknown as Backend;
			await expect(makeSummary(only(backend, "acme"), summaryJob())).rejects.toMatchObject({
				code: "PLUGIN_INVALID",
				message: expect.stringContaining('"acme"'),
			});
		}
		for (const windowTokens of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
			await expect(
				makeSummary(only(scriptedBackend([GOOD], { limits: { windowTokens } })), summaryJob()),
			).rejects.toMatchObject({
				code: "PLUGIN_INVALID",
				message: expect.stringContaining("limits.windowTokens"),
			});
		}
	});
});

describe("the previous summary", () => {
	const previousSummary = {
		text: "## S\n\n### Decisions\n- Keep two replicas",
		sections: { decisions: ["Keep two replicas"] },
	};

	it("stands before the transcript, in both calls", async () => {
		const backend = scriptedBackend([{ text: "prose" }, GOOD]);
		await makeSummary(only(backend), summaryJob({ request: { previousSummary } }));
		for (const { prompt } of backend.requests) {
			expect(prompt).toContain(`<earlier-1>\n${previousSummary.text}\n</earlier-1>`);
			expect(prompt.indexOf("</earlier-1>")).toBeLessThan(prompt.indexOf("<transcript-1>"));
		}
	});

	it("is handed as it is to a backend that does the whole job", async () => {
		const backend = whole(GOOD);
		await makeSummary(only(backend), summaryJob({ request: { previousSummary } }));
		expect(backend.asked[0]?.previousSummary).toEqual(previousSummary);
	});
});
