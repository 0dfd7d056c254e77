import { describe, expect, test } from "vitest";
import { type AgentEvent, type CompactionOptions, compactionFor } from "../../src/ai-sdk.ts";
import { CompactionError } from "../../src/index.ts";
import { INSTRUCTIONS, PROMPT, WINDOW, withWarehouses } from "./support/start.ts";
import { namingBackend, step, TALK_CONFIG, talk } from "./support/talk.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import { counted, countingBackend, totalOf } from "./support/warehouse.ts";

const start = withWarehouses();
const down = (): never => {
	throw new Error("the summarizer is down");
};

/** A compaction whose summarizer fails as often as asked, and what it told. */
async function failing(times: number, options: CompactionOptions = {}) {
	let left = times;
	const backend = namingBackend(() => {
		left -= 1;
		if (left >= 0) down();
	});
	const events: AgentEvent[] = [];
	const compaction = await compactionFor(TALK_CONFIG, {
		backend,
		onEvent: (event) => events.push(event),
		...options,
	});
	return { backend, events, compaction };
}

describe("a summary that cannot be made", () => {
	test("keep: the request goes out as it is, and the user interface is told", async () => {
		const { compaction, events } = await failing(1);
		expect(await compaction.prepareStep(step(talk(25)))).toEqual({});
		expect(events.map(({ type }) => type)).toEqual(["started", "progress", "progress", "progress", "failed"]);
		expect(events.at(-1)).toMatchObject({
			type: "failed",
			stage: "pass",
			code: "BACKEND_FAILED",
			action: "kept",
		});
	});

	test("keep: what does not fit is trimmed, from the oldest on, for this request only", async () => {
		const { compaction, events } = await failing(1);
		const history = talk(41);
		const { messages = [] } = await compaction.prepareStep(step(history));
		expect(messages.length).toBeGreaterThan(4);
		expect(messages).toEqual(history.slice(-messages.length));
		expect(events.map(({ type }) => type).slice(-2)).toEqual(["failed", "trimmed"]);
		expect((await compaction.state()).records).toEqual([]);
	});

	test("trim: older messages are left out at once, down to the target", async () => {
		const { compaction } = await failing(1, { onFailure: "trim" });
		const history = talk(25);
		const { messages = [] } = await compaction.prepareStep(step(history));
		expect(messages.length).toBeLessThan(20);
		expect(messages).toEqual(history.slice(-messages.length));
	});

	test("throw: the error is the step's", async () => {
		const { compaction, events } = await failing(1, { onFailure: "throw" });
		await expect(compaction.prepareStep(step(talk(25)))).rejects.toMatchObject({ code: "BACKEND_FAILED" });
		expect(events.at(-1)).toMatchObject({ type: "failed", action: "thrown" });
	});

	test("is not tried again at every step, but after 4, 8, 16, … further messages; then all is covered", async () => {
		const { compaction, backend } = await failing(3);
		const tried: number[] = [];
		for (let length = 21; length <= 61; length += 1) {
			const calls = backend.shown.length;
			await compaction.prepareStep(step(talk(length)));
			if (backend.shown.length > calls) tried.push(length);
		}
		const [first = 0, ...later] = tried;
		expect(later.slice(0, 3)).toEqual([first + 4, first + 12, first + 28]);
		expect(backend.shown[3]?.[0]).toBe("a0");
	});

	test("is not tried again for long where a key or a setting is wrong", async () => {
		const backend = namingBackend(() => {
			throw new CompactionError("BACKEND_FAILED", "Cannot summarize: the key is wrong.");
		});
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		for (let length = 23; length < 80; length += 1) await prepareStep(step(talk(length)));
		expect(backend.shown).toHaveLength(1);
	});

	test("that would win nothing is not tried at every step either", async () => {
		const backend = namingBackend();
		// Everything there is must stay.
		const { prepareStep } = await compactionFor(
			{ ...TALK_CONFIG, strategy: { use: "summarize-older", keepLast: 100 } },
			{ backend },
		);
		const { messages = [] } = await prepareStep(step(talk(41)));
		expect(messages.length).toBeLessThan(41);
		expect(backend.shown).toEqual([]);
	});

	test("a listener that throws, or rejects, harms nothing", async () => {
		for (const onEvent of [down, async () => down()]) {
			const { prepareStep } = await compactionFor(TALK_CONFIG, { backend: namingBackend(), onEvent });
			expect((await prepareStep(step(talk(25)))).messages?.length).toBeLessThan(10);
		}
	});
});

describe("events of a pass that succeeds", () => {
	test("tell when it started, how it goes on, what it came to and what it cost", async () => {
		const { compaction, events } = await failing(0);
		await compaction.forCall({ id: "chat" }).prepareStep(step(talk(25)));
		expect(events.every(({ id }) => id === "chat")).toBe(true);
		expect(events[0]).toMatchObject({
			type: "started",
			when: "now",
			trigger: "context-window",
			windowTokens: 1800,
		});
		expect(events[1]).toMatchObject({ type: "progress", name: "precis.compaction.call" });
		const last = events.at(-1);
		expect(last).toMatchObject({
			type: "finished",
			status: "compacted",
			usage: { calls: 1, inputTokens: 100, outputTokens: 20, costUSD: 0.002 },
			evicted: 21,
		});
		if (last?.type === "finished") expect(last.tokens.after).toBeLessThan(last.tokens.before / 2);
	});
});

describe.each(Object.entries(VERSIONS))("an agent, %s", (version, ai) => {
	const modelAt = WAYS.find(([of]) => of === version)?.[2] ?? (() => "");
	const messages = counted(50) as never;

	test("whose summarizer is down for a while still ends with the right answer", async () => {
		const { baseURL, refused } = await start({ shelves: 55, window: WINDOW * 2 });
		let left = 1;
		const backend = countingBackend(() => {
			left -= 1;
			if (left >= 0) down();
		});
		const compaction = await compactionFor(
			{
				tokens: { window: WINDOW * 2 },
				trigger: { use: "tokens", max: 4000 },
				strategy: { use: "summarize-older" },
			},
			{ backend },
		);
		const { text } = await ai.generateText({
			model: modelAt(baseURL),
			tools: shelfTools(ai),
			messages,
			stopWhen: ai.stepCountIs(30),
			prepareStep: compaction.prepareStep,
		});
		expect(text).toBe(`The total is ${totalOf(55)}.`);
		expect(backend.calls).toBe(2);
		expect(refused).toEqual([]);
	});

	test("abort-01: aborted while the summary is made rejects at once, loses nothing, and the next call works", async () => {
		const { baseURL, server } = await start({ shelves: 55, window: WINDOW });
		let hangs = true;
		const controller = new AbortController();
		const ended: unknown[] = [];
		const backend = countingBackend();
		const events: AgentEvent[] = [];
		const compaction = await compactionFor(
			{ tokens: { window: WINDOW }, strategy: { use: "summarize-older", keepLast: 6 } },
			{
				backend: {
					async summarize(request, context) {
						if (!hangs) return backend.summarize(request, context);
						context.signal.addEventListener("abort", () => ended.push(context.signal.reason));
						controller.abort();
						return new Promise(() => undefined);
					},
				},
				onEvent: (event) => events.push(event),
			},
		);
		const call = { model: modelAt(baseURL), tools: shelfTools(ai), messages, stopWhen: ai.stepCountIs(30) };
		const { signal } = controller;
		const aborted = ai.generateText({
			...call,
			abortSignal: signal,
			prepareStep: compaction.forCall({ signal }).prepareStep,
		});
		await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
		expect(server.requests).toEqual([]);
		// Nobody waits for the summary any more: its call is ended too.
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(ended).toHaveLength(1);
		expect(events.at(-1)).toMatchObject({ type: "failed", code: "CANCELLED", action: "thrown" });
		expect(await compaction.state()).toMatchObject({ records: [], backOffs: {} });
		hangs = false;
		const { text } = await ai.generateText({ ...call, prepareStep: compaction.prepareStep });
		expect(text).toBe(`The total is ${totalOf(55)}.`);
		expect(backend.calls).toBe(1);
	});

	test("knows the call's own signal from its second step on", async () => {
		const { baseURL } = await start({ shelves: 100, window: WINDOW });
		const controller = new AbortController();
		const compaction = await compactionFor(
			{ tokens: { window: WINDOW }, strategy: { use: "summarize-older", keepLast: 6 } },
			{
				backend: {
					async summarize() {
						controller.abort();
						return new Promise(() => undefined);
					},
				},
			},
		);
		const agent = new ai.ToolLoopAgent({
			model: modelAt(baseURL),
			tools: shelfTools(ai),
			instructions: INSTRUCTIONS,
			stopWhen: ai.stepCountIs(120),
			prepareStep: compaction.prepareStep,
		});
		await expect(agent.generate({ prompt: PROMPT, abortSignal: controller.signal })).rejects.toMatchObject({
			name: "AbortError",
		});
	});

	test("one of two that wait for the same summary may be aborted: the other gets it", async () => {
		const controller = new AbortController();
		const backend = namingBackend(() => {
			controller.abort();
			return new Promise((resolve) => setTimeout(resolve, 10));
		});
		const compaction = await compactionFor(TALK_CONFIG, { backend });
		const one = compaction.forCall({ signal: controller.signal }).prepareStep(step(talk(25)));
		const two = compaction.prepareStep(step(talk(25)));
		await expect(one).rejects.toMatchObject({ name: "AbortError" });
		expect((await two).messages?.length).toBeLessThan(10);
		expect(backend.shown).toHaveLength(1);
	});

	test("a summarizer that does not answer in time is a failure like any other", async () => {
		const events: AgentEvent[] = [];
		const compaction = await compactionFor(TALK_CONFIG, {
			backend: { timeoutMs: 10, summarize: () => new Promise(() => undefined) },
			onEvent: (event) => events.push(event),
		});
		expect(await compaction.prepareStep(step(talk(25)))).toEqual({});
		expect(events.at(-1)).toMatchObject({ type: "failed", code: "TIMEOUT", action: "kept" });
	});
});
