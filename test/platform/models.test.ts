import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { modelKeys } from "../../src/core/model-id.ts";
import { SNAPSHOT, SNAPSHOT_DATE } from "../../src/generated/models-snapshot.ts";
import { modelCachePath, writeModelCache } from "../../src/platform/model-cache.ts";

type Models = typeof import("../../src/platform/models.ts");

let folder: string;
let models: Models;

/** The module as a new process has it: with nothing loaded yet. */
async function fresh(): Promise<Models> {
	vi.resetModules();
	return import("../../src/platform/models.ts");
}

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "precis-models-"));
	vi.stubEnv("PRECIS_CACHE_DIR", folder);
	models = await fresh();
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await rm(folder, { recursive: true });
});

describe("what is known of a model", () => {
	test("window, limits and prices, with the layer that says so", async () => {
		expect(await models.lookupModel("openai/gpt-5")).toEqual({
			id: "openai/gpt-5",
			windowTokens: 400_000,
			maxInputTokens: 272_000,
			maxOutputTokens: 128_000,
			reasoning: true,
			inputPrice: 1.25,
			outputPrice: 10,
			cacheReadPrice: 0.125,
			source: "snapshot",
		});
	});

	test.each([
		"openai:gpt-5",
		"OpenAI/GPT-5",
		"openai/gpt-5-2025-08-07",
		" openai/gpt-5 ",
		"openai/gpt-5@20250807",
	])("%s is the same model", async (id) => {
		expect((await models.lookupModel(id))?.id).toBe("openai/gpt-5");
	});

	test("a dated entry of its own wins over the undated one", async () => {
		const facts = await models.lookupModel("openai/gpt-4o-2024-05-13");
		expect(facts).toMatchObject({ id: "openai/gpt-4o-2024-05-13", maxOutputTokens: 4096 });
	});

	test("behind the gateway the creator's figures are the last resort", async () => {
		expect((await models.lookupModel("gateway/openai/gpt-5"))?.id).toBe("gateway/openai/gpt-5");
		expect((await models.lookupModel("gateway/mistral/codestral-2508"))?.windowTokens).toBeGreaterThan(0);
		expect(modelKeys("vercel/openai/gpt-5-2025-08-07")).toEqual([
			"gateway/openai/gpt-5-2025-08-07",
			"openai/gpt-5-2025-08-07",
			"gateway/openai/gpt-5",
			"openai/gpt-5",
		]);
	});

	test("tokenlens knows what the snapshot does not", async () => {
		expect(await models.lookupModel("anthropic/claude-3-5-haiku-20241022")).toMatchObject({
			windowTokens: 200_000,
			source: "tokenlens",
		});
		const fireworks = await models.lookupModel("fireworks/accounts/fireworks/models/gpt-oss-120b");
		expect(fireworks?.id).toBe("fireworks/accounts/fireworks/models/gpt-oss-120b");
	});

	test.each([
		"gpt-5",
		"openai/no-such-model",
		"no-such-provider/gpt-5",
		"",
		"/",
		"openai/",
		"openai/__proto__",
		"__proto__/x",
	])("of %j nothing is guessed", async (id) => {
		expect(await models.lookupModel(id)).toBeUndefined();
	});

	test("every row of the snapshot has a window, an output limit within it, and prices that are none or four", () => {
		const wrong = Object.entries(SNAPSHOT).filter(([id, row]) => {
			const [window = 0, input = 0, output = 0, , ...prices] = row;
			const whole = row.every((figure) => Number.isFinite(figure) && figure >= 0);
			const sized = window > 0 && output > 0 && output <= window && input < window;
			return !(whole && sized && (prices.length === 0 || prices.length === 4) && id.includes("/"));
		});
		expect(wrong).toEqual([]);
		expect(Object.keys(SNAPSHOT).length).toBeGreaterThan(1000);
		expect(SNAPSHOT_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
	});
});

describe("the list", () => {
	test("has each model once, sorted by id", async () => {
		const ids = (await models.listModels()).map(({ id }) => id.toLowerCase());
		expect(ids.length).toBeGreaterThan(1500);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual([...ids].sort());
	});

	test("is narrowed by words in any case and order", async () => {
		const ids = (await models.listModels("MINI openai/gpt-5")).map(({ id }) => id);
		expect(ids).toContain("openai/gpt-5-mini");
		expect(ids.every((id) => id.includes("mini") && id.includes("openai/gpt-5"))).toBe(true);
		expect(await models.listModels("no such words")).toEqual([]);
	});
});

describe("a refresh", () => {
	const CATALOGUE = {
		openai: {
			id: "openai",
			models: {
				"gpt-5": {
					id: "gpt-5",
					limit: { context: 500_000, input: 300_000, output: 64_000 },
					reasoning: true,
				},
				"gpt-99": {
					id: "gpt-99",
					limit: { context: 9_000_000, output: 1_000 },
					cost: { input: 3, output: 4 },
				},
				whisper: { id: "whisper", limit: { context: 0, output: 0 } },
			},
		},
		["__proto__"]: { models: { gpt: { limit: { context: 7 } } } },
		odd: { models: [null, "x", { limit: "large" }] },
	};
	let server: Server;
	let baseUrl: string;
	let reply: { status: number; body: string };

	beforeEach(async () => {
		reply = { status: 200, body: JSON.stringify(CATALOGUE) };
		server = createServer((_, response) => {
			response.writeHead(reply.status, { "content-type": "application/json" });
			response.end(reply.body);
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`;
	});
	afterEach(() => {
		server.close();
		server.closeAllConnections();
	});

	test("fetches the catalogue, keeps it, and later look-ups know it", async () => {
		expect(await models.lookupModel("openai/gpt-99")).toBeUndefined();
		expect(await models.refreshModels({ fetch, baseUrl })).toEqual({
			count: 3,
			path: join(folder, "models.json"),
			url: baseUrl,
		});
		for (const known of [models, await fresh()]) {
			expect(await known.lookupModel("openai/gpt-99")).toEqual({
				id: "openai/gpt-99",
				windowTokens: 9_000_000,
				maxOutputTokens: 1_000,
				reasoning: false,
				inputPrice: 3,
				outputPrice: 4,
				source: "cache",
			});
			expect(await known.lookupModel("openai/gpt-5")).toMatchObject({
				windowTokens: 500_000,
				source: "cache",
			});
			expect((await known.lookupModel("anthropic/claude-opus-4-5"))?.source).toBe("snapshot");
		}
		expect(await readdir(folder)).toEqual(["models.json"]);
	});

	test.each([
		["an error", { status: 503, body: "busy" }, /HTTP 503/],
		["something that is no JSON", { status: 200, body: "<html>" }, /did not answer with JSON/],
		[
			"half of an answer",
			{ status: 200, body: JSON.stringify(CATALOGUE).slice(0, 90) },
			/did not answer with JSON/,
		],
		["a catalogue without models", { status: 200, body: '{"openai":{}}' }, /no models/],
		["a list", { status: 200, body: "[1,2]" }, /no models/],
	])("that gets %s fails, and what was known before still is", async (_, answer, message) => {
		await models.refreshModels({ fetch, baseUrl });
		const before = await readFile(modelCachePath(), "utf8");
		reply = answer;
		const failing = models.refreshModels({ fetch, baseUrl });
		await expect(failing).rejects.toMatchObject({ code: "BACKEND_FAILED", retryable: true });
		await expect(failing).rejects.toThrow(message);
		expect(await readFile(modelCachePath(), "utf8")).toBe(before);
		expect(await readdir(folder)).toEqual(["models.json"]);
	});

	test("offline says that the catalogue is out of reach", async () => {
		await new Promise((resolve) => {
			server.close(resolve);
			server.closeAllConnections();
		});
		await expect(models.refreshModels({ fetch, baseUrl })).rejects.toThrow(
			`Cannot refresh the catalogue of models from "${baseUrl}": it is out of reach`,
		);
	});

	test("that is aborted is cancelled", async () => {
		const running = models.refreshModels({ fetch, baseUrl, signal: AbortSignal.abort() });
		await expect(running).rejects.toMatchObject({ code: "CANCELLED", name: "AbortError" });
	});

	test("that cannot write leaves nothing behind", async () => {
		await mkdir(join(folder, "models.json"));
		await expect(models.refreshModels({ fetch, baseUrl })).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			message: expect.stringContaining(folder),
		});
		expect(await readdir(folder)).toEqual(["models.json"]);
	});

	test("goes to nobody else, and nothing but a refresh goes anywhere", async () => {
		const asked: string[] = [];
		const spy: typeof fetch = (input, init) => {
			asked.push(String(input));
			return fetch(input, init);
		};
		const global = vi.spyOn(globalThis, "fetch");
		await models.lookupModel("openai/gpt-5");
		await models.listModels();
		expect(global).not.toHaveBeenCalled();
		await models.refreshModels({ fetch: spy, baseUrl });
		expect(asked).toEqual([baseUrl]);
	});
});

describe("the file of the fetched catalogue", () => {
	test("that is older than the shipped snapshot does not hide it", async () => {
		await writeModelCache("2020-01-01", { "openai/gpt-5": [1000, 0, 100, 0], "old/one": [2000, 0, 100, 0] });
		expect((await models.lookupModel("openai/gpt-5"))?.source).toBe("snapshot");
		expect(await models.lookupModel("old/one")).toMatchObject({ windowTokens: 2000, source: "cache" });
	});

	test.each([
		"",
		"{",
		"null",
		"[]",
		'{"version":2,"date":"2999-01-01","models":{}}',
		'{"version":1,"models":{"a/b":[1]}}',
	])("that is damaged or of another version (%j) is left alone", async (text) => {
		await writeFile(modelCachePath(), text);
		expect((await models.lookupModel("openai/gpt-5"))?.source).toBe("snapshot");
	});

	test("rows that are no figures are left out", async () => {
		const rows = { "openai/gpt-5": ["many"], "house/one": [10, 0, 5, 1], __proto__: [1] };
		await writeFile(modelCachePath(), JSON.stringify({ version: 1, date: "2999-01-01", models: rows }));
		expect((await models.lookupModel("openai/gpt-5"))?.source).toBe("snapshot");
		expect(await models.lookupModel("house/one")).toMatchObject({ windowTokens: 10, reasoning: true });
	});

	test("stands where the system keeps caches, unless PRECIS_CACHE_DIR says otherwise", () => {
		expect(modelCachePath()).toBe(join(folder, "models.json"));
		vi.stubEnv("PRECIS_CACHE_DIR", "");
		vi.stubEnv("XDG_CACHE_HOME", "/xdg");
		expect(modelCachePath()).toBe(join("/xdg", "precis", "models.json"));
		vi.stubEnv("XDG_CACHE_HOME", "");
		expect(modelCachePath()).toMatch(/precis[\\/](?:Cache[\\/])?models\.json$/);
	});
});
