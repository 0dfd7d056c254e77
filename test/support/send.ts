import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type ModelMessage, modelMessageSchema } from "ai";
import type { Message } from "../../src/core/transcript/message.ts";
import { type LoopbackProvider, loopbackProvider } from "../../src/testing/loopback-provider.ts";
import { createStrictCheck } from "./strict-provider.ts";

// The SDK warns of each reasoning part that a provider has no use for.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** The wire formats that a transcript is sent in. */
export const WIRES = ["chat", "responses", "anthropic", "compatible"] as const;
export type Wire = (typeof WIRES)[number];

/** Servers that refuse as real ones do, spoken to by the real provider packages. */
export interface StrictProviders {
	/** Sends a transcript; the words of its refusal, or undefined where it was taken. */
	send(wire: Wire, messages: readonly Message[]): Promise<string | undefined>;
	close(): Promise<void>;
}

/** Starts the strict server. It remembers what a service would: use one for an input and its outputs. */
export async function strictProviders(): Promise<StrictProviders> {
	const check = createStrictCheck();
	let server: LoopbackProvider | undefined = await loopbackProvider({
		check: ({ path, body }) => check(path, body),
	});
	const baseURL = `${server.url}/v1`;
	const openai = createOpenAI({ baseURL, apiKey: "none" });
	const anthropic = createAnthropic({ baseURL, apiKey: "none" });
	const compatible = createOpenAICompatible({ name: "local", baseURL });
	const models = {
		chat: openai.chat("gpt-5-mini"),
		responses: openai.responses("gpt-5-mini"),
		anthropic: anthropic("claude-sonnet-4-5"),
		compatible: compatible("local"),
	};
	return {
		async send(wire, messages) {
			const schema = messages.findIndex((message) => !modelMessageSchema.safeParse(message).success);
			if (schema >= 0) return `message ${schema} is none of the AI SDK's`;
			server?.push({ text: "ok" });
			try {
				await generateText({
					model: models[wire],
					messages: messages as ModelMessage[],
					allowSystemInMessages: true,
					maxRetries: 0,
				});
				return undefined;
			} catch (error) {
				return error instanceof Error ? error.message : String(error);
			}
		},
		async close() {
			await server?.close();
			server = undefined;
		},
	};
}
