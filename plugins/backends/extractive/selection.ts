import { GainQueue } from "./gain-queue.ts";

/** A candidate for the summary. */
export interface Candidate {
	/** The distinct words that count, by id. */
	readonly words: readonly number[];
	/** Who said it, when, and what it is, as one factor. */
	readonly importance: number;
	/** Estimated tokens; replaced by the exact figure when the candidate's turn comes. */
	cost: number;
}

/** What a second mention of a word still adds. */
const REPEATED = 0.25;
/** How much length counts against a candidate: 0 not at all, 1 in full. */
const THRIFT = 0.8;
/** Candidates that do not fit after which nothing else is tried. */
const MOST_MISSES = 150;

/** Candidates that are weighed anew after a pick; past that they are taken as they stand, so that alike ones end. */
const MOST_RECONSIDERED = 30_000;

/**
 * Picks candidates so that together they cover as much as possible of what is worth covering; each word counts less
 * the more often it is covered already. May be asked again when there is more room.
 */
export class Selection {
	/** The picked candidates' numbers, best first. */
	readonly picked: number[] = [];
	readonly #candidates: readonly Candidate[];
	readonly #weights: Float64Array;
	readonly #uncovered: Float64Array;
	readonly #exactCost: (candidate: number) => number;
	readonly #measured: Uint8Array;
	readonly #queue: GainQueue;
	#tooLong: number[] = [];
	#reconsidered = 0;

	constructor(
		candidates: readonly Candidate[],
		weights: Float64Array,
		exactCost: (candidate: number) => number,
	) {
		this.#candidates = candidates;
		this.#weights = weights;
		this.#uncovered = new Float64Array(weights.length).fill(1);
		this.#exactCost = exactCost;
		this.#measured = new Uint8Array(candidates.length);
		this.#queue = new GainQueue(Float64Array.from(candidates, (candidate) => this.#gain(candidate)));
	}

	/** The best candidate by itself, whatever its length. */
	get best(): number | undefined {
		return this.picked[0] ?? this.#tooLong[0];
	}

	/** Picks what fits these tokens. */
	pick(tokens: number): void {
		const queue = this.#queue;
		for (const number of this.#tooLong) queue.push(number, this.#gainOf(number));
		this.#tooLong = [];
		let left = tokens;
		while (left > 3 && this.#tooLong.length < MOST_MISSES) {
			const number = queue.pop();
			const candidate = number === undefined ? undefined : this.#candidates[number];
			if (number === undefined || candidate === undefined) break;
			if (this.#measured[number] === 0) {
				this.#measured[number] = 1;
				candidate.cost = this.#exactCost(number);
			}
			if (candidate.cost > left) {
				this.#tooLong.push(number);
				continue;
			}
			const gain = this.#gain(candidate);
			if (gain < queue.best() && this.#reconsidered < MOST_RECONSIDERED) {
				this.#reconsidered += 1;
				queue.push(number, gain);
				continue;
			}
			this.picked.push(number);
			left -= candidate.cost;
			for (const word of candidate.words) this.#uncovered[word] = (this.#uncovered[word] ?? 1) * REPEATED;
		}
	}

	#gainOf(number: number): number {
		const candidate = this.#candidates[number];
		return candidate === undefined ? 0 : this.#gain(candidate);
	}

	#gain(candidate: Candidate): number {
		let sum = 0;
		for (const word of candidate.words) sum += (this.#weights[word] ?? 0) * (this.#uncovered[word] ?? 1);
		return (sum * candidate.importance) / candidate.cost ** THRIFT;
	}
}
