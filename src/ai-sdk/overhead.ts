import type { ModelMessage } from "ai";
import { leadingSystemCount } from "../core/transcript/kinds.ts";
import type { Message } from "../core/transcript/message.ts";
import type { Compactor } from "../flow/create-compactor.ts";
import type { CallOptions } from "./language-model.ts";

/** Tokens of the frame of one tool's definition. */
const TOOL_FRAME = 8;

type Loose = Readonly<Record<string, unknown>>;

/** Tokens of texts, by the compactor's own counter. */
function tokensOf(compactor: Compactor, texts: readonly string[]): number {
	const messages: ModelMessage[] = texts.map((content) => ({ role: "user", content }));
	return compactor.assess(messages, { overheadTokens: 0 }).tokens;
}

/** The texts of instructions: a text, a system message, or a list of them. */
export function instructionTexts(instructions: unknown): readonly string[] {
	if (typeof instructions === "string") return [instructions];
	if (Array.isArray(instructions)) return instructions.flatMap(instructionTexts);
	const content = (instructions as Loose | null | undefined)?.content;
	return typeof content === "string" ? [content] : [];
}

/** Tokens of the tools and instructions that a call to a model carries beside the transcript. */
export function overheadOfCall(
	compactor: Compactor,
	options: CallOptions,
	transcript: readonly Message[],
): number {
	const { prompt, tools = [] } = options;
	const lead = Math.max(0, leadingSystemCount(prompt) - leadingSystemCount(transcript));
	const instructions = prompt
		.slice(0, lead)
		.flatMap(({ content }) => (typeof content === "string" ? [content] : []));
	return (
		tokensOf(compactor, [...instructions, ...tools.map((tool) => JSON.stringify(tool) ?? "")]) +
		tools.length * TOOL_FRAME
	);
}

/** The JSON Schema of a tool's input, whatever it was written with; undefined where `ai` cannot say. */
async function schemaOf(inputSchema: unknown): Promise<unknown> {
	try {
		const { asSchema } = await import("ai");
		return await asSchema(inputSchema as Parameters<typeof asSchema>[0]).jsonSchema;
	} catch {
		return undefined;
	}
}

/** Tokens of tools and instructions as an agent is given them. */
export async function overheadOfAgent(
	compactor: Compactor,
	tools: Readonly<Record<string, unknown>>,
	instructions: unknown,
): Promise<number> {
	const texts: string[] = [...instructionTexts(instructions)];
	for (const [name, tool] of Object.entries(tools)) {
		const { description, inputSchema } = (tool ?? {}) as Loose;
		texts.push(JSON.stringify({ name, description, inputSchema: await schemaOf(inputSchema) }));
	}
	return tokensOf(compactor, texts) + Object.keys(tools).length * TOOL_FRAME;
}
