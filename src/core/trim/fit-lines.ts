import { CUT_MARK } from "../render/fixed-lines.ts";
import { cutText, LEAST_CHARACTERS } from "./cut-text.ts";
import { estimateLines, type LineEstimates } from "./estimate-lines.ts";

/** A text that may be cut. */
export interface Cuttable {
	readonly lines: readonly string[];
	/** The line counts that may be kept, ascending: never so that a heading or a blank line comes last. */
	readonly cuts: readonly number[];
	/**
	 * What is cut within its lines where no cut fits: the lines from `start` to before `end`, of whose first one the
	 * characters before `from` are marks.
	 */
	readonly first: { readonly start: number; readonly end: number; readonly from: number } | undefined;
}

/** A text within its budget. */
export interface Fitted {
	readonly text: string;
	/** How many whole lines are left; all of them where nothing was cut. */
	readonly kept: number;
	/** What is left of the first lines where they were cut within, with its ellipsis and without its marks. */
	readonly rest?: string;
	readonly trimmed: boolean;
}

const ROUNDS = 3;

/** The search for the longest text that fits: each round measures one candidate. */
class Search {
	private readonly source: Cuttable;
	private readonly budget: number;
	private readonly countTokens: (text: string) => number;
	private rounds = ROUNDS;
	private best: Fitted | undefined;

	constructor(source: Cuttable, budget: number, countTokens: (text: string) => number) {
		this.source = source;
		this.budget = budget;
		this.countTokens = countTokens;
	}

	run(): Fitted | undefined {
		const whole = this.source.lines.join("\n");
		const total = this.measure({ text: whole, kept: this.source.lines.length, trimmed: false });
		if (this.best !== undefined) return this.best;
		const estimates = estimateLines(this.source.lines, total, this.countTokens);
		const end = this.countTokens(CUT_MARK) - estimates.base;
		const room = this.budget - estimates.base - (Number.isFinite(end) ? end : 0);
		const cut = this.lastCut((lines) => this.sum(estimates, lines) <= room + 1e-9 * Math.abs(room));
		if (cut === -1) this.cutWithin(estimates, room);
		else this.cutBetween(estimates, cut, room);
		return this.best;
	}

	/** Measures a candidate; it is the best so far where it fits. */
	private measure(candidate: Fitted): number {
		this.rounds -= 1;
		const tokens = this.countTokens(candidate.text);
		if (tokens <= this.budget) this.best = candidate;
		return tokens;
	}

	private sum(estimates: LineEstimates, lines: number): number {
		return estimates.sums[lines] ?? 0;
	}

	/** The last cut that a condition holds for, which no longer holds for any later one; -1 for none. */
	private lastCut(holds: (lines: number) => boolean): number {
		const { cuts } = this.source;
		let low = 0;
		let high = cuts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (holds(cuts[middle] ?? 0)) low = middle + 1;
			else high = middle;
		}
		return low - 1;
	}

	private measureCut(cut: number): number {
		const kept = this.source.cuts[cut] ?? 0;
		return this.measure({
			text: this.source.lines.slice(0, kept).join("\n") + CUT_MARK,
			kept,
			trimmed: true,
		});
	}

	/** The candidate that the estimates name, then the one that its measure corrects them to. */
	private cutBetween(estimates: LineEstimates, cut: number, room: number): void {
		const { cuts } = this.source;
		const sum = this.sum(estimates, cuts[cut] ?? 0);
		const measured = this.measureCut(cut);
		if (this.best !== undefined) {
			const more = this.lastCut((lines) => this.sum(estimates, lines) - sum <= this.budget - measured);
			const next = Math.max(cut + 1, more);
			// Where the whole was too much, the last cut is, too, with the marker below it.
			if (next < cuts.length) this.measureCut(next);
			return;
		}
		const excess = measured - this.budget;
		// A counter that grows slower than its text, by as much as a square root, needs a longer step back.
		const ratio = (this.budget - estimates.base) / Math.max(measured - estimates.base, Number.EPSILON);
		const most = measured > 1.1 * (sum + this.budget - room) ? sum * ratio * ratio : sum;
		const less = this.lastCut((lines) => {
			const kept = this.sum(estimates, lines);
			return kept <= most && (sum - kept) * 0.97 >= excess;
		});
		if (less >= 0 && less < cut) this.measureCut(less);
		else this.cutWithin(estimates, room - Math.max(0, excess));
	}

	/** Not one entry fits whole: what fits of the first. */
	private cutWithin(estimates: LineEstimates, room: number): void {
		const { first, lines } = this.source;
		if (first === undefined || !Number.isFinite(room)) return;
		const text = lines.slice(first.start, first.end).join("\n").slice(first.from);
		const head = this.sum(estimates, first.start);
		const tokens = Math.max(this.sum(estimates, first.end) - head, Number.EPSILON);
		const perToken = text.length / tokens;
		let length = Math.floor(Math.min((room - head) * perToken - 1, text.length - 1));
		while (this.rounds > 0) {
			const measured = this.measureWithin(text, Math.max(length, LEAST_CHARACTERS + 1));
			if (measured === undefined) return;
			const spare = this.budget - measured;
			if (spare < 0) {
				if (length <= LEAST_CHARACTERS + 1) return;
				length += Math.floor(spare * perToken * 1.1) - 1;
			} else {
				const longer = Math.floor(Math.min(length + spare * perToken * 0.95, text.length - 1));
				if (!(longer > length + 10)) return;
				length = longer;
			}
		}
	}

	private measureWithin(text: string, length: number): number | undefined {
		const { first, lines } = this.source;
		const rest = cutText(text, length);
		if (first === undefined || rest === undefined) return undefined;
		const marks = (lines[first.start] ?? "").slice(0, first.from);
		const head = [...lines.slice(0, first.start), marks + rest].join("\n");
		return this.measure({ text: head + CUT_MARK, kept: first.start, rest, trimmed: true });
	}
}

/**
 * The longest text within a budget that leading whole lines make, with the marker below them; within three rounds,
 * each of which measures one candidate: the whole, the one that the lines' own counts name, and the one that its
 * measure corrects them to. Undefined where no candidate fits.
 */
export function fitLines(
	source: Cuttable,
	budget: number,
	countTokens: (text: string) => number,
): Fitted | undefined {
	return new Search(source, budget, countTokens).run();
}
