import { afterEach, describe, expect, test, vi } from "vitest";
import { templateSchema } from "../../../src/core/template/template-schema.ts";
import { createBackend, KEY, requestOf, type Setting, WAYS, withLoopback } from "../../support/ai-sdk.ts";

const loopback = withLoopback();
const TEXT = "### Key facts\n- Shelf A1 holds 14 boxes";

afterEach(() => {
	vi.restoreAllMocks();
});

describe.each(Object.entries(WAYS))("%s", (name, way) => {
	const create = (setting: Setting = {}): ReturnType<typeof createBackend> =>
		createBackend({
			...way,
			...setting,
			options: { baseURL: loopback.baseURL, ...way.options, ...setting.options },
		});
	const body = (): Readonly<Record<string, unknown>> => loopback.server.requests[0]?.body ?? {};
	const sent = (): string => JSON.stringify(body());
	const limit = (): unknown => {
		const { max_tokens, max_completion_tokens, max_output_tokens } = body();
		return max_tokens ?? max_completion_tokens ?? max_output_tokens;
	};

	test("asks with the system prompt and the prompt it is given, and with no tools", async () => {
		loopback.server.push({ text: TEXT });
		const backend = await create();
		const answer = await backend.generate(requestOf());
		expect(answer).toEqual({
			text: TEXT,
			finishReason: "stop",
			usage: { inputTokens: 11, outputTokens: 7 },
		});
		expect(sent()).toContain("You condense.");
		expect(sent()).toContain("Condense this.");
		expect(body()).not.toHaveProperty("tools");
		expect(body()).not.toHaveProperty("tool_choice");
		expect(body().stream ?? false).toBe(false);
	});

	test("sends the key that the environment holds, and only where one is needed", async () => {
		loopback.server.push({ text: TEXT });
		await (await create()).generate(requestOf());
		const { authorization, "x-api-key": apiKey } = loopback.server.requests[0]?.headers ?? {};
		const compatible = name.startsWith("openai-compatible");
		expect(apiKey ?? authorization).toBe(
			compatible ? undefined : name.startsWith("anthropic") ? KEY : `Bearer ${KEY}`,
		);
	});

	test("takes the key from the variable that apiKeyEnv names", async () => {
		loopback.server.push({ text: TEXT });
		const backend = await create({ options: { apiKeyEnv: "HOUSE_KEY" }, env: { HOUSE_KEY: " house-key\n" } });
		await backend.generate(requestOf());
		const { authorization, "x-api-key": apiKey } = loopback.server.requests[0]?.headers ?? {};
		expect(apiKey ?? authorization).toMatch(/^(?:Bearer )?house-key$/);
	});

	test("hands on temperature, headers and provider options", async () => {
		loopback.server.push({ text: TEXT });
		const providerOptions = name.startsWith("openai-compatible")
			? { openaiCompatible: { user: "archive" } }
			: name.startsWith("anthropic")
				? { anthropic: { metadata: { userId: "archive" } } }
				: { openai: { user: "archive" } };
		const backend = await create({
			options: { temperature: 0.25, headers: { "x-house": "archive" }, providerOptions },
		});
		await backend.generate(requestOf());
		expect(body().temperature).toBe(0.25);
		expect(loopback.server.requests[0]?.headers["x-house"]).toBe("archive");
		expect(sent()).toContain('"archive"');
	});

	test("sends the output limit that it is asked for", async () => {
		loopback.server.push({ text: TEXT });
		await (await create()).generate(requestOf({ maxOutputTokens: 700 }));
		expect(limit()).toBe(700);
	});

	test.each([
		["the catalogue's", { facts: { maxOutputTokens: 300 } }],
		["the config's", { options: { maxOutputTokens: 300 } }],
	])("%s limit is not exceeded", async (_, setting) => {
		loopback.server.push({ text: TEXT });
		const backend = await create(setting);
		await backend.generate(requestOf({ maxOutputTokens: 700 }));
		expect(limit()).toBe(300);
		expect(backend.limits).toEqual({ maxOutputTokens: 300 });
	});

	test("a model that reasons gets room for it on top", async () => {
		loopback.server.push({ text: TEXT });
		const backend = await create({
			facts: { reasoning: true, maxOutputTokens: 64_000, windowTokens: 200_000 },
		});
		await backend.generate(requestOf({ maxOutputTokens: 700 }));
		expect(limit()).toBe(700 + 16_384);
	});

	test("a cut-off is told as such, with the text so far", async () => {
		loopback.server.push({ text: "### Key facts\n- Shelf", finishReason: "length" });
		const answer = await (await create()).generate(requestOf());
		expect(answer).toMatchObject({ text: "### Key facts\n- Shelf", finishReason: "length" });
	});

	test("a refusal is told as such", async () => {
		loopback.server.push({ refusal: "I cannot help with that." });
		const answer = await (await create()).generate(requestOf());
		expect(answer.finishReason).toBe("content-filter");
	});

	test("a tool call that nobody asked for is no text", async () => {
		loopback.server.push({ toolCalls: [{ toolCallId: "s9", toolName: "countShelf", input: {} }] });
		const answer = await (await create()).generate(requestOf());
		expect(answer).toMatchObject({ text: "", finishReason: "tool-calls" });
		expect(loopback.server.requests).toHaveLength(1);
	});

	test("what the model thinks is not among what it says", async () => {
		loopback.server.push({ text: TEXT, reasoning: "THOUGHT-MARKER" });
		expect((await (await create()).generate(requestOf())).text).toBe(TEXT);
		loopback.server.push({ reasoning: "THOUGHT-MARKER", finishReason: "length" });
		expect((await (await create()).generate(requestOf())).text).toBe("");
	});

	test("cached tokens are among the input, and cost what the catalogue says", async () => {
		loopback.server.push({ text: TEXT, usage: { input: 1000, output: 100, cacheRead: 400 } });
		const facts = { inputPrice: 2, cacheReadPrice: 0.5, outputPrice: 10 };
		const { usage } = await (await create({ facts })).generate(requestOf());
		expect(usage).toMatchObject({ inputTokens: 1000, outputTokens: 100 });
		expect(usage?.costUSD).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 10);
	});

	test("without a price there is no cost, and without one for the cache that of the input counts", async () => {
		loopback.server.push({ text: TEXT }, { text: TEXT, usage: { input: 1000, output: 100, cacheRead: 400 } });
		const unknown = await (await create({ facts: { inputPrice: 2 } })).generate(requestOf());
		expect(unknown.usage).not.toHaveProperty("costUSD");
		const { usage } = await (await create({ facts: { inputPrice: 2, outputPrice: 10 } })).generate(
			requestOf(),
		);
		expect(usage?.costUSD).toBeCloseTo((1000 * 2 + 100 * 10) / 1e6, 10);
	});

	test("structured output sends the schema and gives the JSON as text", async () => {
		const text = JSON.stringify({
			key_facts: ["14 boxes"],
			decisions: [],
			pending_tasks: [],
			open_questions: [],
		});
		loopback.server.push({ text });
		const backend = await create({ options: { mode: "object" } });
		expect(backend.structured).toBe(true);
		const answer = await backend.generate(requestOf({ schema: templateSchema() }));
		expect(JSON.parse(answer.text)).toEqual(JSON.parse(text));
		expect(answer.finishReason).toBe("stop");
		expect(sent()).toContain('"open_questions"');
	});

	test("an answer that fits no schema is handed on as it is", async () => {
		loopback.server.push({ text: TEXT, usage: { input: 20, output: 30 } });
		const backend = await create({ options: { mode: "object" } });
		expect(await backend.generate(requestOf({ schema: templateSchema() }))).toEqual({
			text: TEXT,
			finishReason: "stop",
			usage: { inputTokens: 20, outputTokens: 30 },
		});
	});

	test("JSON that is cut off is handed on as a cut-off", async () => {
		loopback.server.push({ text: '{"key_facts": ["14 bo', finishReason: "length" });
		const backend = await create({ options: { mode: "object" } });
		expect(await backend.generate(requestOf({ schema: templateSchema() }))).toMatchObject({
			text: '{"key_facts": ["14 bo',
			finishReason: "length",
		});
	});

	test("nothing is written to the console, and nobody else's setting is touched", async () => {
		const written: unknown[] = [];
		for (const method of ["info", "warn", "log", "error"] as const)
			vi.spyOn(console, method).mockImplementation((...args) => written.push(args));
		vi.spyOn(process, "emitWarning").mockImplementation((...args) => written.push(args));
		loopback.server.push({ text: TEXT });
		// Nothing that any of them takes together with a temperature: the SDK warns.
		const reasoning = name.includes("compatible")
			? {}
			: { model: `openai/gpt-5-mini`, api: "responses" as const };
		const backend = await create({
			options: { temperature: 0.5, ...(name.startsWith("openai ") ? reasoning : {}) },
		});
		const answering = backend.generate(requestOf());
		expect(Object.hasOwn(globalThis, "AI_SDK_LOG_WARNINGS")).toBe(false);
		const { notes } = await answering;
		// It is told to the caller instead.
		if (name.startsWith("openai ")) expect(notes?.join()).toContain('"temperature"');
		expect(written).toEqual([]);
		expect(Object.hasOwn(globalThis, "AI_SDK_LOG_WARNINGS")).toBe(false);
	});
});
