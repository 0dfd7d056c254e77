import { describe, expect, it } from "vitest";
import type { SummaryOutcome } from "../../src/backend/job.ts";
import { makeSummary } from "../../src/backend/make-summary.ts";
import { STUB } from "../../src/core/render/render-summary.ts";
import { resolveTemplate } from "../../src/core/template/resolve-template.ts";
import type { CompactionError } from "../../src/errors/compaction-error.ts";
import seeds from "../cases/seeds.json" with { type: "json" };
import {
	alternating,
	caseTokens,
	only,
	type ScriptedAnswer,
	type ScriptedBackend,
	scriptedBackend,
	summaryJob,
} from "../support/scripted-backend.ts";

interface Expected {
	readonly calls?: number | undefined;
	readonly outcome?: string | undefined;
	readonly failure?: string | undefined;
	readonly text?: string | undefined;
	readonly trimmed?: boolean | undefined;
	readonly degraded?: boolean | undefined;
	readonly retry_reasons?: readonly string[] | undefined;
	readonly note?: string | undefined;
	readonly rules?:
		| {
				readonly contains?: readonly string[];
				readonly not_contains?: readonly string[];
				readonly max_tokens?: number;
				readonly first_line?: string;
				readonly last_line?: string;
				readonly max_kept_bullets?: number;
				readonly second_call?: Readonly<Record<string, boolean>>;
		  }
		| undefined;
}

interface RetryCase {
	readonly id: string;
	readonly given: {
		readonly config: {
			readonly header?: string;
			readonly sections?: readonly string[];
			readonly parse_output?: boolean;
		};
		readonly budget_tokens: number;
		readonly script: readonly {
			readonly text?: string;
			readonly parts?: readonly { readonly text?: string; readonly thinking?: string }[];
			readonly error?: string;
		}[];
	};
	readonly expect: Expected;
	readonly prefer?: Expected;
}

const FAULTS: Readonly<Record<string, string>> = {
	shape: "malformed",
	blank: "blank",
	over_budget: "over-budget",
};
const FAILURES: Readonly<Record<string, string>> = {
	blank: "BLANK_SUMMARY",
	client: "BACKEND_FAILED",
	over_budget: "BUDGET_TOO_SMALL",
};

const cases = seeds.filter(({ topic }) => topic === "retry") as unknown as RetryCase[];

/** Where a decision of ours overrules a case, or measures otherwise, what holds instead. */
const DECIDED: Readonly<Record<string, Expected & { readonly budget?: number }>> = {
	// Raw text keeps its lines, indented so that none can pass for a heading of ours.
	"retry-005": { text: "## Recap\n\n### Key facts\n- ### Key facts\n  prose again" },
	"retry-006": { text: "## Recap\n\n### Decisions\n- ### Key facts\n  - off template again" },
	// What is measured is what would be committed, the header included.
	"retry-025": {
		budget: caseTokens(
			"## Recap\n\n### Key facts\n- The mirror lives in Oslo\n\n### Decisions\n- Keep two replicas",
		),
	},
	// Without parsing, the text stands below the header as it is.
	"retry-033": { text: "## Recap\n\nWe mostly talked about the mirror and little else." },
	"retry-034": {
		rules: {
			max_tokens: 60,
			first_line: "## Recap",
			last_line: "[trimmed]",
			contains: ["plain sentence number 01."],
		},
	},
	// What is over budget only before it is read is no fault.
	"retry-035": { retry_reasons: [] },
	// A deliberate empty is asked for once more before it is believed.
	"retry-038": { calls: 2, retry_reasons: ["empty"], text: "## Recap\n\n{{STUB}}" },
};

function answerOf(step: RetryCase["given"]["script"][number]): ScriptedAnswer {
	if (step.error !== undefined) return { error: new Error(step.error) };
	if (step.parts !== undefined) return { text: step.parts.map(({ text }) => text ?? "").join("") };
	return { text: step.text ?? "" };
}

function checkSecondCall(rules: Readonly<Record<string, boolean>>, backend: ScriptedBackend): void {
	const [first, second] = backend.requests;
	const transcript = (prompt: string | undefined): string | undefined =>
		/<transcript-1>[\s\S]*<\/transcript-1>/.exec(prompt ?? "")?.[0];
	if (rules.same_transcript === true) {
		expect(transcript(second?.prompt)).toBe(transcript(first?.prompt));
		expect(transcript(first?.prompt)).toContain("m05");
	}
	if (rules.same_budget === true) {
		expect(second?.system).toBe(first?.system);
		expect(second?.maxOutputTokens).toBe(first?.maxOutputTokens);
	}
	if (rules.sharper_than_first === true) expect(second?.prompt).toContain("nothing but the sections");
	if (rules.differs_from_first === true) expect(second?.prompt).not.toBe(first?.prompt);
	if (rules.asks_for_less === true) expect(second?.prompt).toMatch(/Write less: at most 60 tokens/);
}

function checkText(text: string, rules: NonNullable<Expected["rules"]>): void {
	for (const part of rules.contains ?? []) expect(text).toContain(part);
	for (const part of rules.not_contains ?? []) expect(text).not.toContain(part.replace("{{STUB}}", STUB));
	if (rules.max_tokens !== undefined) expect(caseTokens(text)).toBeLessThanOrEqual(rules.max_tokens);
	const lines = text.split("\n");
	if (rules.first_line !== undefined) expect(lines[0]).toBe(rules.first_line);
	if (rules.last_line !== undefined) expect(lines.at(-1)).toBe(rules.last_line);
	if (rules.max_kept_bullets !== undefined)
		expect(lines.filter((line) => line.startsWith("- ")).length).toBeLessThanOrEqual(rules.max_kept_bullets);
}

describe("the machine of two calls, by the given cases", () => {
	it("has them all", () => {
		expect(cases.length).toBe(30);
	});

	it.each(cases.map((one) => [one.id, one] as const))("%s", async (id, { given, expect: said, prefer }) => {
		const decided = DECIDED[id];
		const preferred = prefer?.note === undefined ? prefer : undefined;
		const expected: Expected = {
			...said,
			...(preferred === undefined
				? {}
				: {
						text: undefined,
						degraded: undefined,
						rules: undefined,
						trimmed: undefined,
						failure: undefined,
						retry_reasons: said.retry_reasons,
						...preferred,
					}),
			...decided,
		};
		const { config } = given;
		const template = resolveTemplate("case", {
			case: {
				...(config.header === undefined ? {} : { header: config.header }),
				...(config.sections === undefined ? {} : { sections: config.sections }),
			},
		});
		const backend = scriptedBackend(given.script.map(answerOf));
		const job = summaryJob({
			messages: alternating(6),
			template,
			budgetTokens: decided?.budget ?? given.budget_tokens,
			options: { parseOutput: config.parse_output ?? true },
		});
		let outcome: SummaryOutcome | undefined;
		let failure: CompactionError | undefined;
		try {
			outcome = await makeSummary(only(backend), job);
		} catch (error) {
			failure = error as CompactionError;
		}
		expect(backend.requests.length).toBe(expected.calls);
		expect(outcome === undefined ? "failed" : "committed").toBe(expected.outcome);
		if (expected.failure !== undefined) expect(failure?.code).toBe(FAILURES[expected.failure]);
		if (expected.failure === "client") expect(failure?.message).toContain("upstream 529");
		if (outcome === undefined) return;
		expect(outcome.usage.calls).toBe(expected.calls);
		expect(outcome.retries).toBe(backend.requests.length - 1);
		expect(job.measure(outcome.text)).toBeLessThanOrEqual(job.request.budgetTokens);
		if (expected.text !== undefined) expect(outcome.text).toBe(expected.text.replace("{{STUB}}", STUB));
		if (expected.trimmed !== undefined) expect(outcome.trimmed).toBe(expected.trimmed);
		if (expected.degraded !== undefined) expect(outcome.degraded).toBe(expected.degraded);
		if (expected.retry_reasons !== undefined)
			expect(outcome.faults).toEqual(expected.retry_reasons.map((reason) => FAULTS[reason] ?? reason));
		checkText(outcome.text, expected.rules ?? {});
		if (said.rules?.second_call !== undefined) checkSecondCall(said.rules.second_call, backend);
	});

	it("budget-009, budget-010: a budget that cannot hold header and marker fails before any call", async () => {
		for (const budgetTokens of [0, 4]) {
			const backend = scriptedBackend([{ text: "### Decisions\n- d" }]);
			await expect(makeSummary(only(backend), summaryJob({ budgetTokens }))).rejects.toMatchObject({
				code: "BUDGET_TOO_SMALL",
				message: expect.stringContaining(`may have ${budgetTokens}`),
			});
			expect(backend.requests).toEqual([]);
		}
	});

	it("pass-006: guidance reaches both prompts, after the transcript, in order", async () => {
		const backend = scriptedBackend([
			{ text: "We mostly talked about the mirror and little else." },
			{ text: "### Key facts\n- The mirror lives in Oslo" },
		]);
		const guidance = { instructions: "Keep ticket numbers", context: ["Branch is rel/7", "Region is eu"] };
		await makeSummary(only(backend), summaryJob({ request: { guidance } }));
		expect(backend.requests).toHaveLength(2);
		for (const { prompt } of backend.requests) {
			const places = ["</transcript-1>", guidance.instructions, ...guidance.context].map((word) =>
				prompt.indexOf(word),
			);
			expect(places.every((place) => place >= 0)).toBe(true);
			expect([...places].sort((left, right) => left - right)).toEqual(places);
		}
	});

	it("pass-015: a failure names its cause", async () => {
		const backend = scriptedBackend([{ error: new Error("upstream 529") }]);
		await expect(makeSummary(only(backend), summaryJob())).rejects.toThrow(/"scripted" failed: upstream 529/);
		expect(backend.requests).toHaveLength(1);
	});
});
