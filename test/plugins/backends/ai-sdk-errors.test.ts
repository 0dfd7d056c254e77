import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { makeSummary } from "../../../src/backend/make-summary.ts";
import { isCompactionError } from "../../../src/errors/compaction-error.ts";
import { createHost } from "../../../src/platform/create-host.ts";
import type { LoopbackRequest } from "../../../src/testing/loopback-provider.ts";
import { createBackend, KEY, requestOf, type Setting, WAYS, withLoopback } from "../../support/ai-sdk.ts";
import { alternating, only, summaryJob } from "../../support/scripted-backend.ts";

const loopback = withLoopback();
const TEXT = "### Key facts\n- Shelf A1 holds 14 boxes";
const AT_ONCE = { "retry-after-ms": "5" };

async function failure(running: Promise<unknown>): Promise<Error & Readonly<Record<string, unknown>>> {
	return running.then(
		() => {
			throw new Error("it did not fail");
		},
		(error: unknown) => error as Error & Readonly<Record<string, unknown>>,
	);
}

/** Everything that an error can show. */
function shown(error: unknown): string {
	return inspect(error, { depth: 20, showHidden: true });
}

describe.each(Object.entries(WAYS))("%s", (name, way) => {
	const create = (setting: Setting = {}): ReturnType<typeof createBackend> =>
		createBackend({
			...way,
			...setting,
			options: { baseURL: loopback.baseURL, ...way.options, ...setting.options },
		});
	const summarize = async (setting: Setting = {}, job = summaryJob()): ReturnType<typeof makeSummary> =>
		makeSummary(only(await create(setting), "ai-sdk"), job);

	test.each([429, 500, 503])(
		"a call that fails with %i is repeated as long as maxRetries allows",
		async (status) => {
			loopback.server.push({ status, headers: AT_ONCE }, { status, headers: AT_ONCE }, { text: TEXT });
			const outcome = await summarize({ options: { maxRetries: 2 } });
			expect(outcome.sections.key_facts).toEqual(["Shelf A1 holds 14 boxes"]);
			expect(loopback.server.requests).toHaveLength(3);
			// What the transport repeats is no call of the summary's.
			expect(outcome.usage.calls).toBe(1);
		},
	);

	test.each([429, 500])(
		"%i to the end is a failure to be tried again, with the provider's error as its cause",
		async (status) => {
			const error = { message: "MARKER of the provider" };
			loopback.server.push({ status, error, headers: AT_ONCE }, { status, error, headers: AT_ONCE });
			const thrown = await failure(summarize({ options: { maxRetries: 1 } }));
			expect(thrown).toMatchObject({
				code: "BACKEND_FAILED",
				retryable: true,
				cause: { name: "AI_APICallError", statusCode: status },
			});
			expect(thrown.message).toContain("MARKER of the provider");
			expect(loopback.server.requests).toHaveLength(2);
		},
	);

	test.each([400, 401, 404])("%i is neither repeated nor to be tried again", async (status) => {
		loopback.server.push({ status, error: { message: "no such thing" } }, { text: TEXT });
		const thrown = await failure(summarize({ options: { maxRetries: 2 } }));
		expect(thrown).toMatchObject({ code: "BACKEND_FAILED", retryable: false, cause: { statusCode: status } });
		expect(loopback.server.requests).toHaveLength(1);
	});

	test("a prompt over the model's window is shown in smaller parts", async () => {
		const limit = 24_000;
		const overflow = {
			chat: {
				message: "This model's maximum context length is 8192 tokens. However, your messages are longer.",
				code: "context_length_exceeded",
			},
			responses: {
				message: "Your input exceeds the context window of this model.",
				code: "context_length_exceeded",
			},
			messages: { message: "prompt is too long: 9200 tokens > 8192 maximum" },
		};
		const answer = (request: LoopbackRequest): object =>
			JSON.stringify(request.body).length > limit
				? { status: 400, error: overflow[request.wire] }
				: { text: TEXT };
		loopback.server.push(...Array.from({ length: 60 }, () => answer));
		const messages = alternating(40, 200);
		const outcome = await summarize({}, summaryJob({ messages }));
		expect(outcome.sections.key_facts).toEqual(["Shelf A1 holds 14 boxes"]);
		expect(outcome.usage.calls).toBe(loopback.server.requests.length);
		expect(outcome.usage.calls).toBeGreaterThan(4);
	});

	test("a server that stalls is left after timeoutMs, and the connection is closed", async () => {
		loopback.server.push({ delayMs: Number.POSITIVE_INFINITY });
		const thrown = await failure(summarize({ options: { timeoutMs: 150 } }));
		expect(thrown).toMatchObject({ code: "TIMEOUT", retryable: true });
		await expect.poll(() => loopback.server.requests[0]?.aborted).toBe(true);
	});

	test.each(["before", "middle"] as const)(
		"a connection that breaks off (%s) may be tried again",
		async (drop) => {
			loopback.server.push({ text: TEXT, drop });
			const thrown = await failure(summarize());
			expect(thrown).toMatchObject({ code: "BACKEND_FAILED", retryable: true });
		},
	);

	test("an abort before the call asks nobody", async () => {
		const job = summaryJob({ signal: AbortSignal.abort() });
		expect(await failure(summarize({}, job))).toMatchObject({ name: "AbortError", code: "CANCELLED" });
		const backend = await create();
		await failure(backend.generate(requestOf({ signal: AbortSignal.abort() })));
		expect(loopback.server.requests).toHaveLength(0);
	});

	test("abort-01: an abort while the model works ends the wait and the connection, and the next call works", async () => {
		loopback.server.push({ delayMs: Number.POSITIVE_INFINITY }, { text: TEXT });
		const backend = await create();
		const leaving = new AbortController();
		const running = failure(makeSummary(only(backend), summaryJob({ signal: leaving.signal })));
		await expect.poll(() => loopback.server.requests.length).toBe(1);
		leaving.abort();
		expect(await running).toMatchObject({ name: "AbortError", code: "CANCELLED" });
		await expect.poll(() => loopback.server.requests[0]?.aborted).toBe(true);
		expect((await makeSummary(only(backend), summaryJob())).usage.calls).toBe(1);
	});

	test("the key is in no error, whatever the provider repeats", async () => {
		loopback.server.push({ status: 401, error: { message: `Incorrect API key provided: ${KEY}.` } });
		const env = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, HOUSE_KEY: KEY };
		const thrown = await failure(summarize({ env, options: { apiKeyEnv: "HOUSE_KEY" } }));
		expect(thrown.message).toContain("Incorrect API key provided");
		expect(shown(thrown)).not.toContain(KEY);
	});

	test("nor is what a header with a telling name carries", async () => {
		loopback.server.push({ status: 401, error: { message: "no access for token sesame-open-up" } });
		const headers = { "x-access-token": "Token sesame-open-up" };
		const thrown = await failure(summarize({ options: { headers } }));
		expect(thrown.message).toContain("no access");
		expect(shown(thrown)).not.toContain("sesame");
	});

	test("a server that takes no schema is asked for text", async () => {
		const error = { message: "response_format of type json_schema is not supported" };
		loopback.server.push({ status: 400, error }, { text: TEXT });
		const outcome = await summarize({ options: { mode: "object" } });
		expect(outcome).toMatchObject({ source: "headings", retries: 1, faults: ["unstructured"] });
		expect(loopback.server.requests).toHaveLength(2);
	});

	test("a refused, a blank and a cut-off answer get the one rescue", async () => {
		for (const first of [
			{ refusal: "I cannot help with that.", finishReason: "content-filter" },
			{ toolCalls: [{ toolCallId: "s9", toolName: "countShelf", input: {} }] },
			{ text: "### Key facts\n- Shelf A1 ho", finishReason: "length" },
			{ reasoning: "Thinking about shelves, at length.", finishReason: "length" },
		] as const) {
			loopback.server.push(first, { text: TEXT });
			const outcome = await summarize();
			expect(outcome).toMatchObject({ retries: 1, usage: { calls: 2, inputTokens: 22, outputTokens: 14 } });
			expect(outcome.sections.key_facts).toEqual(["Shelf A1 holds 14 boxes"]);
			expect(outcome.text).not.toMatch(/cannot help|Thinking/);
		}
	});

	if (!name.startsWith("openai-compatible")) {
		test("a missing key is found before anything is loaded or asked, and may be there later", async () => {
			const env: Record<string, string> = {};
			const variable = name.startsWith("anthropic") ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
			const imported: string[] = [];
			const importModule = (specifier: string): Promise<Record<string, unknown>> => {
				imported.push(specifier);
				return createHost().importModule(specifier);
			};
			const backend = await create({ env, importModule });
			const thrown = await failure(makeSummary(only(backend), summaryJob()));
			expect(thrown).toMatchObject({ code: "BACKEND_FAILED", retryable: false });
			expect(thrown.message).toContain(`"${variable}"`);
			expect(imported).toEqual([]);
			expect(loopback.server.requests).toHaveLength(0);
			env[variable] = KEY;
			loopback.server.push({ text: TEXT });
			expect((await makeSummary(only(backend), summaryJob())).usage.calls).toBe(1);
		});
	}

	test.each(["ai", "@ai-sdk/"])("a missing package %s is named with what to install", async (missing) => {
		const machine = createHost();
		const importModule = (specifier: string): Promise<Record<string, unknown>> =>
			machine.importModule(specifier.startsWith(missing) ? `${specifier}-that-is-not-there` : specifier);
		const backend = await create({ importModule });
		const thrown = await failure(makeSummary(only(backend), summaryJob()));
		expect(thrown).toMatchObject({ code: "BACKEND_FAILED", retryable: false });
		expect(isCompactionError(thrown) && thrown.message).toMatch(
			/is not installed\. Run "npm install (?:ai|@ai-sdk\/[a-z-]+)"/,
		);
		expect(loopback.server.requests).toHaveLength(0);
	});
});

test("a server that nobody runs is told as such, and may be tried again", async () => {
	await loopback.server.close();
	const backend = await createBackend({
		options: { model: "openai-compatible/local", baseURL: loopback.baseURL },
	});
	const thrown = await failure(makeSummary(only(backend), summaryJob()));
	expect(thrown).toMatchObject({ code: "BACKEND_FAILED", retryable: true });
	expect(thrown.message).toMatch(/cannot connect|ECONNREFUSED/i);
});
