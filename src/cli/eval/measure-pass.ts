import { performance } from "node:perf_hooks";
import type { Message } from "../../core/transcript/message.ts";
import { isCompactionError } from "../../errors/compaction-error.ts";
import type { Compactor } from "../../flow/create-compactor.ts";
import type { CompactionResult, PassUsage } from "../../result/compaction-result.ts";
import { findFaults } from "./find-faults.ts";
import type { IdentifierReader } from "./identifier-reader.ts";

/** A transcript that is cut and measured. */
export interface Subject {
	readonly file: string;
	readonly messages: CompactionResult["messages"];
	/** A copy that no pass ever sees. */
	readonly copy: readonly Message[];
	readonly reader: IdentifierReader;
	readonly cuts: readonly number[];
}

/** The share of the evicted tokens that the summary may have, or the config's own budget. */
export type Budget = number | "own";

/** What one pass came to. Tokens are the config's own counter's. */
export interface Measurement {
	readonly file: string;
	/** How many messages were compacted; the others come after. */
	readonly cut: number;
	readonly budget: Budget;
	readonly status: "compacted" | "unchanged" | "too-small" | "failed";
	/** Why it failed. */
	readonly error?: { readonly code: string; readonly message: string };
	readonly milliseconds: number;
	readonly usage: PassUsage;
	/** Tokens; `evicted` as planned, `summaryBudget` as given to the summary. */
	readonly tokens: {
		readonly before: number;
		readonly after: number;
		readonly evicted: number;
		readonly summary: number;
		readonly summaryBudget?: number;
	};
	/** How many identifiers later work needed, and which of them were lost. */
	readonly needed: number;
	readonly missed: readonly string[];
	/** What is not as it must be. */
	readonly faults: readonly string[];
}

/** One pass to be measured. */
export interface PassOrder {
	readonly compactor: Compactor;
	/** Whether no call can cost anything. */
	readonly isFree: boolean;
	readonly subject: Subject;
	readonly cut: number;
	readonly budget: Budget;
	/** As planned. */
	readonly evictedTokens: number;
	readonly targetTokens: number;
	readonly signal: AbortSignal;
}

function millisecondsSince(start: number): number {
	return Number((performance.now() - start).toFixed(3));
}

/** Faults of the config rather than of a pass: no other pass would fare better. */
const FATAL: ReadonlySet<string> = new Set([
	"CANCELLED",
	"CONFIG_INVALID",
	"MISSING_BACKEND",
	"PLUGIN_CONFLICT",
	"PLUGIN_NOT_FOUND",
	"TRANSCRIPT_INVALID",
]);

/**
 * Compacts what stands before a cut and looks at what comes after it. A pass that fails is a measurement too.
 * @throws CompactionError where the config is at fault or the user interrupts
 */
export async function measurePass(order: PassOrder): Promise<Measurement> {
	const { compactor, isFree, subject, cut, budget, evictedTokens, targetTokens, signal } = order;
	const head = subject.messages.slice(0, cut);
	const common = { file: subject.file, cut, budget };
	const start = performance.now();
	let result: CompactionResult;
	try {
		result = await compactor.compact(head, { signal, targetTokens });
	} catch (error) {
		if (!isCompactionError(error) || FATAL.has(error.code)) throw error;
		const before = compactor.countTokens(head);
		const isTooSmall = error.code === "BUDGET_TOO_SMALL";
		return {
			...common,
			status: isTooSmall ? "too-small" : "failed",
			error: { code: error.code, message: error.message },
			milliseconds: millisecondsSince(start),
			usage: { calls: 0 },
			tokens: { before, after: before, evicted: evictedTokens, summary: 0 },
			needed: 0,
			missed: [],
			faults: [],
		};
	}
	const milliseconds = millisecondsSince(start);
	const pick = (isWanted: (from: CompactionResult["provenance"][number]) => boolean): typeof head =>
		result.messages.filter((_, index) => {
			const from = result.provenance[index];
			return from !== undefined && isWanted(from);
		});
	const { needed, missed } = subject.reader.recall(
		result.evicted,
		pick((from) => "kept" in from),
		pick((from) => !("kept" in from)),
		subject.messages.slice(cut),
	);
	const { before, after, summaryBudget } = result.tokens;
	return {
		...common,
		status: result.status,
		milliseconds,
		usage: isFree ? { costUSD: 0, ...result.usage } : result.usage,
		tokens: {
			before,
			after,
			evicted: evictedTokens,
			summary: compactor.countTokens(pick((from) => "summaryOf" in from)) - compactor.countTokens([]),
			...(summaryBudget === undefined ? {} : { summaryBudget }),
		},
		needed: needed.length,
		missed,
		faults: findFaults(subject.copy.slice(0, cut), result),
	};
}
