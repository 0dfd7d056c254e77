import type { PassUsage } from "../../result/compaction-result.ts";
import type { Budget, Measurement } from "./measure-pass.ts";

/** What a config came to at one budget, over all transcripts and cuts. */
export interface Tally {
	readonly budget: Budget;
	readonly passes: number;
	readonly compacted: number;
	readonly unchanged: number;
	/** Passes whose budget could hold no summary; no call was made. */
	readonly tooSmall: number;
	readonly failed: number;
	/** Identifiers that later work needed, and how many of them the output still has. */
	readonly identifiers: { readonly needed: number; readonly kept: number; readonly recall: number | null };
	/** Sums over the passes that ran to their end; `saved` is a share of `before`. */
	readonly tokens: {
		readonly before: number;
		readonly after: number;
		readonly saved: number | null;
		readonly evicted: number;
		readonly summary: number;
	};
	/** Passes that ran to their end and broke nothing. */
	readonly valid: number;
	/** Of one pass. */
	readonly milliseconds: { readonly median: number | null; readonly most: number | null };
	/** Sums; the cost is null where a price is unknown. */
	readonly usage: {
		readonly calls: number;
		readonly inputTokens: number;
		readonly outputTokens: number;
		readonly costUSD: number | null;
	};
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}

function medianOf(sorted: readonly number[]): number | null {
	const middle = (sorted.length - 1) / 2;
	const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	return low === undefined || high === undefined ? null : (low + high) / 2;
}

function costOf(usages: readonly PassUsage[]): number | null {
	const paid = usages.filter(({ calls }) => calls > 0);
	return paid.some(({ costUSD }) => costUSD === undefined) ? null : sum(paid, ({ costUSD }) => costUSD ?? 0);
}

/** Whether a pass ran to its end, whatever it came to. */
export function isDone({ status }: Measurement): boolean {
	return status === "compacted" || status === "unchanged";
}

/** Adds up the measurements of one config at one budget. */
export function tally(budget: Budget, measurements: readonly Measurement[]): Tally {
	const done = measurements.filter(isDone);
	const count = (status: Measurement["status"]): number =>
		measurements.filter((measurement) => measurement.status === status).length;
	const needed = sum(done, (measurement) => measurement.needed);
	const kept = needed - sum(done, ({ missed }) => missed.length);
	const before = sum(done, ({ tokens }) => tokens.before);
	const after = sum(done, ({ tokens }) => tokens.after);
	const times = done.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
	const usages = measurements.map(({ usage }) => usage);
	return {
		budget,
		passes: measurements.length,
		compacted: count("compacted"),
		unchanged: count("unchanged"),
		tooSmall: count("too-small"),
		failed: count("failed"),
		identifiers: { needed, kept, recall: share(kept, needed) },
		tokens: {
			before,
			after,
			saved: share(before - after, before),
			evicted: sum(done, ({ tokens }) => tokens.evicted),
			summary: sum(done, ({ tokens }) => tokens.summary),
		},
		valid: done.filter(({ faults }) => faults.length === 0).length,
		milliseconds: { median: medianOf(times), most: times.at(-1) ?? null },
		usage: {
			calls: sum(usages, ({ calls }) => calls),
			inputTokens: sum(usages, ({ inputTokens = 0 }) => inputTokens),
			outputTokens: sum(usages, ({ outputTokens = 0 }) => outputTokens),
			costUSD: costOf(usages),
		},
	};
}

/** The tallies of one config, in the order of the budgets asked for; "own" last where nobody asked for it. */
export function tallies(budgets: readonly Budget[], measurements: readonly Measurement[]): readonly Tally[] {
	const all: readonly Budget[] = [...new Set<Budget>([...budgets, "own"])];
	return all.flatMap((budget) => {
		const found = measurements.filter((measurement) => measurement.budget === budget);
		return found.length === 0 ? [] : tally(budget, found);
	});
}
