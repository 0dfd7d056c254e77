import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelMessage } from "ai";
import { Ajv } from "ajv";
import { afterEach, describe, expect, it } from "vitest";
import http from "../../../plugins/backends/http.ts";
import { retryAfter } from "../../../plugins/backends/http-retry.ts";
import answerSchema from "../../../schemas/http-answer.schema.json" with { type: "json" };
import requestSchema from "../../../schemas/http-request.schema.json" with { type: "json" };
import type { BackendContext, SummarizingBackend, SummaryRequest } from "../../../src/backend/contract.ts";
import type { Host } from "../../../src/backend/host.ts";
import { compact } from "../../../src/index.ts";

const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
const isRequest = ajv.compile(requestSchema);
const isAnswer = ajv.compile(answerSchema);

interface Exchange {
	readonly headers: IncomingMessage["headers"];
	readonly body: unknown;
}

type Reply = (response: ServerResponse, exchange: Exchange) => void;

let server: Server | undefined;

afterEach(async () => {
	server?.closeAllConnections();
	await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
	server = undefined;
});

/** A service that gives its replies in turn, the last one for ever. */
async function serve(...replies: readonly Reply[]): Promise<{ url: string; seen: Exchange[] }> {
	const seen: Exchange[] = [];
	server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const exchange = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
			seen.push(exchange);
			replies[Math.min(seen.length, replies.length) - 1]?.(response, exchange);
		});
	});
	const listening = server;
	await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/summaries`, seen };
}

const json =
	(answer: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
	(response) => {
		response.writeHead(status, { "content-type": "application/json", ...headers });
		response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
	};

const GOOD = { version: 1, sections: { decisions: ["Keep two replicas"] } };

const request: SummaryRequest = {
	messages: [
		{ role: "user", content: "Where does the mirror live? \ud83d\ude00" },
		{
			role: "user",
			content: [{ type: "file", data: new Uint8Array([1, 2, 255]), mediaType: "application/octet-stream" }],
		},
		{ role: "user", content: [{ type: "image", image: Buffer.from([1, 2, 255]), mediaType: "image/png" }] },
	],
	transcript: "User: Where does the mirror live?\n",
	template: {
		name: "default",
		header: "## S",
		sections: [{ id: "decisions", title: "Decisions", purpose: "Choices made.", aliases: [], maxItems: 50 }],
	},
	budgetTokens: 400,
	reason: { trigger: "manual", detail: "The caller asked for it." },
	metadata: { ticket: "T-1" },
	guidance: { instructions: "Keep ticket numbers", context: ["Branch is rel/7"] },
	previousSummary: { text: "## S\n\n### Decisions\n- d", sections: { decisions: ["d"] } },
};

const OPTIONS = { timeoutMs: 60_000, maxBytes: 4_000_000, maxRetries: 2 };

async function backend(options: object, env: Record<string, string> = {}): Promise<SummarizingBackend> {
	const host: Host = {
		baseUrl: import.meta.url,
		env: (name) => env[name],
		fetch: (...args) => globalThis.fetch(...args),
		importModule: () => Promise.reject(new Error("nothing to import")),
		model: async () => undefined,
		languageModel: undefined,
		now: () => Date.now(),
	};
	return (await http.create({ ...OPTIONS, ...options } as never, host)) as SummarizingBackend;
}

function context(signal: AbortSignal = new AbortController().signal): BackendContext & { events: object[] } {
	const events: object[] = [];
	return { signal, events, countTokens: (text) => text.length / 4, emit: (event) => events.push(event) };
}

describe("the http backend", () => {
	it("POSTs the job as JSON of the published schema, with its headers and token", async () => {
		const { url, seen } = await serve(json(GOOD));
		const made = await backend({ url, headers: { "x-team": "blue" }, tokenEnv: "TOKEN" }, { TOKEN: "t0ken" });
		expect(await made.summarize(request, context())).toEqual(GOOD);
		expect(isAnswer(GOOD)).toBe(true);
		expect(seen).toHaveLength(1);
		expect(isRequest(seen[0]?.body), JSON.stringify(isRequest.errors)).toBe(true);
		expect(seen[0]?.headers).toMatchObject({
			"content-type": "application/json",
			"x-team": "blue",
			authorization: "Bearer t0ken",
		});
		expect(seen[0]?.body).toMatchObject({
			version: 1,
			budgetTokens: 400,
			guidance: { instructions: "Keep ticket numbers", context: ["Branch is rel/7"] },
			metadata: { ticket: "T-1" },
			previousSummary: { sections: { decisions: ["d"] } },
			transcript: "User: Where does the mirror live?\n",
		});
	});

	it("writes binary content as base64, which messages may carry too", async () => {
		const { url, seen } = await serve(json(GOOD));
		await (await backend({ url })).summarize(request, context());
		const { messages } = (seen[0]?.body ?? {}) as { messages: { content: unknown }[] };
		expect(messages[0]?.content).toBe("Where does the mirror live? \ud83d\ude00");
		expect(messages[1]?.content).toMatchObject([{ data: "AQL/" }]);
		expect(messages[2]?.content).toMatchObject([{ image: "AQL/" }]);
	});

	it.each([429, 503])("tries again after %i, as soon as Retry-After says", async (status) => {
		const { url, seen } = await serve(json("busy", status, { "retry-after": "0" }), json(GOOD));
		const told = context();
		expect(await (await backend({ url })).summarize(request, told)).toEqual(GOOD);
		expect(seen).toHaveLength(2);
		expect(told.events).toEqual([{ name: "retry", status, waitMs: 0, attempt: 1 }]);
	});

	it("waits for a date that Retry-After names", async () => {
		const soon = new Date(Date.now() + 1500).toUTCString();
		const { url } = await serve(json("busy", 503, { "retry-after": soon }), json(GOOD));
		const told = context();
		await (await backend({ url })).summarize(request, told);
		expect((told.events[0] as { waitMs: number }).waitMs).toBeLessThanOrEqual(1500);
	});

	it("gives up after so many retries, with the service's own words", async () => {
		const { url, seen } = await serve(json("all lines busy", 429, { "retry-after": "0" }));
		const made = await backend({ url, maxRetries: 1 });
		await expect(made.summarize(request, context())).rejects.toMatchObject({
			statusCode: 429,
			message: expect.stringContaining("all lines busy"),
		});
		expect(seen).toHaveLength(2);
	});

	it("does not wait for a service that asks for an hour", async () => {
		const { url, seen } = await serve(json("later", 503, { "retry-after": "3600" }));
		await expect((await backend({ url })).summarize(request, context())).rejects.toMatchObject({
			statusCode: 503,
		});
		expect(seen).toHaveLength(1);
	});

	it("does not repeat what another try cannot mend", async () => {
		const { url, seen } = await serve(json({ error: "no such template" }, 422));
		await expect((await backend({ url })).summarize(request, context())).rejects.toMatchObject({
			statusCode: 422,
		});
		expect(seen).toHaveLength(1);
	});

	it("ends a call that takes too long, one whose body stalls too", async () => {
		const { url } = await serve((response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.write('{"sections":');
		});
		const made = await backend({ url, timeoutMs: 80 });
		await expect(made.summarize(request, context())).rejects.toMatchObject({
			code: "TIMEOUT",
			retryable: true,
		});
	});

	it("stops reading an answer that is too large, announced or not", async () => {
		let written = 0;
		const { url } = await serve((response) => {
			response.writeHead(200);
			const pour = (): void => {
				while (written < 50_000_000 && response.write("x".repeat(65_536))) written += 65_536;
			};
			response.on("drain", pour);
			pour();
		});
		const made = await backend({ url, maxBytes: 100_000 });
		await expect(made.summarize(request, context())).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			message: expect.stringContaining("100000 bytes"),
		});
		expect(written).toBeLessThan(20_000_000);
	});

	it("refuses an answer that announces its size as too large", async () => {
		const { url } = await serve(json("x".repeat(2000)));
		await expect(
			(await backend({ url, maxBytes: 1000 })).summarize(request, context()),
		).rejects.toMatchObject({
			code: "BACKEND_FAILED",
		});
	});

	it.each([
		["no JSON", "<html>"],
		["no object", "[1]"],
		["another version", '{"version":2,"text":"x"}'],
	])("refuses an answer that is %s", async (_, body) => {
		const { url } = await serve(json(body));
		await expect((await backend({ url })).summarize(request, context())).rejects.toMatchObject({
			code: "PLUGIN_INVALID",
			message: expect.stringContaining('"http"'),
		});
	});

	it("tells a dropped connection as an error that may be tried again", async () => {
		const { url } = await serve((response) => response.destroy());
		await expect((await backend({ url })).summarize(request, context())).rejects.toMatchObject({
			isRetryable: true,
			message: expect.stringContaining("http://127.0.0.1"),
		});
	});

	it("follows no redirect", async () => {
		const { url, seen } = await serve(json("", 307, { location: "/elsewhere" }));
		await expect((await backend({ url })).summarize(request, context())).rejects.toThrow();
		expect(seen).toHaveLength(1);
	});

	it("stops at once when the pass is aborted, in a call and between two", async () => {
		const { url, seen } = await serve(json("busy", 429, { "retry-after": "30" }));
		const controller = new AbortController();
		const running = (await backend({ url })).summarize(request, context(controller.signal));
		setTimeout(() => controller.abort(new Error("gone")), 60);
		await expect(running).rejects.toThrow("gone");
		expect(seen).toHaveLength(1);
	});

	it("says which variable should hold the token", async () => {
		await expect(
			(await backend({ url: "http://127.0.0.1:9/", tokenEnv: "ABSENT" })).summarize(request, context()),
		).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			retryable: false,
			message: expect.stringContaining('"ABSENT"'),
		});
	});
});

describe("a pass with the http backend", () => {
	const messages = Array.from({ length: 14 }, (_, index) => ({
		role: index % 2 === 0 ? "user" : "assistant",
		content: `m${index} ${"lorem ".repeat(80)}`,
	})) as ModelMessage[];

	async function pass(url: string, more: object = {}): ReturnType<typeof compact> {
		return compact(messages, {
			strategy: { use: "summarize-older" },
			backend: { use: "http", url, ...more },
		});
	}

	it("commits what the service made, under the template's headings", async () => {
		const { url, seen } = await serve(
			json({ ...GOOD, usage: { calls: 3, inputTokens: 900, costUSD: 0.01 }, metadata: { region: "eu" } }),
		);
		const result = await pass(url);
		expect(result.summary).toMatchObject({
			source: "backend",
			sections: { decisions: ["Keep two replicas"] },
		});
		expect(result.usage).toMatchObject({ calls: 3, inputTokens: 900, costUSD: 0.01 });
		expect(result.metadata).toEqual({ region: "eu" });
		expect(isRequest(seen[0]?.body), JSON.stringify(isRequest.errors)).toBe(true);
		expect(seen[0]?.body).toMatchObject({ transcript: expect.stringContaining("User: m0 lorem") });
	});

	it.each([
		["two forms at once", { sections: {}, text: "x" }, "PLUGIN_INVALID"],
		["junk in a section", { sections: { decisions: [1] } }, "PLUGIN_INVALID"],
		["nothing", { sections: {} }, "BLANK_SUMMARY"],
	])("checks its answers like any plugin's: %s", async (_, answer, code) => {
		const { url } = await serve(json(answer));
		await expect(pass(url)).rejects.toMatchObject({ code, message: expect.stringContaining('"http"') });
	});

	it("tells the service's own words and whether to try again, and no token", async () => {
		const { url } = await serve(json("cannot take Bearer abc.def-123 now", 500));
		await expect(pass(url)).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			retryable: true,
			message: expect.stringMatching(/"http" failed: the service answered 500: cannot take Bearer … now/),
		});
	});

	it("gives way to the next backend of a chain", async () => {
		const { url } = await serve(json("down", 500));
		const result = await compact(messages, {
			strategy: { use: "summarize-older" },
			backend: [{ use: "http", url }, { use: "extractive" }],
		});
		expect(result.status).toBe("compacted");
		expect(result.log.map(({ why }) => why).join("\n")).toMatch(/"http" failed with BACKEND_FAILED: .*down/);
	});
});

describe("Retry-After", () => {
	it("is read as seconds, as a date, or not at all", () => {
		const now = Date.parse("2030-01-01T00:00:00Z");
		expect(retryAfter("7", now)).toBe(7000);
		expect(retryAfter("Tue, 01 Jan 2030 00:00:05 GMT", now)).toBe(5000);
		expect(retryAfter("Mon, 31 Dec 2029 00:00:00 GMT", now)).toBe(0);
		expect(retryAfter("soon", now)).toBeUndefined();
		expect(retryAfter(null, now)).toBeUndefined();
	});
});
