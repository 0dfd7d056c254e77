import { CUT_MARK } from "../core/render/fixed-lines.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { throwIfCancelled } from "./ask.ts";
import type { Committed } from "./commit-candidate.ts";
import { mostTokens, type NamedBackend, type SummaryJob, type SummaryOutcome } from "./job.ts";
import { summarizeByModel } from "./model-summary.ts";
import { Trail } from "./trail.ts";
import { summarizeWhole, type WholeSummary } from "./whole-summary.ts";

/** @throws CompactionError BUDGET_TOO_SMALL where not even an empty summary that says that it was cut would fit */
function requireBudget(job: SummaryJob): void {
	const { template } = job.request;
	const budgetTokens = mostTokens(job);
	const least = job.measure(`${template.header}${CUT_MARK}`);
	if (least <= budgetTokens) return;
	throw new CompactionError(
		"BUDGET_TOO_SMALL",
		`Cannot summarize: the header of the template "${template.name}" takes ${least} tokens, and the summary may have ${budgetTokens}. Raise summaryTokens or the target.`,
	);
}

async function make({ name, backend }: NamedBackend, job: SummaryJob, trail: Trail): Promise<WholeSummary> {
	if (typeof backend.summarize === "function") return summarizeWhole(name, backend, job, trail);
	if (typeof backend.generate === "function")
		return { committed: await summarizeByModel(name, backend, job, trail), metadata: {} };
	throw new CompactionError(
		"PLUGIN_INVALID",
		`Cannot summarize: the backend "${name}" has neither summarize nor generate.`,
	);
}

function outcomeOf(committed: Committed, metadata: WholeSummary["metadata"], trail: Trail): SummaryOutcome {
	return {
		...committed,
		retries: trail.retries,
		usage: trail.spending.total,
		metadata,
		notes: trail.notes,
		faults: trail.faults,
	};
}

/** The failures of a whole chain as one error, with the last one's code. */
function chainError(failures: readonly (readonly [name: string, error: CompactionError])[]): CompactionError {
	const last = failures.at(-1)?.[1];
	if (last === undefined) {
		return new CompactionError("MISSING_BACKEND", "Cannot summarize: no backend is configured.");
	}
	if (failures.length === 1) return last;
	const all = failures.map(([name, { code, message }]) => `"${name}": ${code}: ${message}`).join("; ");
	return new CompactionError(last.code, `Cannot summarize: all ${failures.length} backends failed: ${all}`, {
		cause: last,
		retryable: failures.some(([, { retryable }]) => retryable),
	});
}

/**
 * Turns evicted messages into the summary to commit, by the first backend that does not fail. At most two model
 * calls a backend, unless the messages are too large for its window; the best answer seen, never over budget.
 * @throws CompactionError CANCELLED, which ends the chain; BUDGET_TOO_SMALL before any call where nothing could
 * fit; else what the backends failed with
 */
export async function makeSummary(
	backends: readonly NamedBackend[],
	job: SummaryJob,
): Promise<SummaryOutcome> {
	throwIfCancelled(job.signal);
	requireBudget(job);
	const trail = new Trail(job.emit);
	const failures: (readonly [string, CompactionError])[] = [];
	for (const named of backends) {
		try {
			const { committed, metadata } = await make(named, job, trail);
			throwIfCancelled(job.signal);
			return outcomeOf(committed, metadata, trail);
		} catch (error) {
			// Anything else is a fault of ours, which no other backend mends.
			if (!isCompactionError(error) || error.code === "CANCELLED") throw error;
			failures.push([named.name, error]);
			trail.failed(named.name, error.code, error.message);
		}
	}
	job.spent?.(trail.spending.total);
	throw chainError(failures);
}
