import type { CompactionReason, Guidance } from "../backend/contract.ts";
import type { OptionShapes } from "../config/check-given.ts";
import type { TriggerQuestion } from "./assess.ts";
import type { CompactOptions, CompactorOptions } from "./create-compactor.ts";

/** What the options of `createCompactor` must be. */
export const COMPACTOR_OPTIONS: OptionShapes<CompactorOptions> = {
	registry: "registry",
	model: "anything",
	backend: "object",
	onEvent: "function",
	baseUrl: "string",
};

/** What the options of one pass must be; reported usage may be anything, and what makes no sense is passed over. */
export const COMPACT_OPTIONS: OptionShapes<CompactOptions> = {
	signal: "signal",
	reason: "object",
	guidance: "object",
	targetTokens: "positive",
	metadata: "object",
	overheadTokens: "amount",
	strategy: "list",
	onPassEvent: "function",
	usage: "anything",
	steps: "anything",
};

/** What a question to the trigger must be. */
export const TRIGGER_QUESTION: OptionShapes<TriggerQuestion> = {
	usage: "anything",
	steps: "anything",
	overheadTokens: "amount",
	windowTokens: "positive",
	margin: "positive",
};

/** What the reason of a pass must be. */
export const REASON: OptionShapes<CompactionReason> = { trigger: "string", detail: "string" };

/** What words of the host must be. */
export const GUIDANCE: OptionShapes<Guidance> = { instructions: "string", context: "strings" };
