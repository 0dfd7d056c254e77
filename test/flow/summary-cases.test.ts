import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import type { CompactionEvent, Config } from "../../src/index.ts";
import { compact } from "../../src/index.ts";
import seeds from "../cases/seeds.json" with { type: "json" };
import {
	alternating,
	type ScriptedAnswer,
	type ScriptedBackend,
	scriptedBackend,
} from "../support/scripted-backend.ts";

const GOOD = { text: "### Key facts\n- The mirror lives in Oslo\n\n### Decisions\n- Keep two replicas" };

/** Messages long enough for a summary to be smaller than what it replaces. */
function talk(count: number): ModelMessage[] {
	return alternating(count, 60) as ModelMessage[];
}

function frozen(messages: readonly ModelMessage[]): ModelMessage[] {
	for (const message of messages) Object.freeze(message);
	return Object.freeze([...messages]) as ModelMessage[];
}

function config(options: object = {}): Config {
	return {
		strategy: { use: "structured", ...options },
		tokens: { counter: { use: "ratio", charsPerToken: 4, perMessage: 5 } },
		target: { tokens: 40_000 },
	} as Config;
}

interface Ran {
	readonly events: readonly CompactionEvent[];
	readonly result: Awaited<ReturnType<typeof compact>>;
	readonly backend: ScriptedBackend;
}

async function run(
	messages: ModelMessage[],
	script: readonly ScriptedAnswer[],
	options: object = {},
): Promise<Ran> {
	const backend = scriptedBackend(script);
	const events: CompactionEvent[] = [];
	const result = await compact(frozen(messages), config(options), {
		backend,
		onEvent: (event) => events.push(event),
	});
	return { events, result, backend };
}

interface TelemetryCase {
	readonly id: string;
	readonly given: {
		readonly config: { readonly sections?: readonly string[] };
		readonly messages?: { readonly alternating: number };
		readonly script: readonly { readonly text: string }[];
	};
	readonly expect: { readonly events: readonly { readonly section: string; readonly state: string }[] };
}

// The cases name sections by the slugs of another system.
const IDS: Readonly<Record<string, string>> = {
	facts: "key_facts",
	decisions: "decisions",
	todos: "pending_tasks",
	questions: "open_questions",
};

describe("telemetry of whole passes", () => {
	const cases = seeds.filter(({ area }) => area === "telemetry") as unknown as TelemetryCase[];

	it("has all its given cases", () => {
		expect(cases.map(({ id }) => id)).toHaveLength(5);
	});

	it.each(cases.map((one) => [one.id, one] as const))("%s", async (id, { given, expect: expected }) => {
		const { sections } = given.config;
		const action = sections === undefined ? {} : { template: "action-only" };
		const { events, result } = await run(talk(given.messages?.alternating ?? 20), given.script, action);
		const told = events.filter(({ name }) => name === "precis.compaction.structured.sections");
		expect(told).toEqual(
			expected.events.map(({ section, state }) => ({
				name: "precis.compaction.structured.sections",
				section: IDS[section],
				state,
			})),
		);
		const passes = events.filter(({ name }) => name === "precis.compaction.pass");
		expect(passes).toHaveLength(1);
		expect(passes[0]).toMatchObject({ outcome: result.status });
		if (id === "telemetry-004") expect(passes[0]).toMatchObject({ retries: 1, degraded: true, populated: 1 });
		if (id === "telemetry-001")
			expect(passes[0]).toMatchObject({ retries: 0, degraded: false, populated: 2 });
		if (id === "telemetry-003") expect(passes[0]).toMatchObject({ empty: true, populated: 0 });
	});

	it("says what was committed after a trim", async () => {
		const entries = Array.from({ length: 30 }, (_, index) => `- fact number ${index} with some words in it`);
		const text = `### Key facts\n${entries.join("\n")}\n### Decisions\n- the last thing said`;
		const { events, result } = await run(talk(20), [{ text }], { summaryTokens: { max: 150 } });
		expect(result.summary?.trimmed).toBe(true);
		expect(result.summary?.sections.decisions).toEqual([]);
		expect(events.find(({ section }) => section === "decisions")).toMatchObject({ state: "empty" });
		expect(events.at(-1)).toMatchObject({ trimmed: true, summaryBudget: 150 });
	});
});

describe("a pass that summarizes", () => {
	it("pass-001: at or below so many messages changes nothing and calls nothing", async () => {
		const messages = talk(8);
		const { result, backend } = await run(messages, []);
		expect(result.status).toBe("unchanged");
		expect(result.messages).toEqual(messages);
		expect(backend.requests).toEqual([]);
	});

	it("pass-005: shows a later system message like any other", async () => {
		const messages = [...talk(2), { role: "system", content: "mid-session reminder" } as const, ...talk(12)];
		const { backend } = await run(messages, [GOOD]);
		expect(backend.requests).toHaveLength(1);
		expect(backend.requests[0]?.prompt).toContain("System: mid-session reminder");
	});

	it("summarizer-misbehaves-05: never shows a leading system message, and keeps it at the head", async () => {
		const head = { role: "system", content: "AGENT-PROMPT-MARKER always answer with a tool call." } as const;
		const { backend, result } = await run([head, ...talk(14)], [GOOD]);
		const [request] = backend.requests;
		expect(`${request?.system}${request?.prompt}`).not.toContain("AGENT-PROMPT-MARKER");
		expect(result.messages[0]).toBe(head);
	});

	it("pass-011: inserts one message before the tail, of a role that may be chosen, and evicts what it replaced", async () => {
		const messages = talk(12);
		for (const summaryRole of ["user", "assistant"]) {
			const { result } = await run(messages, [GOOD], { summaryRole });
			const summaries = result.messages.filter(
				({ providerOptions }) => providerOptions?.precis?.summary !== undefined,
			);
			expect(summaries).toHaveLength(1);
			expect(summaries[0]?.role).toBe(summaryRole);
			const at = result.messages.indexOf(summaries[0] as ModelMessage);
			expect(result.messages.slice(at + 1)).toEqual(messages.slice(-(result.messages.length - at - 1)));
			// With an assistant's summary first, the first user message stays before it: providers want a user first.
			const kept = result.messages.filter((message) => messages.includes(message));
			expect(messages.filter((message) => !kept.includes(message))).toEqual(result.evicted);
			expect(result.evicted.length).toBeGreaterThan(4);
			expect(result.messages[0]?.role).toBe("user");
		}
	});

	it("pass-013: a second pass hands on the first summary as what came before, and leaves one", async () => {
		const first = await run(talk(14), [GOOD]);
		const second = await run([...first.result.messages, ...talk(14)], [GOOD]);
		const prompt = second.backend.requests[0]?.prompt ?? "";
		expect(prompt).toContain(`<earlier-1>\n${first.result.summary?.text}\n</earlier-1>`);
		const transcript = prompt.slice(prompt.indexOf("<transcript-1>"));
		expect(transcript).not.toContain("The mirror lives in Oslo");
		const summaries = second.result.messages.filter(
			({ providerOptions }) => providerOptions?.precis?.summary !== undefined,
		);
		expect(summaries).toHaveLength(1);
	});

	it("pass-015, provider-error-02: that fails leaves the originals, evicts nothing and names its cause", async () => {
		const messages = frozen(talk(12));
		const before = structuredClone(messages) as ModelMessage[];
		const events: CompactionEvent[] = [];
		const backend = scriptedBackend([
			{ error: Object.assign(new Error("upstream 529"), { statusCode: 529 }) },
		]);
		await expect(
			compact(messages, config(), { backend, onEvent: (event) => events.push(event) }),
		).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			message: expect.stringContaining("upstream 529"),
			retryable: true,
		});
		expect(messages).toEqual(before);
		expect(events.at(-1)).toMatchObject({
			name: "precis.compaction.pass",
			outcome: "failed",
			code: "BACKEND_FAILED",
		});
	});

	it("abort: ends within a tick, with a backend that does not look at its signal, and before any paid call", async () => {
		const controller = new AbortController();
		let calls = 0;
		const backend = {
			generate: () => {
				calls += 1;
				return new Promise<never>(() => undefined);
			},
		};
		const running = compact(talk(12), config(), { backend, signal: controller.signal });
		let code: unknown;
		running.catch((error: { code: string }) => {
			code = error.code;
		});
		while (calls === 0) await new Promise((resolve) => setTimeout(resolve, 1));
		controller.abort();
		await new Promise((resolve) => setTimeout(resolve, 0));
		expect(code).toBe("CANCELLED");
		await expect(compact(talk(12), config(), { backend, signal: controller.signal })).rejects.toMatchObject({
			code: "CANCELLED",
		});
		expect(calls).toBe(1);
	});

	it("reports faults and calls in its log and usage", async () => {
		const { result } = await run(talk(12), [{ text: "prose" }, GOOD]);
		expect(result.usage.calls).toBe(2);
		expect(result.summary?.retries).toBe(1);
		expect(result.log.map(({ why }) => why).join("\n")).toContain("without the headings");
	});

	it("never commits a summary that is over its budget, by the compactor's own counter", async () => {
		const long = { text: `### Key facts\n${"- one more fact of some length\n".repeat(200)}` };
		const { result } = await run(talk(20), [long], { summaryTokens: { max: 120 } });
		const summary = result.messages.find(
			({ providerOptions }) => providerOptions?.precis?.summary !== undefined,
		);
		const [part] = (summary?.content ?? []) as { text: string }[];
		const text = part?.text ?? "";
		expect(Math.floor(text.length / 4 + 5)).toBeLessThanOrEqual(120);
		expect(result.summary?.trimmed).toBe(true);
	});
});
