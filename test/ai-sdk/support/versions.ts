import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOpenAICompatible6 } from "@ai-sdk/openai-compatible6";
import * as ai7 from "ai";
import * as ai6 from "ai6";
import { reportOf } from "./warehouse.ts";

// The SDK warns of each reasoning part that a provider has no use for.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Both versions of the AI SDK, typed as the newer one: what is used here is the same in both. */
export const VERSIONS = { "ai 6": ai6 as unknown as typeof ai7, "ai 7": ai7 } as const;
export type Version = keyof typeof VERSIONS;

type Model = ai7.LanguageModel;

/** Every way in which a request goes out: the version and the real provider package. */
export const WAYS: readonly (readonly [Version, string, (baseURL: string) => Model])[] = [
	[
		"ai 6",
		"openai-compatible",
		(baseURL) =>
			createOpenAICompatible6({ name: "local", baseURL, includeUsage: true })("local") as unknown as Model,
	],
	[
		"ai 7",
		"openai-compatible",
		(baseURL) => createOpenAICompatible({ name: "local", baseURL, includeUsage: true })("local"),
	],
	["ai 7", "openai chat", (baseURL) => createOpenAI({ baseURL, apiKey: "none" }).chat("local-model")],
	[
		"ai 7",
		"openai responses",
		(baseURL) => createOpenAI({ baseURL, apiKey: "none" }).responses("local-model"),
	],
	["ai 7", "anthropic messages", (baseURL) => createAnthropic({ baseURL, apiKey: "none" })("local-model")],
];

/** The tools of the agent that counts. */
export function shelfTools(ai: typeof ai7, padding = 4, needsApproval = false): ai7.ToolSet {
	const inputSchema = ai.jsonSchema<{ shelf: number }>({
		type: "object",
		properties: { shelf: { type: "number", description: "The number of the shelf." } },
		required: ["shelf"],
		additionalProperties: false,
	});
	const execute = async ({ shelf }: { shelf: number }): Promise<string> => reportOf(shelf, padding);
	return {
		countShelf: ai.tool({ description: "Counts the boxes on a shelf.", inputSchema, execute }),
		countRack: ai.tool({ description: "Counts the boxes on a rack.", inputSchema, execute, needsApproval }),
	};
}
