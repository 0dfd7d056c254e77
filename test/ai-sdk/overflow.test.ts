import { describe, expect, test } from "vitest";
import { readOverflow } from "../../src/ai-sdk/overflow.ts";

const refusal = (message: string, rest: object = {}): Error =>
	Object.assign(new Error(message), { name: "AI_APICallError", statusCode: 400, ...rest });

describe("a refusal as too long, in each provider's own form", () => {
	test.each<[string, unknown, number | undefined, number | undefined]>([
		[
			"OpenAI chat",
			refusal(
				"This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens. Please reduce the length of the messages.",
				{ data: { error: { code: "context_length_exceeded" } } },
			),
			128000,
			131072,
		],
		[
			"OpenAI chat, with the answer",
			refusal(
				"This model's maximum context length is 8192 tokens. However, you requested 9230 tokens (5134 in the messages, 4096 in the completion).",
			),
			8192,
			5134,
		],
		[
			"OpenAI responses, in a stream",
			{
				type: "error",
				error: {
					type: "invalid_request_error",
					code: "context_length_exceeded",
					message:
						"Your input exceeds the context window of this model. Please adjust your input and try again.",
				},
			},
			undefined,
			undefined,
		],
		["Anthropic", refusal("prompt is too long: 210387 tokens > 200000 maximum"), 200000, 210387],
		[
			"Anthropic, with the answer",
			refusal(
				"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
			),
			200000,
			188240,
		],
		[
			"Anthropic, too many bytes",
			refusal("Request exceeds the maximum size", {
				statusCode: 413,
				responseBody: '{"error":{"type":"request_too_large"}}',
			}),
			undefined,
			undefined,
		],
		[
			"Gemini",
			refusal("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
			1048576,
			1200000,
		],
		["Bedrock", refusal("Input is too long for requested model."), undefined, undefined],
		[
			"Mistral",
			refusal(
				"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
			),
			32768,
			40000,
		],
		[
			"xAI",
			refusal("This model's maximum prompt length is 131072 but the request contains 150000 tokens."),
			131072,
			150000,
		],
		[
			"Cohere",
			refusal("too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4289."),
			4081,
			undefined,
		],
		["Copilot", refusal("prompt token count of 150000 exceeds the limit of 128000"), 128000, 150000],
		[
			"Kimi",
			refusal("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
			262144,
			300000,
		],
		[
			"OpenRouter",
			refusal(
				"This endpoint's maximum context length is 32768 tokens. However, you requested about 40123 tokens (36027 of text input, 4096 in the output).",
			),
			32768,
			40123,
		],
		[
			"llama.cpp",
			refusal("the request exceeds the available context size, try increasing it", {
				responseBody:
					'{"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":5121,"n_ctx":4096}}',
			}),
			4096,
			5121,
		],
		[
			"vLLM",
			refusal(
				"This model's maximum context length is 4,096 tokens. However, your messages resulted in 5,000 tokens.",
			),
			4096,
			5000,
		],
		[
			"LM Studio",
			refusal(
				"The number of tokens to keep from the initial prompt is greater than the context length (4096). Try to load the model with a larger context length",
			),
			4096,
			undefined,
		],
		["Groq", refusal("Please reduce the length of the messages or completion."), undefined, undefined],
		[
			"wrapped by retries",
			{
				name: "AI_RetryError",
				message: "Failed after 1 attempts.",
				lastError: refusal("prompt is too long: 5000 tokens > 4000 maximum"),
			},
			4000,
			5000,
		],
	])("%s", (_, error, limitTokens, promptTokens) => {
		const found = readOverflow(error);
		expect(found).toBeDefined();
		expect(found?.limitTokens).toBe(limitTokens);
		expect(found?.promptTokens).toBe(promptTokens);
	});

	test.each<[string, unknown]>([
		[
			"a rate limit that speaks of tokens",
			refusal("Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000.", {
				statusCode: 429,
			}),
		],
		[
			"a broken pair",
			refusal("messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: call-1"),
		],
		["a wrong key", refusal("Incorrect API key provided", { statusCode: 401 })],
		["a connection", Object.assign(new Error("fetch failed"), { cause: { code: "ECONNRESET" } })],
		["an abort", new DOMException("This operation was aborted", "AbortError")],
		["nothing", undefined],
	])("is not %s", (_, error) => {
		expect(readOverflow(error)).toBeUndefined();
	});
});
