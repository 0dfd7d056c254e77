import { createOpenAICompatible as createVersion4 } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createVersion3 } from "@ai-sdk/openai-compatible6";
import { afterEach, describe, expect, test, vi } from "vitest";
import { limitsOf } from "../../../plugins/backends/ai-sdk/limits.ts";
import aiSdk from "../../../plugins/backends/ai-sdk.ts";
import { makeSummary } from "../../../src/backend/make-summary.ts";
import { templateSchema } from "../../../src/core/template/template-schema.ts";
import { createHost } from "../../../src/platform/create-host.ts";
import {
	createBackend,
	hostOf,
	importVersion6,
	requestOf,
	type Setting,
	withLoopback,
} from "../../support/ai-sdk.ts";

import { only, summaryJob } from "../../support/scripted-backend.ts";

const loopback = withLoopback();
const TEXT = "### Key facts\n- Shelf A1 holds 14 boxes";

afterEach(() => {
	vi.restoreAllMocks();
});

/** A plain object of the oldest specification that is still taken. */
function version2(): object {
	return {
		specificationVersion: "v2",
		provider: "house.chat",
		modelId: "house-1",
		supportedUrls: {},
		doGenerate: async () => ({
			content: [
				{ type: "reasoning", text: "THOUGHT-MARKER" },
				{ type: "text", text: TEXT },
			],
			finishReason: "stop",
			usage: { inputTokens: 30, outputTokens: 8, totalTokens: 38, cachedInputTokens: 10 },
			warnings: [{ type: "other", message: "something" }],
		}),
		doStream: () => Promise.reject(new Error("not streamed")),
	};
}

const version3 = (): unknown => createVersion3({ name: "house", baseURL: loopback.baseURL })("house-1");
const version4 = (): unknown => createVersion4({ name: "house", baseURL: loopback.baseURL })("house-1");

describe("a model that code hands in", () => {
	test.each([
		["v2", 7, version2],
		["v3", 7, version3],
		["v4", 7, version4],
		["v2", 6, version2],
		["v3", 6, version3],
	] as const)(
		"of specification %s is taken by ai %i, and nothing is written to the console",
		async (_, major, model) => {
			const written: unknown[] = [];
			for (const method of ["info", "warn", "log", "error"] as const)
				vi.spyOn(console, method).mockImplementation((...args) => written.push(args));
			vi.spyOn(process, "emitWarning").mockImplementation((...args) => written.push(args));
			loopback.server.push({ text: TEXT, usage: { input: 30, output: 8, cacheRead: 10 } });
			const facts = { inputPrice: 1, outputPrice: 1, cacheReadPrice: 0 };
			const setting = {
				languageModel: model(),
				facts,
				...(major === 6 ? { importModule: importVersion6 } : {}),
			};
			const answer = await (await createBackend(setting)).generate(requestOf());
			expect(answer).toMatchObject({
				text: TEXT,
				finishReason: "stop",
				usage: { inputTokens: 30, outputTokens: 8 },
			});
			expect(answer.usage?.costUSD).toBeCloseTo(28 / 1e6, 12);
			expect(written).toEqual([]);
		},
	);

	test("of a specification that the installed ai does not take is an error that says so in our words", async () => {
		const backend = await createBackend({ languageModel: version4(), importModule: importVersion6 });
		const thrown = (await backend.generate(requestOf()).catch((error: unknown) => error)) as Error;
		expect(thrown).toMatchObject({ code: "BACKEND_FAILED", retryable: false });
		expect(thrown.message).toMatch(/"house\/house-1".*"v4".*Update "ai"/);
		expect(thrown.message).not.toContain("AI SDK 5");
	});

	test("takes the place of the one that the config names, whose key is not asked for", async () => {
		loopback.server.push({ text: TEXT });
		const setting = { languageModel: version4(), options: { model: "openai/gpt-5-mini" }, env: {} };
		await (await createBackend(setting)).generate(requestOf());
		expect(loopback.server.requests[0]?.body.model).toBe("house-1");
	});

	test.each([
		[{ provider: "openai.responses", modelId: "gpt-5" }, "openai/gpt-5"],
		[{ provider: "google.generative-ai", modelId: "gemini-2.5-pro" }, "google/gemini-2.5-pro"],
		[{ provider: "gateway", modelId: "openai/gpt-5" }, "gateway/openai/gpt-5"],
	])("is looked up in the catalogue: %o", async (names, id) => {
		const asked: string[] = [];
		const host = hostOf({ languageModel: { ...version2(), ...names } });
		const model = async (one: string): Promise<undefined> => {
			asked.push(one);
			return undefined;
		};
		await aiSdk.create({ mode: "text", maxRetries: 0, timeoutMs: 1000 } as never, { ...host, model });
		expect(asked).toEqual([id]);
	});

	test("as text is read like one in the config", async () => {
		loopback.server.push({ text: TEXT });
		const setting = { languageModel: "openai-compatible:local", options: { baseURL: loopback.baseURL } };
		await (await createBackend(setting)).generate(requestOf());
		expect(loopback.server.requests[0]?.body.model).toBe("local");
	});

	test.each([[() => undefined], [{ modelId: "x" }], [42]])(
		"that is none (%o) is refused at once",
		async (languageModel) => {
			await expect(createBackend({ languageModel })).rejects.toMatchObject({
				code: "CONFIG_INVALID",
				message: expect.stringContaining("expected a LanguageModel"),
			});
		},
	);
});

test("a model with no structured output of its own is asked by a tool, and its input is the text", async () => {
	const text = JSON.stringify({
		key_facts: ["14 boxes"],
		decisions: [],
		pending_tasks: [],
		open_questions: [],
	});
	loopback.server.push({ text });
	const options = {
		model: "anthropic/claude-3-5-haiku-latest",
		mode: "object",
		baseURL: loopback.baseURL,
	} as const;
	const answer = await (await createBackend({ options })).generate(requestOf({ schema: templateSchema() }));
	expect(loopback.server.requests[0]?.body).toHaveProperty("tools.0.name", "json");
	expect(JSON.parse(answer.text)).toEqual(JSON.parse(text));
	expect(answer.finishReason).toBe("stop");
});

test("what is written to a cache has a price of its own, and counts as input", async () => {
	loopback.server.push({ text: TEXT, usage: { input: 1000, output: 100, cacheRead: 400, cacheWrite: 500 } });
	const facts = { inputPrice: 2, cacheReadPrice: 0.2, cacheWritePrice: 2.5, outputPrice: 10 };
	const options = { model: "anthropic/claude-sonnet-4-5", baseURL: loopback.baseURL };
	const { usage } = await (await createBackend({ options, facts })).generate(requestOf());
	expect(usage).toMatchObject({ inputTokens: 1000, outputTokens: 100 });
	expect(usage?.costUSD).toBeCloseTo((100 * 2 + 400 * 0.2 + 500 * 2.5 + 100 * 10) / 1e6, 10);
});

test("an option that the model ignores is noted once in the summary's log", async () => {
	loopback.server.push({ text: "" }, { text: TEXT });
	const options = { model: "openai/gpt-5-mini", temperature: 0.5, baseURL: loopback.baseURL };
	const outcome = await makeSummary(only(await createBackend({ options }), "ai-sdk"), summaryJob());
	expect(outcome.usage.calls).toBe(2);
	expect(outcome.notes.filter((note) => note.includes('"ai-sdk" says: "temperature"'))).toHaveLength(1);
});

describe("a model by name", () => {
	test.each([
		[undefined, /no model/],
		["gpt-5-mini", /names no provider/],
		["openai-compatible/local", /"baseURL" is missing/],
		["gateway/gpt-5-mini", /named with its creator/],
	])("%s is a config error, with no key and no network", async (model, message) => {
		const options = model === undefined ? {} : { model };
		await expect(createBackend({ options, env: {} })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
		await expect(createBackend({ options, env: {} })).rejects.toThrow(message);
	});

	test("is created with no key, no package and no network", async () => {
		const importModule = (specifier: string): never => {
			throw new Error(`imported ${specifier}`);
		};
		const setting = { options: { model: "openai/gpt-5-mini" }, env: {}, importModule };
		expect(await createBackend(setting)).toMatchObject({ structured: false, timeoutMs: 20_000 });
	});

	test("of any other provider is made by its package", async () => {
		const machine = createHost();
		const made: unknown[] = [];
		const importModule = async (specifier: string): Promise<Record<string, unknown>> => {
			if (specifier !== "@ai-sdk/house-of-models") return machine.importModule(specifier);
			return {
				VERSION: "1",
				createOther: () => undefined,
				createHouseOfModels: (settings: object) => {
					made.push(settings);
					return Object.assign(() => undefined, { languageModel: () => version4() });
				},
			};
		};
		loopback.server.push({ text: TEXT });
		const setting: Setting = {
			options: { model: "house-of-models/house-1" },
			env: { HOUSE_OF_MODELS_API_KEY: "k" },
			importModule,
		};
		await (await createBackend(setting)).generate(requestOf());
		expect(made).toEqual([{ fetch: expect.any(Function), apiKey: "k" }]);
		const chat = createBackend({ ...setting, options: { ...setting.options, api: "chat" } });
		await expect((await chat).generate(requestOf())).rejects.toThrow(/has no "chat"; leave out "api"/);
	});

	test("of a provider that has no package says how to reach a server of one's own", async () => {
		const backend = await createBackend({ options: { model: "ollama/qwen3" } });
		await expect(backend.generate(requestOf())).rejects.toThrow(
			/"@ai-sdk\/ollama" is not installed\. Run "npm install @ai-sdk\/ollama"\..*"openai-compatible\/…" with its "baseURL"/,
		);
	});

	test.each([7, 6])("behind the gateway goes there, ai %i", async (major) => {
		const asked: Request[] = [];
		const fetch: typeof globalThis.fetch = async (input, init) => {
			const request = new Request(input, init);
			asked.push(request);
			const flat = { inputTokens: 30, outputTokens: 8, totalTokens: 38 };
			const nested = {
				inputTokens: { total: 30, noCache: 30, cacheRead: 0, cacheWrite: 0 },
				outputTokens: { total: 8, text: 8, reasoning: 0 },
			};
			return Response.json({
				content: [{ type: "text", text: TEXT }],
				finishReason: { unified: "stop", raw: "stop" },
				usage: { ...flat, ...nested },
				warnings: [],
			});
		};
		const backend = await createBackend({
			options: { model: "gateway/openai/gpt-5-mini" },
			env: { AI_GATEWAY_API_KEY: "gateway-key" },
			fetch,
			...(major === 6 ? { importModule: importVersion6 } : {}),
		});
		const answer = await backend.generate(requestOf());
		expect(answer).toMatchObject({
			text: TEXT,
			finishReason: "stop",
			usage: { inputTokens: 30, outputTokens: 8 },
		});
		const request = asked.find(({ method }) => method === "POST");
		expect(new URL(request?.url ?? "").hostname).toBe("ai-gateway.vercel.sh");
		expect(request?.headers.get("authorization")).toBe("Bearer gateway-key");
		expect([...(request?.headers.values() ?? [])]).toContain("openai/gpt-5-mini");
	});

	test("behind the gateway needs the gateway's key", async () => {
		const backend = await createBackend({ options: { model: "gateway/openai/gpt-5-mini" }, env: {} });
		await expect(backend.generate(requestOf())).rejects.toThrow(/"AI_GATEWAY_API_KEY" is not set/);
	});
});

describe("limits", () => {
	const OPTIONS = { mode: "text", maxRetries: 0, timeoutMs: 1000 } as const;
	const FACTS = { id: "a/b", source: "test", windowTokens: 400_000, maxOutputTokens: 128_000 };
	const of = (options: object, facts: object): ReturnType<typeof limitsOf> =>
		limitsOf({ ...OPTIONS, ...options }, { ...FACTS, ...facts });

	test("a model that does not reason gets what was asked for", () => {
		const limits = of({}, {});
		expect(limits.declared).toEqual({ windowTokens: 400_000, maxOutputTokens: 128_000 });
		expect(limits.outputFor(1024)).toBe(1024);
		expect(limits.outputFor(200_000)).toBe(128_000);
	});

	test("a model that reasons gets room for it, which the window no longer has", () => {
		const limits = of({}, { reasoning: true });
		expect(limits.declared).toEqual({ windowTokens: 383_616, maxOutputTokens: 111_616 });
		expect(limits.outputFor(1024)).toBe(17_408);
		expect(limits.outputFor(120_000)).toBe(128_000);
	});

	test("the room is at most half of what the model may write and a quarter of its window", () => {
		expect(of({}, { reasoning: true, maxOutputTokens: 8192 }).declared.maxOutputTokens).toBe(4096);
		expect(of({}, { reasoning: true, windowTokens: 32_768 }).declared.windowTokens).toBe(24_576);
	});

	test.each([
		{ anthropic: { thinking: { type: "disabled" } } },
		{ anthropic: { thinking: { type: "enabled", budgetTokens: 4000 } } },
		{ openai: { reasoningEffort: "none" } },
		{ google: { thinkingConfig: { thinkingBudget: 0 } } },
	])("no room where it is switched off, or added by the provider's package: %o", (providerOptions) => {
		expect(of({ providerOptions }, { reasoning: true }).outputFor(1024)).toBe(1024);
	});

	test("the config's figures win over the catalogue's, but never above what the model can write", () => {
		expect(of({ reasoningTokens: 500 }, {}).outputFor(1000)).toBe(1500);
		expect(of({ reasoningTokens: 0 }, { reasoning: true }).outputFor(1000)).toBe(1000);
		expect(of({ maxOutputTokens: 600 }, {}).outputFor(1000)).toBe(600);
		expect(of({ maxOutputTokens: 600_000 }, {}).declared.maxOutputTokens).toBe(128_000);
		expect(of({ window: 32_768 }, { maxInputTokens: 20_000 }).declared.windowTokens).toBe(32_768);
	});

	test("the prompt may not have more than the model's input limit", () => {
		expect(of({}, { maxInputTokens: 272_000 }).declared.windowTokens).toBe(272_000);
	});

	test("what nobody knows is not made up", () => {
		expect(limitsOf(OPTIONS, undefined).declared).toEqual({});
		expect(limitsOf(OPTIONS, undefined).outputFor(700)).toBe(700);
	});
});
