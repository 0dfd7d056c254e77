import type { Sections } from "../core/template/template.ts";
import type { Backend, SummaryRequest } from "./contract.ts";

/** A backend with the name under which the config uses it, for messages and logs. */
export interface NamedBackend {
	readonly name: string;
	readonly backend: Backend;
}

/** The options of one summary, resolved. */
export interface SummaryJobOptions {
	readonly transcriptMaxTokens?: number;
	readonly parseOutput: boolean;
	readonly malformed: "raw" | "fail";
	readonly empty: "accept" | "fail";
}

/** One summary asked for. */
export interface SummaryJob {
	/** `transcript` is filled in by the backend room, from `messages`. */
	readonly request: Omit<SummaryRequest, "transcript">;
	readonly options: SummaryJobOptions;
	/**
	 * The most that the summary may measure, where that is more than it is asked to be: what is asked for leaves room
	 * for the ledger, and what was written all the same is not cut for it.
	 */
	readonly ceilingTokens?: number;
	/** Tokens of the whole message that would carry this render, by the compactor's own counter. */
	measure(render: string): number;
	/** Tokens of a text by the same counter. */
	countTokens(text: string): number;
	readonly signal: AbortSignal;
	/** Hears what was spent where no backend made the summary. */
	spent?(usage: SummaryOutcome["usage"]): void;
	/** Reports progress and backend events to the host. */
	emit(event: { readonly name: string; readonly [field: string]: unknown }): void;
}

/** The most tokens that the summary may measure. */
export function mostTokens({ ceilingTokens, request }: SummaryJob): number {
	return ceilingTokens ?? request.budgetTokens;
}

/** Why an answer was not taken at once. */
export type Fault = "blank" | "malformed" | "over-budget" | "cut-off" | "empty" | "unstructured" | "error";

/** The summary that is committed, and how it came about. */
export interface SummaryOutcome {
	/** The render, within budget when measured as a message. */
	readonly text: string;
	readonly sections: Sections;
	readonly source: "json" | "headings" | "raw" | "backend";
	/** Rescue calls made. */
	readonly retries: number;
	readonly trimmed: boolean;
	readonly empty: boolean;
	/** Whether the raw answer is carried as it is. */
	readonly degraded: boolean;
	readonly usage: {
		readonly calls: number;
		readonly inputTokens?: number;
		readonly outputTokens?: number;
		readonly costUSD?: number;
	};
	readonly metadata: Readonly<Record<string, unknown>>;
	/** One line for each thing that did not go straight: a fault, a failed backend, a shortened transcript. */
	readonly notes: readonly string[];
	/** The faults that led to rescue calls, in order. */
	readonly faults: readonly Fault[];
}
