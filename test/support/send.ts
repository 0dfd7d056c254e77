import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type ModelMessage, modelMessageSchema } from "ai";
import type { Message } from "../../src/core/transcript/message.ts";
import { loopbackProvider } from "../../src/testing/loopback-provider.ts";
import { createStrictCheck } from "./strict-provider.ts";

// The SDK warns of each reasoning part that a provider has no use for.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** The ways in which a transcript is sent; "thinking" is Anthropic's with thinking turned on. */
export const WIRES = ["chat", "responses", "anthropic", "compatible", "thinking"] as const;
export type Wire = (typeof WIRES)[number];

/** Servers that refuse as real ones do, spoken to by the real provider packages. */
export interface StrictProviders {
	/** Sends a transcript; the words of its refusal, or undefined where it was taken. */
	send(wire: Wire, messages: readonly Message[]): Promise<string | undefined>;
	close(): Promise<void>;
}

/** Sends through the provider packages; the words of a refusal, or undefined. */
function sender(baseURL: string, fetch?: typeof globalThis.fetch): StrictProviders["send"] {
	const settings = { baseURL, apiKey: "none", ...(fetch === undefined ? {} : { fetch }) };
	const openai = createOpenAI(settings);
	const models = {
		chat: openai.chat("gpt-5-mini"),
		responses: openai.responses("gpt-5-mini"),
		anthropic: createAnthropic(settings)("claude-sonnet-4-5"),
		thinking: createAnthropic(settings)("claude-sonnet-4-5"),
		compatible: createOpenAICompatible({ name: "local", ...settings })("local"),
	};
	return async (wire, messages) => {
		const odd = messages.findIndex((message) => !modelMessageSchema.safeParse(message).success);
		if (odd >= 0) return `message ${odd} is none of the AI SDK's`;
		try {
			await generateText({
				model: models[wire],
				messages: messages as ModelMessage[],
				allowSystemInMessages: true,
				maxRetries: 0,
				...(wire === "thinking"
					? { providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } } }
					: {}),
			});
			return undefined;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	};
}

/** Starts the strict server. It remembers what a service would: use one for an input and its outputs. */
export async function strictProviders(): Promise<StrictProviders> {
	const check = createStrictCheck();
	const server = await loopbackProvider({ check: ({ path, body }) => check(path, body) });
	const send = sender(`${server.url}/v1`);
	return {
		send(wire, messages) {
			server.push({ text: "ok" });
			return send(wire, messages);
		},
		close: () => server.close(),
	};
}

/** What a request ends with here once it was taken: the wire stops at the service's door. */
const TAKEN = "taken";

/** The same packages and the same judgement without a server, for thousands of transcripts. */
export function strictJudge(): StrictProviders["send"] {
	const check = createStrictCheck();
	const send = sender("https://strict.invalid/v1", async (address, init) => {
		const refusal = check(new URL(String(address)).pathname, JSON.parse(String(init?.body)));
		throw new Error(refusal ?? TAKEN);
	});
	return async (wire, messages) => {
		const words = await send(wire, messages);
		return words === TAKEN ? undefined : words;
	};
}
