import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GenerateAnswer } from "../../src/backend/contract.ts";
import type { Fault } from "../../src/backend/job.ts";
import { makeSummary } from "../../src/backend/make-summary.ts";
import { resolveTemplate } from "../../src/core/template/resolve-template.ts";
import { isCompactionError } from "../../src/errors/compaction-error.ts";
import { alternating, only, scriptedBackend, summaryJob } from "../support/scripted-backend.ts";

const RUNS = Number(process.env.PRECIS_RUNS ?? 300);

const entry = fc.oneof(
	fc.string({ unit: "binary", maxLength: 60 }),
	fc.constantFrom(
		"None",
		"N/A",
		"-",
		"### Decisions",
		"long ".repeat(40),
		"line\nbreak",
		"<think>",
		'{"a":1}',
	),
);
const headings = fc
	.array(
		fc.tuple(
			fc.constantFrom("Key facts", "Decisions", "Pending tasks", "Elsewhere"),
			fc.array(entry, { maxLength: 6 }),
		),
		{
			maxLength: 4,
		},
	)
	.map((sections) =>
		sections.map(([title, list]) => `### ${title}\n${list.map((one) => `- ${one}`).join("\n")}`).join("\n\n"),
	);
const json = fc
	.dictionary(
		fc.constantFrom("key_facts", "decisions", "pending_tasks", "open_questions", "other"),
		fc.array(entry, { maxLength: 6 }),
	)
	.map((value) => JSON.stringify(value));
const text = fc.oneof(
	headings,
	json,
	entry,
	fc.constantFrom("", " \n", "<think>no end", "```json\n{\n```", "[Tool call]: x({})"),
);
const answer: fc.Arbitrary<GenerateAnswer> = fc.record(
	{ text, finishReason: fc.constantFrom("stop", "length", "content-filter", "tool-calls", "error", "other") },
	{ requiredKeys: ["text"] },
);
const step = fc.oneof(
	{ weight: 6, arbitrary: answer },
	{ weight: 1, arbitrary: fc.constant({ error: new Error("upstream 529") }) },
);

/** Counters that charge by code points, by bytes, by words, by fits and starts. */
const counters: readonly ((text: string) => number)[] = [
	(text) => Math.floor(([...text].length + 20) / 4),
	(text) => new TextEncoder().encode(text).length / 3,
	(text) => text.split(/\s+/).length * 1.3,
	(text) => (text.length % 7) + text.length / 5,
	(text) => (text.includes("-") ? 12 : 0) + text.length / 4,
	() => 17,
];

const settings = fc.record({
	budgetTokens: fc.integer({ min: 0, max: 200 }),
	measure: fc.constantFrom(...counters),
	template: fc.constantFrom("default", "action-only"),
	structured: fc.boolean(),
	windowTokens: fc.constantFrom(undefined, 1200, 3000),
	messages: fc.constantFrom(alternating(4), alternating(30, 40)),
	options: fc.record({
		parseOutput: fc.boolean(),
		malformed: fc.constantFrom("raw" as const, "fail" as const),
		empty: fc.constantFrom("accept" as const, "fail" as const),
	}),
});

describe("whatever a model answers", () => {
	it("a summary costs at most two calls, is never over budget, and fails only with a code", async () => {
		const known: readonly Fault[] = ["blank", "malformed", "over-budget", "cut-off", "empty", "unstructured"];
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), settings, async (script, given) => {
				const { windowTokens, structured, template, ...rest } = given;
				const backend = scriptedBackend(script, {
					structured,
					...(windowTokens === undefined ? {} : { limits: { windowTokens } }),
				});
				const job = summaryJob({ ...rest, template: resolveTemplate(template, {}) });
				const before = structuredClone(job.request.messages);
				try {
					const outcome = await makeSummary(only(backend), job);
					expect(job.measure(outcome.text)).toBeLessThanOrEqual(job.request.budgetTokens);
					expect(outcome.usage.calls).toBe(backend.requests.length);
					expect(outcome.faults).toHaveLength(outcome.retries);
					for (const fault of outcome.faults) expect(known).toContain(fault);
					expect(outcome.text.split("\n").at(-1) === "[trimmed]").toBe(outcome.trimmed);
					expect(outcome.text).toBe(Buffer.from(outcome.text, "utf8").toString("utf8"));
				} catch (error) {
					if (!isCompactionError(error)) throw error;
					expect(["BLANK_SUMMARY", "MALFORMED_SUMMARY", "BUDGET_TOO_SMALL", "BACKEND_FAILED"]).toContain(
						error.code,
					);
				}
				const shown = backend.requests.filter(({ system }) =>
					system.startsWith("You condense a part"),
				).length;
				expect(shown).toBeLessThanOrEqual(2);
				const oneTranscript = given.messages.length === 4;
				if (oneTranscript) expect(backend.requests.length).toBeLessThanOrEqual(2);
				expect(job.request.messages).toEqual(before);
			}),
			{ numRuns: RUNS },
		);
	});

	it("the same answers make the same summary", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 2 }), async (script) => {
				const run = (): Promise<unknown> =>
					makeSummary(only(scriptedBackend(script)), summaryJob({ budgetTokens: 90 })).catch(
						(error) => error.message,
					);
				expect(await run()).toEqual(await run());
			}),
			{ numRuns: Math.ceil(RUNS / 3) },
		);
	});

	it("the better of two answers is committed, whichever came first", async () => {
		const good = { text: "### Key facts\n- The mirror lives in Oslo", finishReason: "length" };
		const cut = { text: "### Decisions\n- Keep two\n- And th", finishReason: "length" };
		const prose = { text: "It was about the mirror." };
		for (const script of [
			[cut, prose],
			[prose, cut],
		]) {
			const outcome = await makeSummary(only(scriptedBackend(script)), summaryJob());
			expect(outcome.sections).toMatchObject({ key_facts: [], decisions: ["Keep two"] });
			expect(outcome.trimmed).toBe(true);
		}
		// Nothing is left of an entry that broke off alone.
		await expect(makeSummary(only(scriptedBackend([good])), summaryJob())).rejects.toMatchObject({
			code: "BLANK_SUMMARY",
		});
	});
});
