// Printed by scripts/codegen.mjs from schemas/. Do not edit.
/**
 * Replaces old tool outputs by a short placeholder; call and result stay.
 */
export interface ClearToolResultsStrategyOptions {
/**
 * How many of the newest messages stay verbatim; 0 keeps the last user message only.
 */
keepLast?: number
/**
 * Names of the tools concerned; absent means all tools.
 * 
 * @minItems 1
 */
tools?: string[]
/**
 * The text that stands where a tool's output stood.
 */
placeholder?: string
}

/**
 * Replaces old tool outputs by a short placeholder; call and result stay.
 */
export interface ResolvedClearToolResultsStrategyOptions {
/**
 * How many of the newest messages stay verbatim; 0 keeps the last user message only.
 */
keepLast: number
/**
 * Names of the tools concerned; absent means all tools.
 * 
 * @minItems 1
 */
tools?: string[]
/**
 * The text that stands where a tool's output stood.
 */
placeholder: string
}

/**
 * Removes failed tool results and the calls that they answer.
 */
export interface DropFailedToolResultsStrategyOptions {
/**
 * Whether a message whose last part was removed is dropped; if false such a message stays as it was.
 */
dropEmptyMessages?: boolean
}

/**
 * Removes failed tool results and the calls that they answer.
 */
export interface ResolvedDropFailedToolResultsStrategyOptions {
/**
 * Whether a message whose last part was removed is dropped; if false such a message stays as it was.
 */
dropEmptyMessages: boolean
}

/**
 * Removes reasoning, but never what a provider needs beside a kept tool call.
 */
export interface DropReasoningStrategyOptions {
/**
 * Whether a message whose last part was removed is dropped; if false such a message stays as it was.
 */
dropEmptyMessages?: boolean
}

/**
 * Removes reasoning, but never what a provider needs beside a kept tool call.
 */
export interface ResolvedDropReasoningStrategyOptions {
/**
 * Whether a message whose last part was removed is dropped; if false such a message stays as it was.
 */
dropEmptyMessages: boolean
}

/**
 * Removes old tool calls with all that belongs to them.
 */
export interface DropToolCallsStrategyOptions {
/**
 * How many of the newest messages stay verbatim; 0 keeps the last user message only.
 */
keepLast?: number
/**
 * Names of the tools concerned; absent means all tools.
 * 
 * @minItems 1
 */
tools?: string[]
}

/**
 * Removes old tool calls with all that belongs to them.
 */
export interface ResolvedDropToolCallsStrategyOptions {
/**
 * How many of the newest messages stay verbatim; 0 keeps the last user message only.
 */
keepLast: number
/**
 * Names of the tools concerned; absent means all tools.
 * 
 * @minItems 1
 */
tools?: string[]
}

/**
 * Uses the first strategy that does not fail.
 */
export interface FallbackStrategyOptions {
/**
 * The strategies, tried in order.
 * 
 * @minItems 1
 */
steps: StrategyUse[]
}

/**
 * Uses the first strategy that does not fail.
 */
export interface ResolvedFallbackStrategyOptions {
/**
 * The strategies, tried in order.
 * 
 * @minItems 1
 */
steps: StrategyUse[]
}

/**
 * Drops what summarize-older would have summarized; needs no backend.
 */
export interface KeepRecentStrategyOptions {
/**
 * How many of the newest removable messages stay verbatim; 0 keeps the last user message only.
 */
keepLast?: number
/**
 * Kinds of message that are never evicted; a set, the order does not matter. Where tool results stay, the assistant's last word behind them stays too.
 * 
 * Items: What a message is to compaction: its role, unless providerOptions.precis.kind says otherwise.
 */
preserveKinds?: ("system" | "developer" | "user" | "assistant" | "tool" | "context" | "notification")[]
/**
 * Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides.
 */
keepTokens?: number
}

/**
 * Drops what summarize-older would have summarized; needs no backend.
 */
export interface ResolvedKeepRecentStrategyOptions {
/**
 * How many of the newest removable messages stay verbatim; 0 keeps the last user message only.
 */
keepLast: number
/**
 * Kinds of message that are never evicted; a set, the order does not matter. Where tool results stay, the assistant's last word behind them stays too.
 * 
 * Items: What a message is to compaction: its role, unless providerOptions.precis.kind says otherwise.
 */
preserveKinds: ("system" | "developer" | "user" | "assistant" | "tool" | "context" | "notification")[]
/**
 * Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides.
 */
keepTokens?: number
}

/**
 * Runs strategies one after another.
 */
export interface PipelineStrategyOptions {
/**
 * The strategies, run one after another.
 * 
 * @minItems 1
 */
steps: StrategyUse[]
/**
 * Whether all steps run, or only until the target is met.
 */
until?: ("end" | "fits")
}

/**
 * Runs strategies one after another.
 */
export interface ResolvedPipelineStrategyOptions {
/**
 * The strategies, run one after another.
 * 
 * @minItems 1
 */
steps: StrategyUse[]
/**
 * Whether all steps run, or only until the target is met.
 */
until: ("end" | "fits")
}

/**
 * Splits at a unit-safe turn boundary and replaces the older side by one summary with stable headings.
 */
export interface StructuredStrategyOptions {
/**
 * How many of the newest messages stay at least.
 */
preserveRecent?: number
/**
 * At or below this many messages nothing happens.
 */
minMessages?: number
/**
 * Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides.
 */
keepTokens?: number
/**
 * The template of the summary: "default", "action-only", or a name from "templates".
 */
template?: string
/**
 * The token ceiling of one summary; the smaller of this and half of what the summary replaces is its budget.
 */
summaryTokens?: {
/**
 * Share of the target that the summary may take.
 */
fraction?: number
/**
 * Upper bound in tokens, whatever the target.
 */
max?: number
}
/**
 * How many tokens of evicted messages the summarizer is shown at once; absent means what fits its window.
 */
transcriptMaxTokens?: number
/**
 * Whether the model's answer is read into sections; if false its text is carried as it is below the header.
 */
parseOutput?: boolean
/**
 * What happens when no section is recognized twice: carry the raw text as one entry, or fail with MALFORMED_SUMMARY.
 */
malformed?: ("raw" | "fail")
/**
 * What happens when the summary is deliberately empty twice: commit the one-line stub, or fail with BLANK_SUMMARY.
 */
empty?: ("accept" | "fail")
/**
 * The role of the message that carries the summary.
 */
summaryRole?: ("user" | "assistant")
/**
 * The deterministic last section "Identifiers": the paths, URLs, symbols, ids, versions, error codes and numbers of the evicted messages that later work is likely to need, separated by spaces; false leaves it out. With neither figure given it takes at most half of the summary's budget and at most 1400 tokens, less where little is named, and nothing of a budget below 200.
 */
ledger?: (false | {
/**
 * Upper bound of the ledger in tokens, its heading included; given alone, only this bound holds.
 */
maxTokens?: number
/**
 * Share of the summary's budget that the ledger may take; given alone, only this bound holds; with both, the smaller one.
 */
fraction?: number
/**
 * Which kinds of identifier are listed; absent means all.
 * 
 * @minItems 1
 */
kinds?: ("path" | "url" | "symbol" | "id" | "version" | "error" | "number")[]
})
}

/**
 * Splits at a unit-safe turn boundary and replaces the older side by one summary with stable headings.
 */
export interface ResolvedStructuredStrategyOptions {
/**
 * How many of the newest messages stay at least.
 */
preserveRecent: number
/**
 * At or below this many messages nothing happens.
 */
minMessages: number
/**
 * Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides.
 */
keepTokens?: number
/**
 * The template of the summary: "default", "action-only", or a name from "templates".
 */
template: string
/**
 * The token ceiling of one summary; the smaller of this and half of what the summary replaces is its budget.
 */
summaryTokens: {
/**
 * Share of the target that the summary may take.
 */
fraction: number
/**
 * Upper bound in tokens, whatever the target.
 */
max: number
}
/**
 * How many tokens of evicted messages the summarizer is shown at once; absent means what fits its window.
 */
transcriptMaxTokens?: number
/**
 * Whether the model's answer is read into sections; if false its text is carried as it is below the header.
 */
parseOutput: boolean
/**
 * What happens when no section is recognized twice: carry the raw text as one entry, or fail with MALFORMED_SUMMARY.
 */
malformed: ("raw" | "fail")
/**
 * What happens when the summary is deliberately empty twice: commit the one-line stub, or fail with BLANK_SUMMARY.
 */
empty: ("accept" | "fail")
/**
 * The role of the message that carries the summary.
 */
summaryRole: ("user" | "assistant")
/**
 * The deterministic last section "Identifiers": the paths, URLs, symbols, ids, versions, error codes and numbers of the evicted messages that later work is likely to need, separated by spaces; false leaves it out. With neither figure given it takes at most half of the summary's budget and at most 1400 tokens, less where little is named, and nothing of a budget below 200.
 */
ledger: (false | {
/**
 * Upper bound of the ledger in tokens, its heading included; given alone, only this bound holds.
 */
maxTokens?: number
/**
 * Share of the summary's budget that the ledger may take; given alone, only this bound holds; with both, the smaller one.
 */
fraction?: number
/**
 * Which kinds of identifier are listed; absent means all.
 * 
 * @minItems 1
 */
kinds?: ("path" | "url" | "symbol" | "id" | "version" | "error" | "number")[]
})
}

/**
 * Keeps the newest messages verbatim and replaces everything older by one summary.
 */
export interface SummarizeOlderStrategyOptions {
/**
 * How many of the newest removable messages stay verbatim; 0 keeps the last user message only.
 */
keepLast?: number
/**
 * Kinds of message that are never evicted; a set, the order does not matter. Where tool results stay, the assistant's last word behind them stays too.
 * 
 * Items: What a message is to compaction: its role, unless providerOptions.precis.kind says otherwise.
 */
preserveKinds?: ("system" | "developer" | "user" | "assistant" | "tool" | "context" | "notification")[]
/**
 * Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides.
 */
keepTokens?: number
/**
 * The template of the summary: "default", "action-only", or a name from "templates".
 */
template?: string
/**
 * The token ceiling of one summary; the smaller of this and half of what the summary replaces is its budget.
 */
summaryTokens?: {
/**
 * Share of the target that the summary may take.
 */
fraction?: number
/**
 * Upper bound in tokens, whatever the target.
 */
max?: number
}
/**
 * How many tokens of evicted messages the summarizer is shown at once; absent means what fits its window.
 */
transcriptMaxTokens?: number
/**
 * Whether the model's answer is read into sections; if false its text is carried as it is below the header.
 */
parseOutput?: boolean
/**
 * What happens when no section is recognized twice: carry the raw text as one entry, or fail with MALFORMED_SUMMARY.
 */
malformed?: ("raw" | "fail")
/**
 * What happens when the summary is deliberately empty twice: commit the one-line stub, or fail with BLANK_SUMMARY.
 */
empty?: ("accept" | "fail")
/**
 * The role of the message that carries the summary.
 */
summaryRole?: ("user" | "assistant")
/**
 * The deterministic last section "Identifiers": the paths, URLs, symbols, ids, versions, error codes and numbers of the evicted messages that later work is likely to need, separated by spaces; false leaves it out. With neither figure given it takes at most half of the summary's budget and at most 1400 tokens, less where little is named, and nothing of a budget below 200.
 */
ledger?: (false | {
/**
 * Upper bound of the ledger in tokens, its heading included; given alone, only this bound holds.
 */
maxTokens?: number
/**
 * Share of the summary's budget that the ledger may take; given alone, only this bound holds; with both, the smaller one.
 */
fraction?: number
/**
 * Which kinds of identifier are listed; absent means all.
 * 
 * @minItems 1
 */
kinds?: ("path" | "url" | "symbol" | "id" | "version" | "error" | "number")[]
})
}

/**
 * Keeps the newest messages verbatim and replaces everything older by one summary.
 */
export interface ResolvedSummarizeOlderStrategyOptions {
/**
 * How many of the newest removable messages stay verbatim; 0 keeps the last user message only.
 */
keepLast: number
/**
 * Kinds of message that are never evicted; a set, the order does not matter. Where tool results stay, the assistant's last word behind them stays too.
 * 
 * Items: What a message is to compaction: its role, unless providerOptions.precis.kind says otherwise.
 */
preserveKinds: ("system" | "developer" | "user" | "assistant" | "tool" | "context" | "notification")[]
/**
 * Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides.
 */
keepTokens?: number
/**
 * The template of the summary: "default", "action-only", or a name from "templates".
 */
template: string
/**
 * The token ceiling of one summary; the smaller of this and half of what the summary replaces is its budget.
 */
summaryTokens: {
/**
 * Share of the target that the summary may take.
 */
fraction: number
/**
 * Upper bound in tokens, whatever the target.
 */
max: number
}
/**
 * How many tokens of evicted messages the summarizer is shown at once; absent means what fits its window.
 */
transcriptMaxTokens?: number
/**
 * Whether the model's answer is read into sections; if false its text is carried as it is below the header.
 */
parseOutput: boolean
/**
 * What happens when no section is recognized twice: carry the raw text as one entry, or fail with MALFORMED_SUMMARY.
 */
malformed: ("raw" | "fail")
/**
 * What happens when the summary is deliberately empty twice: commit the one-line stub, or fail with BLANK_SUMMARY.
 */
empty: ("accept" | "fail")
/**
 * The role of the message that carries the summary.
 */
summaryRole: ("user" | "assistant")
/**
 * The deterministic last section "Identifiers": the paths, URLs, symbols, ids, versions, error codes and numbers of the evicted messages that later work is likely to need, separated by spaces; false leaves it out. With neither figure given it takes at most half of the summary's budget and at most 1400 tokens, less where little is named, and nothing of a budget below 200.
 */
ledger: (false | {
/**
 * Upper bound of the ledger in tokens, its heading included; given alone, only this bound holds.
 */
maxTokens?: number
/**
 * Share of the summary's budget that the ledger may take; given alone, only this bound holds; with both, the smaller one.
 */
fraction?: number
/**
 * Which kinds of identifier are listed; absent means all.
 * 
 * @minItems 1
 */
kinds?: ("path" | "url" | "symbol" | "id" | "version" | "error" | "number")[]
})
}

/**
 * Shortens oversized tool outputs, errors too, and says how much was cut.
 */
export interface TruncateToolResultsStrategyOptions {
/**
 * The tokens that one tool output may keep.
 */
maxTokens?: number
/**
 * Which end of an oversized output is kept.
 */
keep?: ("both" | "head" | "tail")
/**
 * Names of the tools concerned; absent means all tools.
 * 
 * @minItems 1
 */
tools?: string[]
}

/**
 * Shortens oversized tool outputs, errors too, and says how much was cut.
 */
export interface ResolvedTruncateToolResultsStrategyOptions {
/**
 * The tokens that one tool output may keep.
 */
maxTokens: number
/**
 * Which end of an oversized output is kept.
 */
keep: ("both" | "head" | "tail")
/**
 * Names of the tools concerned; absent means all tools.
 * 
 * @minItems 1
 */
tools?: string[]
}

/**
 * Asks any model of the Vercel AI SDK.
 */
export interface AiSdkBackendOptions {
/**
 * The model as "provider/model", for example "openai/gpt-5-mini"; absent only where code hands in a LanguageModel.
 */
model?: string
/**
 * The endpoint of the provider; needed for "openai-compatible" servers such as Ollama, LM Studio, vLLM or llama.cpp.
 */
baseURL?: string
/**
 * Which API of the provider "openai" is used; absent means its own default.
 */
api?: ("chat" | "responses")
/**
 * Whether the model writes headings, or structured output by the template's JSON Schema; object falls back to text where the model cannot.
 */
mode?: ("text" | "object")
/**
 * The sampling temperature; absent means the provider's own default.
 */
temperature?: number
/**
 * The model's context window in tokens, prompt and answer together; absent means what the catalogue of models knows. Set it for local servers, whose window is theirs to choose.
 */
window?: number
/**
 * Upper bound of the tokens that the model may write, its reasoning included; absent means what the summary's budget needs, as far as the model takes it.
 */
maxOutputTokens?: number
/**
 * Tokens that the output limit has for the model's reasoning, on top of the summary's; absent means 16384 for models that the catalogue knows to reason, else 0.
 */
reasoningTokens?: number
/**
 * How often the transport repeats a call after a passing fault.
 */
maxRetries?: number
/**
 * Milliseconds that one call may take.
 */
timeoutMs?: number
/**
 * HTTP headers sent with each call; never put a key here, keys come from the environment.
 */
headers?: {
[k: string]: string
}
/**
 * Provider options handed on as they are, by provider name.
 */
providerOptions?: {
[k: string]: {

}
}
/**
 * The environment variable that holds the key; absent means the provider's own.
 */
apiKeyEnv?: string
}

/**
 * Asks any model of the Vercel AI SDK.
 */
export interface ResolvedAiSdkBackendOptions {
/**
 * The model as "provider/model", for example "openai/gpt-5-mini"; absent only where code hands in a LanguageModel.
 */
model?: string
/**
 * The endpoint of the provider; needed for "openai-compatible" servers such as Ollama, LM Studio, vLLM or llama.cpp.
 */
baseURL?: string
/**
 * Which API of the provider "openai" is used; absent means its own default.
 */
api?: ("chat" | "responses")
/**
 * Whether the model writes headings, or structured output by the template's JSON Schema; object falls back to text where the model cannot.
 */
mode: ("text" | "object")
/**
 * The sampling temperature; absent means the provider's own default.
 */
temperature?: number
/**
 * The model's context window in tokens, prompt and answer together; absent means what the catalogue of models knows. Set it for local servers, whose window is theirs to choose.
 */
window?: number
/**
 * Upper bound of the tokens that the model may write, its reasoning included; absent means what the summary's budget needs, as far as the model takes it.
 */
maxOutputTokens?: number
/**
 * Tokens that the output limit has for the model's reasoning, on top of the summary's; absent means 16384 for models that the catalogue knows to reason, else 0.
 */
reasoningTokens?: number
/**
 * How often the transport repeats a call after a passing fault.
 */
maxRetries: number
/**
 * Milliseconds that one call may take.
 */
timeoutMs: number
/**
 * HTTP headers sent with each call; never put a key here, keys come from the environment.
 */
headers?: {
[k: string]: string
}
/**
 * Provider options handed on as they are, by provider name.
 */
providerOptions?: {
[k: string]: {

}
}
/**
 * The environment variable that holds the key; absent means the provider's own.
 */
apiKeyEnv?: string
}

/**
 * Picks whole sentences and bullets from the evicted messages; no model, no network, deterministic.
 */
export interface ExtractiveBackendOptions {

}

/**
 * Picks whole sentences and bullets from the evicted messages; no model, no network, deterministic.
 */
export interface ResolvedExtractiveBackendOptions {

}

/**
 * POSTs the request as JSON to a service.
 */
export interface HttpBackendOptions {
/**
 * Where the request goes.
 */
url: string
/**
 * Milliseconds that one call may take.
 */
timeoutMs?: number
/**
 * The largest answer, in bytes, that is read.
 */
maxBytes?: number
/**
 * How often a call is repeated after 429 or 503.
 */
maxRetries?: number
/**
 * HTTP headers sent with each call.
 */
headers?: {
[k: string]: string
}
/**
 * The environment variable that holds a bearer token; absent means none is sent.
 */
tokenEnv?: string
}

/**
 * POSTs the request as JSON to a service.
 */
export interface ResolvedHttpBackendOptions {
/**
 * Where the request goes.
 */
url: string
/**
 * Milliseconds that one call may take.
 */
timeoutMs: number
/**
 * The largest answer, in bytes, that is read.
 */
maxBytes: number
/**
 * How often a call is repeated after 429 or 503.
 */
maxRetries: number
/**
 * HTTP headers sent with each call.
 */
headers?: {
[k: string]: string
}
/**
 * The environment variable that holds a bearer token; absent means none is sent.
 */
tokenEnv?: string
}

/**
 * Fires when all of its triggers fire.
 */
export interface AllTriggerOptions {
/**
 * The triggers that are asked.
 * 
 * @minItems 1
 */
of: TriggerUse[]
}

/**
 * Fires when all of its triggers fire.
 */
export interface ResolvedAllTriggerOptions {
/**
 * The triggers that are asked.
 * 
 * @minItems 1
 */
of: TriggerUse[]
}

/**
 * Fires when one of its triggers fires.
 */
export interface AnyTriggerOptions {
/**
 * The triggers that are asked.
 * 
 * @minItems 1
 */
of: TriggerUse[]
}

/**
 * Fires when one of its triggers fires.
 */
export interface ResolvedAnyTriggerOptions {
/**
 * The triggers that are asked.
 * 
 * @minItems 1
 */
of: TriggerUse[]
}

/**
 * Fires when the transcript fills a share of the model's window.
 */
export interface ContextWindowTriggerOptions {
/**
 * The share of the window, in percent, at which the trigger fires.
 */
percent?: number
}

/**
 * Fires when the transcript fills a share of the model's window.
 */
export interface ResolvedContextWindowTriggerOptions {
/**
 * The share of the window, in percent, at which the trigger fires.
 */
percent: number
}

/**
 * Fires above a number of messages.
 */
export interface MessagesTriggerOptions {
/**
 * Fires when the transcript has more than this many messages.
 */
max: number
}

/**
 * Fires above a number of messages.
 */
export interface ResolvedMessagesTriggerOptions {
/**
 * Fires when the transcript has more than this many messages.
 */
max: number
}

/**
 * Never fires.
 */
export interface NeverTriggerOptions {

}

/**
 * Never fires.
 */
export interface ResolvedNeverTriggerOptions {

}

/**
 * Fires above a number of tokens.
 */
export interface TokensTriggerOptions {
/**
 * Fires when the transcript has more than this many tokens.
 */
max: number
}

/**
 * Fires above a number of tokens.
 */
export interface ResolvedTokensTriggerOptions {
/**
 * Fires when the transcript has more than this many tokens.
 */
max: number
}

/**
 * Fires above a number of turns; a turn starts at a user message.
 */
export interface TurnsTriggerOptions {
/**
 * Fires when the transcript has more than this many turns.
 */
max: number
}

/**
 * Fires above a number of turns; a turn starts at a user message.
 */
export interface ResolvedTurnsTriggerOptions {
/**
 * Fires when the transcript has more than this many turns.
 */
max: number
}

/**
 * Weighs classes of characters; needs no tokenizer.
 */
export interface HeuristicCounterOptions {

}

/**
 * Weighs classes of characters; needs no tokenizer.
 */
export interface ResolvedHeuristicCounterOptions {

}

/**
 * Counts exactly as the o200k tokenizer does; needs the package gpt-tokenizer.
 */
export interface O200KCounterOptions {

}

/**
 * Counts exactly as the o200k tokenizer does; needs the package gpt-tokenizer.
 */
export interface ResolvedO200KCounterOptions {

}

/**
 * Divides characters (code points) by a ratio and adds a constant for each message.
 */
export interface RatioCounterOptions {
/**
 * Figures for a family of models; the other options win over it.
 */
preset?: ("openai" | "anthropic" | "gemini" | "local")
/**
 * Characters for one token; 4 without a preset.
 */
charsPerToken?: number
/**
 * Tokens added for each message; 4 without a preset.
 */
perMessage?: number
}

/**
 * Divides characters (code points) by a ratio and adds a constant for each message.
 */
export interface ResolvedRatioCounterOptions {
/**
 * Figures for a family of models; the other options win over it.
 */
preset?: ("openai" | "anthropic" | "gemini" | "local")
/**
 * Characters for one token; 4 without a preset.
 */
charsPerToken?: number
/**
 * Tokens added for each message; 4 without a preset.
 */
perMessage?: number
}

/** Options by name of every strategy; a plugin package adds its own by declaration merging. */
export interface StrategyOptions {
	"clear-tool-results": ClearToolResultsStrategyOptions;
	"drop-failed-tool-results": DropFailedToolResultsStrategyOptions;
	"drop-reasoning": DropReasoningStrategyOptions;
	"drop-tool-calls": DropToolCallsStrategyOptions;
	"fallback": FallbackStrategyOptions;
	"keep-recent": KeepRecentStrategyOptions;
	"pipeline": PipelineStrategyOptions;
	"structured": StructuredStrategyOptions;
	"summarize-older": SummarizeOlderStrategyOptions;
	"truncate-tool-results": TruncateToolResultsStrategyOptions;
}
/** A strategy as a config writes it. */
export type StrategyUse = { [Name in keyof StrategyOptions]: { use: Name } & StrategyOptions[Name] }[keyof StrategyOptions];
/** Options by name of every backend; a plugin package adds its own by declaration merging. */
export interface BackendOptions {
	"ai-sdk": AiSdkBackendOptions;
	"extractive": ExtractiveBackendOptions;
	"http": HttpBackendOptions;
}
/** A backend as a config writes it. */
export type BackendUse = { [Name in keyof BackendOptions]: { use: Name } & BackendOptions[Name] }[keyof BackendOptions];
/** Options by name of every trigger; a plugin package adds its own by declaration merging. */
export interface TriggerOptions {
	"all": AllTriggerOptions;
	"any": AnyTriggerOptions;
	"context-window": ContextWindowTriggerOptions;
	"messages": MessagesTriggerOptions;
	"never": NeverTriggerOptions;
	"tokens": TokensTriggerOptions;
	"turns": TurnsTriggerOptions;
}
/** A trigger as a config writes it. */
export type TriggerUse = { [Name in keyof TriggerOptions]: { use: Name } & TriggerOptions[Name] }[keyof TriggerOptions];
/** Options by name of every counter; a plugin package adds its own by declaration merging. */
export interface CounterOptions {
	"heuristic": HeuristicCounterOptions;
	"o200k": O200KCounterOptions;
	"ratio": RatioCounterOptions;
}
/** A counter as a config writes it. */
export type CounterUse = { [Name in keyof CounterOptions]: { use: Name } & CounterOptions[Name] }[keyof CounterOptions];
/**
 * How transcripts are compacted: precis.config.json.
 */
export interface Config {
/**
 * Where an editor finds the JSON Schema of this file.
 */
$schema?: string
/**
 * Packages, paths relative to this file, or file: URLs of the plugins to load.
 */
plugins?: string[]
/**
 * Templates of one's own, by name.
 */
templates?: {
/**
 * The sections and the header of a structured summary.
 */
[k: string]: {
/**
 * The template that this one starts from: its header unless one is given, and its sections before the ones given here.
 */
extends?: string
/**
 * The text above the sections, emitted verbatim; it may be empty.
 */
header?: string
/**
 * The sections in their order; canonical ones by id alone.
 * 
 * @minItems 1
 */
sections?: (("key_facts" | "decisions" | "pending_tasks" | "open_questions") | {
/**
 * The snake_case name under which consumers find the section.
 */
id: string
/**
 * The heading text, in any language.
 */
title: string
/**
 * One sentence that tells the model what belongs here.
 */
purpose: string
/**
 * Other headings and JSON keys that mean this section.
 */
aliases?: string[]
/**
 * How many entries are kept at most; 50 where absent.
 */
maxItems?: number
})[]
}
}
/**
 * How tokens are counted and how many there are.
 */
tokens?: {
/**
 * The counter, by name or with options.
 */
counter?: (string | CounterUse)
/**
 * The model whose window holds the transcript, as "provider/model".
 */
model?: string
/**
 * The size of the context window in tokens; absent means what the model is known to have, 200000 with no model named.
 */
window?: number
/**
 * Tokens of tools and instructions that are sent beside the transcript.
 */
overheadTokens?: number
}
trigger?: TriggerUse
/**
 * The size that a pass aims at; absent means 0.7 of the smallest token threshold in the trigger, else 0.56 of the window.
 */
target?: ({
/**
 * Share of the window in percent.
 */
percent: number
} | {
/**
 * A number of tokens.
 */
tokens: number
})
/**
 * What is evicted: one strategy, or a list that runs as a pipeline.
 */
strategy: (StrategyUse | StrategyUse[])
/**
 * How a summary is made: one backend, a fallback chain, or null for none. Absent means extractive.
 */
backend?: (null | BackendUse | BackendUse[])
/**
 * The share of what was over target that a pass must win; less is unchanged.
 */
minProgress?: number
}

/**
 * A structured summary, as `precis parse` writes it.
 */
export interface SummaryFile {
/**
 * The version of this shape.
 */
version?: 1
/**
 * Entries by section id.
 */
sections: {
[k: string]: string[]
}
/**
 * What the sections were read from.
 */
source?: ("json" | "headings" | "raw" | "backend")
}

/**
 * The whole result of a pass, as `precis compact --json` writes it.
 */
export interface ResultFile {
/**
 * The version of this shape.
 */
version: 1
/**
 * Whether the transcript changed.
 */
status: ("compacted" | "unchanged")
/**
 * Why nothing changed.
 */
unchanged?: ("not-needed" | "nothing-to-evict" | "no-progress")
/**
 * Why the pass ran.
 */
reason?: {
/**
 * The trigger's name.
 */
trigger: string
/**
 * A sentence with figures.
 */
detail: string
}
/**
 * The transcript after the pass.
 */
messages: {

}[]
/**
 * Input messages removed or rewritten.
 */
replaced: number
/**
 * The originals of all of them, in order.
 */
evicted: {

}[]
/**
 * Where each output message comes from, as input indices.
 */
provenance: ({
kept: number
} | {
rewritten: number
} | {
summaryOf: number[]
})[]
/**
 * The summary that was inserted.
 */
summary?: {
/**
 * The rendered summary.
 */
text: string
/**
 * Entries by section id.
 */
sections: {
[k: string]: string[]
}
/**
 * What the sections were read from.
 */
source: ("json" | "headings" | "raw" | "backend")
/**
 * Rescue calls made.
 */
retries: number
/**
 * Whether it was cut to its budget.
 */
trimmed: boolean
/**
 * Whether it is the stub.
 */
empty: boolean
}
/**
 * Sizes in tokens.
 */
tokens: {
before: number
after: number
target: number
summaryBudget?: number
}
/**
 * What the model calls cost.
 */
usage: {
calls: number
inputTokens?: number
outputTokens?: number
costUSD?: number
}
/**
 * What was done to which messages and why.
 */
log: {
step: string
edit: string
messages: number[]
tokens: number
why: string
}[]
/**
 * What the backend said about the pass.
 */
metadata: {

}
}

