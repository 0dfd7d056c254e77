import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LoopbackProvider, loopbackProvider } from "../../src/testing/loopback-provider.ts";

let server: LoopbackProvider;

beforeEach(async () => {
	server = await loopbackProvider();
});
afterEach(() => server.close());

const MODELS: Readonly<Record<string, () => LanguageModel>> = {
	chat: () => createOpenAI({ apiKey: "k", baseURL: `${server.url}/v1` }).chat("gpt-5-mini"),
	responses: () => createOpenAI({ apiKey: "k", baseURL: `${server.url}/v1` }).responses("gpt-5-mini"),
	messages: () => createAnthropic({ apiKey: "k", baseURL: `${server.url}/v1` })("claude-sonnet-4-5"),
	compatible: () => createOpenAICompatible({ name: "local", baseURL: `${server.url}/v1` })("local"),
};
const tools = { count: tool({ inputSchema: jsonSchema({ type: "object" }) }) } as ToolSet;
const CALL = { toolCallId: "c1", toolName: "count", input: { shelf: "A1" } };

describe.each(Object.keys(MODELS))("over the wire format %s", (name) => {
	const model = (): LanguageModel => MODELS[name]?.() ?? "";
	// OpenAI's chat completions hide what a model thinks.
	const showsThoughts = name !== "chat";

	test("a whole answer arrives with text, thinking, calls and usage", async () => {
		const reasoning = showsThoughts ? { reasoning: "Let me think about the shelf." } : {};
		server.push({ text: "Fourteen 📦 boxes stand there.", toolCalls: [CALL], ...reasoning });
		const result = await generateText({ model: model(), prompt: "How many?", tools });
		expect(result.text).toBe("Fourteen 📦 boxes stand there.");
		expect(result.reasoningText).toBe(reasoning.reasoning);
		expect(result.toolCalls).toMatchObject([CALL]);
		expect(result.finishReason).toBe("tool-calls");
		expect(result.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
	});

	test("the same answer arrives in pieces where it is streamed", async () => {
		const reasoning = showsThoughts ? { reasoning: "Let me think about the shelf." } : {};
		server.push({ text: "Fourteen 📦 boxes stand there.", toolCalls: [CALL], ...reasoning });
		const result = streamText({ model: model(), prompt: "How many?", tools });
		const pieces: string[] = [];
		for await (const piece of result.textStream) pieces.push(piece);
		expect(pieces.length).toBeGreaterThan(1);
		expect(pieces.join("")).toBe("Fourteen 📦 boxes stand there.");
		expect(await result.reasoningText).toBe(reasoning.reasoning);
		expect(await result.toolCalls).toMatchObject([CALL]);
		expect(await result.finishReason).toBe("tool-calls");
		expect(await result.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
	});

	test.each(["length", "content-filter"] as const)(
		"an answer ends with %s, streamed or not",
		async (finishReason) => {
			server.push({ text: "Four", finishReason }, { text: "Four", finishReason });
			expect((await generateText({ model: model(), prompt: "?" })).finishReason).toBe(finishReason);
			expect(await streamText({ model: model(), prompt: "?" }).finishReason).toBe(finishReason);
		},
	);

	test("a request that the check complains about is refused, and no answer is used up", async () => {
		const strict = await loopbackProvider({
			answers: [{ text: "fine" }],
			check: ({ body }) => (JSON.stringify(body).includes("bad") ? "no bad words" : undefined),
		});
		server.close();
		server = strict;
		await expect(generateText({ model: model(), prompt: "bad", maxRetries: 0 })).rejects.toThrow(
			"no bad words",
		);
		expect((await generateText({ model: model(), prompt: "good" })).text).toBe("fine");
		expect(strict.requests).toHaveLength(2);
	});

	test("a request beyond the script is refused and not repeated", async () => {
		await expect(generateText({ model: model(), prompt: "?" })).rejects.toThrow(
			"no answer is left for request 1",
		);
		expect(server.requests).toHaveLength(1);
	});
});

test("a client that hangs up is seen, and closing ends what still waits", async () => {
	server.push({ delayMs: Number.POSITIVE_INFINITY }, { delayMs: Number.POSITIVE_INFINITY });
	const leaving = generateText({
		model: MODELS.chat?.() ?? "",
		prompt: "?",
		abortSignal: AbortSignal.timeout(100),
	});
	await expect(leaving).rejects.toThrow();
	await expect.poll(() => server.requests[0]?.aborted).toBe(true);
	const waiting = generateText({ model: MODELS.chat?.() ?? "", prompt: "?", maxRetries: 0 });
	const failed = expect(waiting).rejects.toThrow();
	await expect.poll(() => server.requests.length).toBe(2);
	await server.close();
	await failed;
});
