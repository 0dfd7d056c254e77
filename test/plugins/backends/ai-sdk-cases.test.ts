import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { createCompactor } from "../../../src/flow/create-compactor.ts";
import type { CompactionResult } from "../../../src/result/compaction-result.ts";
import type { LoopbackAnswer } from "../../../src/testing/loopback-provider.ts";
import reports from "../../cases/reports.json" with { type: "json" };
import { withLoopback } from "../../support/ai-sdk.ts";

const loopback = withLoopback();
const FILLER = " The crate list repeats the same long row of words for every crate.".repeat(20);

interface ReportInput {
	readonly op: { readonly keepLast: number };
	readonly messages: readonly ModelMessage[];
	readonly modelAnswers?: readonly LoopbackAnswer[];
}

function inputOf(id: string): ReportInput {
	const found = reports.find((report) => report.id === id);
	if (found === undefined) throw new Error(`no case "${id}"`);
	return found.input as unknown as ReportInput;
}

/** The case's messages, the texts of users and assistants long enough for a summary to be worth while. */
function padded({ messages }: ReportInput): ModelMessage[] {
	return messages.map((message) =>
		typeof message.content === "string" && message.role !== "system"
			? ({ ...message, content: `${message.content}${FILLER}` } as ModelMessage)
			: message,
	);
}

/** Compacts over the real provider package and the loopback server. */
async function compact(
	{ op }: ReportInput,
	messages: readonly ModelMessage[],
	backend: object = {},
	signal?: AbortSignal,
): Promise<CompactionResult> {
	const compactor = await createCompactor({
		tokens: { window: 4000 },
		trigger: { use: "never" },
		strategy: { use: "summarize-older", keepLast: op.keepLast },
		backend: {
			use: "ai-sdk",
			model: "openai-compatible/local",
			baseURL: loopback.baseURL,
			maxRetries: 0,
			...backend,
		},
	});
	return compactor.compact(messages, signal === undefined ? {} : { signal });
}

function sent(index = 0): Readonly<Record<string, unknown>> & { readonly messages: readonly ModelMessage[] } {
	return loopback.server.requests[index]?.body as never;
}

const GOOD = inputOf("summarizer-misbehaves-03").modelAnswers?.at(-1) ?? {};

describe("a summarizer that misbehaves", () => {
	test("summarizer-misbehaves-03: is offered no tools, and a tool call in place of text is asked for once more", async () => {
		const input = inputOf("summarizer-misbehaves-03");
		loopback.server.push(...(input.modelAnswers ?? []));
		const result = await compact(input, padded(input));
		expect(loopback.server.requests).toHaveLength(2);
		for (const { body } of loopback.server.requests) {
			expect(body).not.toHaveProperty("tools");
			expect(body).not.toHaveProperty("tool_choice");
		}
		expect(result.summary?.sections.key_facts).toEqual(["Shelf A1 holds 14 boxes"]);
		expect(result.usage.calls).toBe(2);
	});

	test("summarizer-misbehaves-05: is not told what the agent was told", async () => {
		const input = inputOf("summarizer-misbehaves-05");
		loopback.server.push(...(input.modelAnswers ?? []));
		await compact(input, padded(input));
		expect(JSON.stringify(sent())).not.toContain("AGENT-PROMPT-MARKER");
		expect(sent().messages.map(({ role }) => role)).toEqual(["system", "user"]);
	});
});

describe("the output limit that is sent", () => {
	test.each([
		["summarizer-input-over-window-05", 8192, 1_000_000],
		["summarizer-input-over-window-06", 65_536, 1_000_000],
	])("%s: is a positive integer, and at most %i", async (id, most, window) => {
		const input = inputOf(id);
		loopback.server.push(...(input.modelAnswers ?? []));
		await compact(input, padded(input), { maxOutputTokens: most, window });
		const limit = sent().max_tokens;
		expect(Number.isInteger(limit)).toBe(true);
		expect(limit).toBeGreaterThan(0);
		expect(limit).toBeLessThanOrEqual(most);
	});
});

describe("the options in a config", () => {
	const create = (backend: object): ReturnType<typeof createCompactor> =>
		createCompactor({
			strategy: { use: "summarize-older" },
			backend: { use: "ai-sdk", model: "openai/gpt-5-mini", ...backend },
		});

	test("are taken where they are right, with no key", async () => {
		const options = {
			window: 32_768,
			reasoningTokens: 0,
			maxOutputTokens: 2000,
			temperature: 0,
			api: "responses",
		};
		expect((await create(options)).windowTokens).toBe(200_000);
	});

	test.each([
		["window", 0],
		["reasoningTokens", -1],
		["maxOutputTokens", 1.5],
		["temperature", 3],
		["api", "completions"],
		["mode", "json"],
		["maxRetries", 11],
		["apiKeyEnv", "sk-not-a-name"],
		["apiKey", "sk-a-key-in-the-config"],
	])("%s: %j is refused by name", async (name, value) => {
		const failing = create({ [name]: value });
		await expect(failing).rejects.toMatchObject({ code: "CONFIG_INVALID" });
		await expect(failing).rejects.toThrow(`/backend/${name}`);
	});
});

describe("a provider's failure", () => {
	test("provider-error-01: changes nothing, and the next try sees everything", async () => {
		const input = inputOf("provider-error-01");
		const messages = padded(input);
		const before = structuredClone(messages);
		loopback.server.push({ status: 503, error: { message: "overloaded" } }, GOOD);
		await expect(compact(input, messages)).rejects.toMatchObject({ code: "BACKEND_FAILED", retryable: true });
		expect(messages).toEqual(before);
		await compact(input, messages);
		expect(JSON.stringify(sent(1))).toContain("FACT-ONE");
	});

	test("provider-error-02: is the cause of ours, and never the summary", async () => {
		const input = inputOf("provider-error-02");
		const error = { message: "RATE-LIMIT-MARKER too many requests" };
		loopback.server.push({ status: 429, error }, { status: 429, error });
		await expect(compact(input, padded(input))).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			retryable: true,
			cause: { name: "AI_APICallError", statusCode: 429, message: "RATE-LIMIT-MARKER too many requests" },
		});
		expect(loopback.server.requests).toHaveLength(1);
	});

	test("provider-error-04: missing credentials are named, asked of nobody and not tried again", async () => {
		const input = inputOf("provider-error-04");
		const backend = { model: "openai/gpt-5-mini", apiKeyEnv: "PRECIS_TEST_NO_SUCH_KEY" };
		await expect(compact(input, padded(input), backend)).rejects.toMatchObject({
			code: "BACKEND_FAILED",
			retryable: false,
			message: expect.stringContaining('"PRECIS_TEST_NO_SUCH_KEY" is not set'),
		});
		expect(loopback.server.requests).toHaveLength(0);
	});

	test("a chain goes on where the first backend has no key", async () => {
		const input = inputOf("provider-error-04");
		const compactor = await createCompactor({
			tokens: { window: 4000 },
			strategy: { use: "summarize-older", keepLast: 1 },
			backend: [
				{ use: "ai-sdk", model: "openai/gpt-5-mini", apiKeyEnv: "PRECIS_TEST_NO_SUCH_KEY" },
				{ use: "extractive" },
			],
		});
		const result = await compactor.compact(padded(input));
		expect(result.status).toBe("compacted");
		expect(JSON.stringify(result.log)).toContain("PRECIS_TEST_NO_SUCH_KEY");
	});

	test("abort-01: an abort while the model works changes nothing, and the next pass works", async () => {
		const input = inputOf("abort-01");
		const messages = padded(input);
		const before = structuredClone(messages);
		loopback.server.push({ delayMs: Number.POSITIVE_INFINITY }, GOOD);
		const leaving = new AbortController();
		const running = compact(input, messages, {}, leaving.signal);
		const failed = expect(running).rejects.toMatchObject({ name: "AbortError", code: "CANCELLED" });
		await expect.poll(() => loopback.server.requests.length).toBe(1);
		leaving.abort();
		await failed;
		expect(messages).toEqual(before);
		expect((await compact(input, messages)).status).toBe("compacted");
	});
});

test("provider-options-01: cache marks are neither sent to the summarizer nor added, and kept messages keep theirs", async () => {
	const input = inputOf("provider-options-01");
	const messages = padded(input);
	process.env.PRECIS_TEST_KEY = "loopback-key";
	loopback.server.push(...(input.modelAnswers ?? []));
	const backend = { model: "anthropic/claude-sonnet-4-5", apiKeyEnv: "PRECIS_TEST_KEY" };
	const result = await compact(input, messages, backend);
	delete process.env.PRECIS_TEST_KEY;
	expect(JSON.stringify(sent())).not.toContain("cache_control");
	for (const [index, from] of result.provenance.entries()) {
		if ("kept" in from) expect(result.messages[index]).toBe(messages[from.kept]);
		else expect(JSON.stringify(result.messages[index])).not.toContain("cacheControl");
	}
	expect(result.provenance.some((from) => "summaryOf" in from)).toBe(true);
});
