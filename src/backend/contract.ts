import type { Sections, Template } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";

/** Why a pass runs. */
export interface CompactionReason {
	readonly trigger: string;
	readonly detail: string;
}

/** Words of the host that reach the prompt. */
export interface Guidance {
	readonly instructions?: string;
	readonly context?: readonly string[];
}

/** A summary of an earlier pass, to be folded into the new one. */
export interface PreviousSummary {
	readonly text: string;
	readonly sections: Sections;
}

/** What a backend is asked for. */
export interface SummaryRequest {
	/** The messages to be replaced, in order; the previous summary is not among them. */
	readonly messages: readonly Message[];
	/** The same, rendered to bounded text. */
	readonly transcript: string;
	readonly template: Template;
	/** The most tokens that the inserted message may have. */
	readonly budgetTokens: number;
	readonly reason: CompactionReason;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly guidance: Guidance;
	readonly previousSummary?: PreviousSummary;
}

/** What a backend may use while it works. */
export interface BackendContext {
	readonly signal: AbortSignal;
	/** Tokens of a text, by the compactor's own counter. */
	countTokens(text: string): number;
	/** Reports to the host's `onEvent`. */
	emit(event: BackendEvent): void;
}

/** An event of a backend's own; its name is prefixed with the backend's. */
export interface BackendEvent {
	readonly name: string;
	readonly [field: string]: unknown;
}

/** What model calls cost. */
export interface Usage {
	readonly calls?: number;
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly costUSD?: number;
}

interface AnswerExtras {
	readonly usage?: Usage;
	readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What `summarize` answers: exactly one of messages, sections and text. */
export type BackendAnswer =
	| ({ readonly messages: readonly Message[] } & AnswerExtras)
	| ({ readonly sections: Sections } & AnswerExtras)
	| ({ readonly text: string } & AnswerExtras);

/** One model call. */
export interface GenerateRequest {
	readonly system: string;
	readonly prompt: string;
	readonly maxOutputTokens: number;
	readonly signal: AbortSignal;
	/** The JSON Schema of the answer, for a backend that is `structured`; absent on other calls. */
	readonly schema?: Readonly<Record<string, unknown>>;
}

/** What a model call gives. A refusal is `finishReason: "content-filter"`, a cut-off `"length"`. */
export interface GenerateAnswer {
	readonly text: string;
	readonly finishReason?: string;
	readonly usage?: Usage;
	/** What did not go as asked, for the result's log: an option that the model ignores, say. */
	readonly notes?: readonly string[];
}

/** What a backend's model can take, in tokens; absent figures are unknown. */
export interface BackendLimits {
	/** Prompt and answer together. */
	readonly windowTokens?: number;
	readonly maxOutputTokens?: number;
}

/** A backend that does the whole job. */
export interface SummarizingBackend {
	summarize(request: SummaryRequest, context: BackendContext): Promise<BackendAnswer>;
	generate?: undefined;
	readonly timeoutMs?: number;
	readonly limits?: BackendLimits;
}

/** A backend that only calls a model; prompt, parse, rescue, render and trim are précis's own. */
export interface GeneratingBackend {
	generate(request: GenerateRequest): Promise<GenerateAnswer>;
	summarize?: undefined;
	/** Whether `generate` takes a `schema`. */
	readonly structured?: boolean;
	/** Milliseconds for one call. */
	readonly timeoutMs?: number;
	readonly limits?: BackendLimits;
}

export type Backend = SummarizingBackend | GeneratingBackend;
