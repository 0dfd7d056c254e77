import type { ModelMessage } from "ai";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Config, createCompactor } from "../../src/index.ts";
import { type LoopbackProvider, loopbackProvider } from "../../src/testing.ts";

const SECTIONS = {
	key_facts: ["Shelf A1 holds 14 boxes"],
	decisions: ["Count by hand"],
	pending_tasks: ["Count shelf A2"],
	open_questions: [],
};
const HEADINGS =
	"## Key facts\n- Shelf A1 holds 14 boxes\n\n**Decisions:**\n1. Count by hand\n\n## PENDING TASKS\n* Count shelf A2\n\n## Open questions\n- None";
const JSON_MODE = `Here it is:\n\`\`\`json\n${JSON.stringify(SECTIONS)}\n\`\`\``;
const STRUCTURED = JSON.stringify(SECTIONS);

const PAD =
	"The crate list repeats the same long row of words for every crate on every shelf of the hall. ".repeat(12);
const messages: ModelMessage[] = Array.from({ length: 10 }, (_, index) => ({
	role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
	content: `m${index} ${PAD}`,
}));

const WIRES = {
	"OpenAI chat completions": { model: "openai/gpt-5-mini", api: "chat" },
	"OpenAI responses": { model: "openai/gpt-5-mini", api: "responses" },
	"Anthropic messages": { model: "anthropic/claude-sonnet-4-5" },
	"an OpenAI-compatible server": { model: "openai-compatible/local" },
} as const;

const FORMS = [
	["headings", HEADINGS, "text"],
	["JSON in a fence", JSON_MODE, "text"],
	["structured output", STRUCTURED, "object"],
] as const;

describe.each(Object.entries(WIRES))("over the wire of %s", (_name, wire) => {
	let server: LoopbackProvider;

	beforeAll(async () => {
		vi.stubEnv("OPENAI_API_KEY", "loopback");
		vi.stubEnv("ANTHROPIC_API_KEY", "loopback");
		server = await loopbackProvider();
	});

	afterAll(async () => {
		vi.unstubAllEnvs();
		await server.close();
	});

	test.each(FORMS)("an answer as %s ends in the same summary, by one call", async (_form, text, mode) => {
		server.push({ text });
		const config: Config = {
			strategy: { use: "summarize-older", keepLast: 2, ledger: false },
			backend: { use: "ai-sdk", baseURL: `${server.url}/v1`, mode, ...wire },
		};
		const result = await (await createCompactor(config)).compact(messages);
		expect(result.summary?.sections).toEqual(SECTIONS);
		expect(result.summary?.text).toBe(
			"## Conversation summary (compacted)\n\n### Key facts\n- Shelf A1 holds 14 boxes\n\n### Decisions\n- Count by hand\n\n### Pending tasks\n- Count shelf A2",
		);
		expect(result.usage.calls).toBe(1);
	});
});
