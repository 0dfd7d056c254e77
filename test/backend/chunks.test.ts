import { describe, expect, it } from "vitest";
import type { GenerateAnswer, GenerateRequest, GeneratingBackend } from "../../src/backend/contract.ts";
import { makeSummary } from "../../src/backend/make-summary.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { only, summaryJob } from "../support/scripted-backend.ts";

const perFour = (text: string): number => text.length / 4;

/** A model that answers by what it is shown, behind a window that it really has. */
function model(
	answer: (request: GenerateRequest, call: number) => string | GenerateAnswer,
	settings: { readonly said?: number; readonly real?: number } = {},
): GeneratingBackend & { requests: GenerateRequest[]; refused: number } {
	const requests: GenerateRequest[] = [];
	const backend = {
		requests,
		refused: 0,
		...(settings.said === undefined ? {} : { limits: { windowTokens: settings.said } }),
		async generate(request: GenerateRequest): Promise<GenerateAnswer> {
			if (
				settings.real !== undefined &&
				perFour(request.system + request.prompt) + request.maxOutputTokens > settings.real
			) {
				backend.refused += 1;
				throw Object.assign(new Error(`This model's maximum context length is ${settings.real} tokens.`), {
					statusCode: 400,
				});
			}
			requests.push(request);
			const made = answer(request, requests.length);
			return typeof made === "string" ? { text: made, usage: { inputTokens: 10, outputTokens: 1 } } : made;
		},
	};
	return backend;
}

/** The facts "F1 …" that a prompt shows, as entries. */
function factsIn({ prompt }: GenerateRequest): string[] {
	return [...new Set(prompt.match(/\bF\d+\b/g))];
}

const asHeadings = (facts: readonly string[]): string =>
	`### Key facts\n${facts.map((fact) => `- ${fact}`).join("\n")}`;

/** Messages that each hold one fact among much else. */
function longTranscript(count: number, padding: number): Message[] {
	return Array.from({ length: count }, (_, index) => ({
		role: index % 2 === 0 ? "user" : "assistant",
		content: `F${index} ${"lorem ipsum dolor ".repeat(padding)}`,
	}));
}

describe("messages larger than the summarizer's window", () => {
	it("are shown in parts that fit, and merged side by side where that fits the budget", async () => {
		const backend = model((request) => asHeadings(factsIn(request)), { said: 4000 });
		const messages = longTranscript(40, 60);
		const outcome = await makeSummary(only(backend), summaryJob({ messages, countTokens: perFour }));
		expect(outcome.sections.key_facts).toEqual(messages.map((_, index) => `F${index}`));
		expect(outcome.usage).toEqual({
			calls: backend.requests.length,
			inputTokens: 10 * backend.requests.length,
			outputTokens: backend.requests.length,
		});
		expect(backend.requests.length).toBeGreaterThan(4);
		for (const { system, prompt, maxOutputTokens } of backend.requests)
			expect(perFour(system + prompt) + maxOutputTokens).toBeLessThanOrEqual(4000);
		expect(outcome.notes.join("\n")).toMatch(/shown to "scripted" in \d+ parts/);
		expect(outcome.retries).toBe(0);
	});

	it("are merged by one more call where the parts do not fit the budget side by side", async () => {
		let merges = 0;
		const backend = model(
			(request) => {
				if (!request.system.startsWith("You merge"))
					return asHeadings(factsIn(request).map((fact) => `${fact} ${"x".repeat(150)}`));
				merges += 1;
				return asHeadings(factsIn(request));
			},
			{ said: 6000 },
		);
		const messages = longTranscript(40, 60);
		const job = summaryJob({ messages, countTokens: perFour, budgetTokens: 400 });
		const outcome = await makeSummary(only(backend), job);
		expect(merges).toBe(1);
		expect(backend.requests.at(-1)?.prompt).toContain("Stretch 2:");
		expect(outcome.sections.key_facts?.length).toBeGreaterThan(20);
		expect(job.measure(outcome.text)).toBeLessThanOrEqual(400);
	});

	it("are merged in rounds where the parts' summaries are themselves over the window", async () => {
		const rounds: number[] = [];
		const backend = model(
			(request) => {
				const facts = factsIn(request);
				if (!request.system.startsWith("You merge"))
					return asHeadings(facts.map((fact) => `${fact} ${"word ".repeat(30)}`));
				rounds.push(facts.length);
				return asHeadings(facts.slice(0, 3));
			},
			{ said: 1600 },
		);
		const messages = longTranscript(60, 60);
		const job = summaryJob({ messages, countTokens: perFour, budgetTokens: 200 });
		const outcome = await makeSummary(only(backend), job);
		expect(rounds.length).toBeGreaterThan(1);
		expect(job.measure(outcome.text)).toBeLessThanOrEqual(200);
		for (const { system, prompt, maxOutputTokens } of backend.requests)
			expect(perFour(system + prompt) + maxOutputTokens).toBeLessThanOrEqual(1600);
	});

	it("stand side by side, trimmed, where the model fails at the merge", async () => {
		const backend = model(
			(request) =>
				request.system.startsWith("You merge")
					? ""
					: asHeadings(factsIn(request).map((fact) => `${fact} ${"x".repeat(150)}`)),
			{ said: 6000 },
		);
		const job = summaryJob({ messages: longTranscript(40, 60), countTokens: perFour, budgetTokens: 400 });
		const outcome = await makeSummary(only(backend), job);
		expect(outcome.trimmed).toBe(true);
		expect(outcome.sections.key_facts?.[0]).toMatch(/^F0 /);
		expect(job.measure(outcome.text)).toBeLessThanOrEqual(400);
		expect(outcome.notes.join("\n")).toContain("could not be merged");
	});

	it("include an earlier summary in the merge, first of all", async () => {
		const backend = model((request) => asHeadings(factsIn(request)), { said: 4000 });
		const previousSummary = {
			text: "## S\n\n### Decisions\n- Keep two",
			sections: { decisions: ["Keep two"], key_facts: ["Before"] },
		};
		const outcome = await makeSummary(
			only(backend),
			summaryJob({ messages: longTranscript(40, 60), countTokens: perFour, request: { previousSummary } }),
		);
		expect(outcome.sections.decisions).toEqual(["Keep two"]);
		expect(outcome.sections.key_facts?.slice(0, 2)).toEqual(["Before", "F0"]);
	});

	it("are believed to be empty only where every part is", async () => {
		const nothing = model(() => "### Key facts\n- None", { said: 4000 });
		const messages = longTranscript(40, 60);
		const outcome = await makeSummary(only(nothing), summaryJob({ messages, countTokens: perFour }));
		expect(outcome.empty).toBe(true);
		await expect(
			makeSummary(only(nothing), summaryJob({ messages, countTokens: perFour, options: { empty: "fail" } })),
		).rejects.toMatchObject({ code: "BLANK_SUMMARY" });
		const once = model(
			(request) => (factsIn(request).includes("F0") ? asHeadings(["F0"]) : "### Key facts\n- None"),
			{ said: 4000 },
		);
		const one = await makeSummary(
			only(once),
			summaryJob({ messages, countTokens: perFour, options: { empty: "fail" } }),
		);
		expect(one.sections).toMatchObject({ key_facts: ["F0"], decisions: [] });
	});

	it("stand below the header one after the other where nothing is parsed", async () => {
		const backend = model((request) => `Seen: ${factsIn(request).join(" ")}.`, { said: 4000 });
		const outcome = await makeSummary(
			only(backend),
			summaryJob({ messages: longTranscript(40, 60), countTokens: perFour, options: { parseOutput: false } }),
		);
		expect(outcome.sections).toEqual({});
		expect(outcome.text).toMatch(/^## [^\n]+\n\nSeen: F0 /);
		for (let index = 0; index < 40; index += 1) expect(outcome.text).toMatch(new RegExp(`\\bF${index}\\b`));
	});

	it("fail as a whole where a part does, and the chain goes on", async () => {
		const half = model((_, call) => (call < 3 ? asHeadings(["x"]) : ""), { said: 4000 });
		const full = model((request) => asHeadings(factsIn(request)), { said: 100_000 });
		const outcome = await makeSummary(
			[
				{ name: "half", backend: half },
				{ name: "full", backend: full },
			],
			summaryJob({ messages: longTranscript(40, 60), countTokens: perFour }),
		);
		expect(full.requests).toHaveLength(1);
		expect(outcome.usage.calls).toBe(half.requests.length + 1);
		expect(outcome.sections.key_facts).toHaveLength(40);
	});

	it("are cut within a message that is larger than a window alone", async () => {
		const backend = model((request) => asHeadings(factsIn(request)), { said: 2000 });
		const content = Array.from({ length: 300 }, (_, index) => `F${index} ${"lorem ".repeat(12)}`).join("\n");
		const outcome = await makeSummary(
			only(backend),
			summaryJob({ messages: [{ role: "user", content }], countTokens: perFour }),
		);
		const shown = new Set(backend.requests.flatMap(factsIn));
		expect(shown.size).toBe(300);
		expect(outcome.text.length).toBeGreaterThan(0);
	});

	it("are shown so many tokens at once as the options say", async () => {
		const backend = model((request) => asHeadings(factsIn(request)));
		const messages = longTranscript(20, 20);
		await makeSummary(
			only(backend),
			summaryJob({ messages, countTokens: perFour, options: { transcriptMaxTokens: 500 } }),
		);
		expect(backend.requests.length).toBeGreaterThan(3);
		for (const { prompt } of backend.requests) {
			const shown = /<transcript-1>\n([\s\S]*)\n<\/transcript-1>/.exec(prompt)?.[1] ?? "";
			expect(perFour(shown)).toBeLessThanOrEqual(500);
		}
	});
});

describe("a transcript of 30 MB before a window of 32k", () => {
	it("is summarized with every request within the window, and its calls and tokens reported", async () => {
		const window = 32_000;
		const backend = model((request) => asHeadings(factsIn(request).slice(0, 5)), {
			said: window,
			real: window,
		});
		// Half of it is talk, half is tool outputs far too long to be shown whole.
		const messages = Array.from({ length: 3000 }, (_, index): Message[] => [
			{ role: "user", content: `F${index} ${"lorem ipsum dolor sit amet ".repeat(180)}` },
			{
				role: "assistant",
				content: [{ type: "tool-call", toolCallId: `c${index}`, toolName: "read", input: { index } }],
			},
			{
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: `c${index}`,
						toolName: "read",
						output: { type: "text", value: `row ${index} `.repeat(600) },
					},
				],
			},
		]).flat();
		expect(JSON.stringify(messages).length).toBeGreaterThan(30_000_000);
		const job = summaryJob({ messages, countTokens: perFour, budgetTokens: 3000 });
		const outcome = await makeSummary(only(backend), job);
		expect(backend.refused).toBe(0);
		expect(backend.requests.length).toBeGreaterThan(100);
		expect(outcome.usage).toEqual({
			calls: backend.requests.length,
			inputTokens: 10 * backend.requests.length,
			outputTokens: backend.requests.length,
		});
		expect(job.measure(outcome.text)).toBeLessThanOrEqual(3000);
		const shown = new Set(backend.requests.flatMap(factsIn));
		expect(shown.size).toBe(3000);
	}, 60_000);
});

describe("a window that turns out to be smaller than thought", () => {
	it("is taken for half as large until the prompts fit", async () => {
		const backend = model((request) => asHeadings(factsIn(request)), { real: 12_000 });
		const messages = longTranscript(400, 60);
		const outcome = await makeSummary(only(backend), summaryJob({ messages, countTokens: perFour }));
		expect(backend.refused).toBeGreaterThan(0);
		expect(backend.refused).toBeLessThan(8);
		expect(new Set(backend.requests.flatMap(factsIn)).size).toBe(400);
		expect(outcome.usage.calls).toBe(backend.requests.length + backend.refused);
		expect(outcome.notes.join("\n")).toContain("its window is taken for");
	});

	it("fails with the provider's words where nothing fits", async () => {
		const backend = model(() => "", { real: 100 });
		await expect(
			makeSummary(only(backend), summaryJob({ messages: longTranscript(10, 10), countTokens: perFour })),
		).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			message: expect.stringContaining("maximum context length is 100"),
		});
	});

	it("that has no room beside the prompt is refused before any call", async () => {
		const backend = model(() => "", { said: 300 });
		await expect(
			makeSummary(only(backend, "tiny"), summaryJob({ countTokens: perFour })),
		).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			message: expect.stringMatching(/"tiny" \(300 tokens\) has no room/),
		});
		expect(backend.requests).toEqual([]);
	});

	it("that an earlier summary alone would fill gets it in the merge instead", async () => {
		const backend = model((request) => asHeadings(factsIn(request)), { said: 2000 });
		const previousSummary = {
			text: `## S\n\n### Decisions\n- ${"long ".repeat(1200)}`,
			sections: { decisions: ["Keep two"] },
		};
		const outcome = await makeSummary(
			only(backend),
			summaryJob({ messages: longTranscript(4, 10), countTokens: perFour, request: { previousSummary } }),
		);
		expect(outcome.sections.decisions).toEqual(["Keep two"]);
		expect(outcome.sections.key_facts).toEqual(["F0", "F1", "F2", "F3"]);
		for (const { prompt } of backend.requests) expect(prompt).not.toContain("long long");
	});
});
