import type { Guidance } from "../backend/contract.ts";
import type { OptionShapes } from "../config/check-given.ts";
import type { TriggerQuestion } from "./assess.ts";
import type { CompactOptions, CompactorOptions } from "./create-compactor.ts";

/** What the options of `createCompactor` must be. */
export const COMPACTOR_OPTIONS: OptionShapes<CompactorOptions> = {
	registry: "object",
	model: "anything",
	backend: "object",
	onEvent: "function",
	baseUrl: "string",
};

/** What the options of one pass must be; reported usage may be anything, and what makes no sense is passed over. */
export const COMPACT_OPTIONS: OptionShapes<CompactOptions> = {
	signal: "object",
	reason: "object",
	guidance: "object",
	targetTokens: "number",
	metadata: "object",
	overheadTokens: "number",
	strategy: "list",
	onPassEvent: "function",
	usage: "anything",
	steps: "anything",
};

/** What a question to the trigger must be. */
export const TRIGGER_QUESTION: OptionShapes<TriggerQuestion> = {
	usage: "anything",
	steps: "anything",
	overheadTokens: "number",
	windowTokens: "number",
	margin: "number",
};

/** What words of the host must be. */
export const GUIDANCE: OptionShapes<Guidance> = { instructions: "string", context: "strings" };
