import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { type AgentEvent, compactionFor } from "../../src/ai-sdk.ts";
import type { Config } from "../../src/generated/types.ts";
import { INSTRUCTIONS, WINDOW, withWarehouses } from "./support/start.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import { counted, countingBackend, totalOf, type WarehouseOptions } from "./support/warehouse.ts";

const start = withWarehouses();
/** A config that thinks that the window is far larger than it is. */
const WRONG: Config = { tokens: { window: 100_000 }, strategy: { use: "summarize-older", keepLast: 6 } };
const shelves = 60;
const messages = counted(50) as ModelMessage[];

const FORMS: Readonly<Record<string, NonNullable<WarehouseOptions["refusal"]>>> = {
	"with both figures": (tokens, window) =>
		`This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`,
	"with no figure": () => "Input is too long for requested model.",
};

describe.each(WAYS)("overflow over %s, %s", (version, _, modelAt) => {
	const ai = VERSIONS[version];

	test.each(Object.entries(FORMS))(
		"told %s: the request is sent once more, and the limit is remembered",
		async (form, refusal) => {
			const { baseURL, refused, taken } = await start({ shelves, window: WINDOW, refusal });
			const backend = countingBackend();
			const events: AgentEvent[] = [];
			const compaction = await compactionFor(WRONG, { backend, onEvent: (event) => events.push(event) });
			const run = { model: modelAt(baseURL), tools: shelfTools(ai), system: INSTRUCTIONS, messages };
			const { text } = await ai.generateText({
				...run,
				stopWhen: ai.stepCountIs(20),
				prepareStep: compaction.prepareStep,
			});
			expect(text).toBe(`The total is ${totalOf(shelves)}.`);
			expect(taken).toHaveLength(shelves - 50 + 1);
			expect(refused).toHaveLength(1);
			expect(backend.calls).toBe(1);
			expect(events.find((event) => event.type === "started")).toMatchObject({
				when: "rescue",
				trigger: "overflow",
			});
			const [limit] = Object.values((await compaction.state()).limits);
			if (form === "with both figures") expect(limit).toBe(WINDOW);
			else {
				// Less than was refused, as we count.
				expect(limit).toBeGreaterThan(WINDOW * 0.6);
				expect(limit).toBeLessThan(WINDOW);
			}
		},
	);

	test("streamed: the refusal is never seen, and no part is lost", async () => {
		const { baseURL, refused } = await start({ shelves, window: WINDOW });
		const backend = countingBackend();
		const compaction = await compactionFor(WRONG, { backend });
		const errors: unknown[] = [];
		const result = ai.streamText({
			model: modelAt(baseURL),
			tools: shelfTools(ai),
			system: INSTRUCTIONS,
			messages,
			stopWhen: ai.stepCountIs(20),
			prepareStep: compaction.prepareStep,
			onError: ({ error }) => {
				errors.push(error);
			},
		});
		let text = "";
		for await (const part of result.textStream) text += part;
		expect(text).toBe(`The total is ${totalOf(shelves)}.`);
		expect(errors).toEqual([]);
		expect(refused).toHaveLength(1);
		expect(backend.calls).toBe(1);
	});
});

describe.each(Object.entries(VERSIONS))("overflow, %s", (version, ai) => {
	const modelAt = WAYS.find(([of]) => of === version)?.[2] ?? (() => "");

	test("where no summary can be made the request is trimmed, and sent", async () => {
		// The count needs what is trimmed: this model answers without it.
		const script: WarehouseOptions["script"] = () => ({ text: "ok" });
		const { baseURL, refused } = await start({ shelves, window: WINDOW, script });
		const events: AgentEvent[] = [];
		const backend = countingBackend(() => {
			throw new Error("the summarizer is down");
		});
		const compaction = await compactionFor(WRONG, { backend, onEvent: (event) => events.push(event) });
		const run = { model: modelAt(baseURL), maxRetries: 0, messages, prepareStep: compaction.prepareStep };
		expect((await ai.generateText(run)).text).toBe("ok");
		// The limit is known by now, the summarizer is left alone for a while, and nothing is refused again.
		expect((await ai.generateText(run)).text).toBe("ok");
		expect(refused).toHaveLength(1);
		expect(backend.calls).toBe(1);
		expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["started", "failed", "trimmed"]));
	});

	test("a request that nothing can shorten fails as it would have", async () => {
		const { baseURL, refused } = await start({ shelves, window: WINDOW });
		const compaction = await compactionFor(WRONG, { backend: countingBackend() });
		const call = ai.generateText({
			model: modelAt(baseURL),
			maxRetries: 0,
			prompt: "word ".repeat(WINDOW),
			prepareStep: compaction.prepareStep,
		});
		await expect(call).rejects.toThrow("maximum context length");
		expect(refused).toHaveLength(1);
	});

	test("another refusal is handed on as it is, after one request", async () => {
		const script: WarehouseOptions["script"] = () => ({
			status: 401,
			error: { message: "Incorrect API key" },
		});
		const { baseURL, server } = await start({ shelves, window: WINDOW, script });
		const compaction = await compactionFor(WRONG, { backend: countingBackend() });
		const call = ai.generateText({
			model: modelAt(baseURL),
			maxRetries: 0,
			prompt: "Count.",
			prepareStep: compaction.prepareStep,
		});
		await expect(call).rejects.toThrow("Incorrect API key");
		expect(server.requests).toHaveLength(1);
	});

	test("tools that fill the window are seen before anything is sent", async () => {
		const { baseURL, refused } = await start({ shelves: 12, window: WINDOW });
		const tools = {
			...shelfTools(ai),
			manual: ai.tool({
				description: "Reads the manual. ".repeat(900),
				inputSchema: ai.jsonSchema({ type: "object", properties: {} }),
				execute: async () => "",
			}),
		};
		const compaction = await compactionFor(
			{ tokens: { window: WINDOW }, strategy: { use: "summarize-older", keepLast: 2 } },
			{ backend: countingBackend() },
		);
		const { text } = await ai.generateText({
			model: modelAt(baseURL),
			tools,
			messages: counted(11) as ModelMessage[],
			stopWhen: ai.stepCountIs(5),
			prepareStep: compaction.prepareStep,
		});
		expect(text).toBe(`The total is ${totalOf(12)}.`);
		expect(refused).toEqual([]);
	});
});
