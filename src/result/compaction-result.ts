import type { ModelMessage } from "ai";
import type { CompactionReason } from "../backend/contract.ts";
import type { Provenance } from "../core/edits/edit.ts";

/** The summary that a pass inserted. */
export interface CommittedSummary {
	/** The render: header, sections, entries. */
	readonly text: string;
	/** Entries by section id. */
	readonly sections: Readonly<Record<string, readonly string[]>>;
	readonly source: "json" | "headings" | "raw" | "backend";
	/** Rescue calls made. */
	readonly retries: number;
	/** Whether it was cut to its budget. */
	readonly trimmed: boolean;
	/** Whether it is the stub that stands for "nothing worth keeping". */
	readonly empty: boolean;
}

/** Sizes in tokens, by the compactor's own counter, overhead included. */
export interface TokenFigures {
	readonly before: number;
	readonly after: number;
	readonly target: number;
	/** The most that the inserted message was allowed to have. */
	readonly summaryBudget?: number;
}

/** What model calls cost, rescue calls and failed backends included. */
export interface PassUsage {
	readonly calls: number;
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly costUSD?: number;
}

/** One thing that was done, or could not be done, to messages of the input. */
export interface LogEntry {
	/** The strategy's name. */
	readonly step: string;
	readonly edit: "drop" | "replace" | "summarize" | "note" | "failed";
	/** Indices of the pass's input. */
	readonly messages: readonly number[];
	/** Tokens of those messages before the edit. */
	readonly tokens: number;
	readonly why: string;
}

/** What a pass gives. Nothing of the input was changed. */
export interface CompactionResult {
	readonly status: "compacted" | "unchanged";
	readonly unchanged?: "not-needed" | "nothing-to-evict" | "no-progress";
	readonly reason: CompactionReason;
	/** Kept messages are the very objects that came in. */
	readonly messages: ModelMessage[];
	/** Distinct input messages that were removed or rewritten. */
	readonly replaced: number;
	/** The originals of all of them, in order. */
	readonly evicted: ModelMessage[];
	/** One for each output message, with indices of the input. */
	readonly provenance: readonly Provenance[];
	readonly summary?: CommittedSummary;
	readonly tokens: TokenFigures;
	readonly usage: PassUsage;
	readonly log: readonly LogEntry[];
	readonly metadata: Readonly<Record<string, unknown>>;
	/**
	 * Puts this compaction on a transcript that has grown since: the same messages (the same objects, or equal
	 * ones), and more after them.
	 * @throws CompactionError TRANSCRIPT_INVALID where the transcript does not begin with the pass's input
	 */
	applyTo(messages: readonly ModelMessage[]): ModelMessage[];
}

/** What a pass would do, found without any backend call. */
export interface CompactionPlan {
	readonly reason: CompactionReason;
	/** Indices of the input that stay as they are. */
	readonly kept: readonly number[];
	/** Indices that stay in another form. */
	readonly rewritten: readonly number[];
	/** Indices that would be summarized. */
	readonly summarized: readonly number[];
	/** Indices that would be dropped. */
	readonly dropped: readonly number[];
	/** One for each output message. */
	readonly provenance: readonly Provenance[];
	/** `after` counts the summary at its full budget. */
	readonly tokens: TokenFigures & { readonly kept: number; readonly evicted: number };
	readonly usage: PassUsage;
	readonly log: readonly LogEntry[];
}
