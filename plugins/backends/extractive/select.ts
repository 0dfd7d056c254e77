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

/**
 * Picks candidates so that together they cover as much as possible of what is worth covering within the budget;
 * each word counts less the more often it is covered already.
 * @returns the picked candidates' numbers, best first
 */
export function select(
	candidates: readonly Candidate[],
	weights: Float64Array,
	budget: number,
	exactCost: (candidate: number) => number,
): readonly number[] {
	const remaining = new Float64Array(weights.length).fill(1);
	const gain = (number: number): number => {
		const candidate = candidates[number];
		if (candidate === undefined) return 0;
		let sum = 0;
		for (const word of candidate.words) sum += (weights[word] ?? 0) * (remaining[word] ?? 1);
		return (sum * candidate.importance) / candidate.cost ** THRIFT;
	};
	const queue = new Queue(
		candidates.map((_, number) => gain(number)),
		budget,
	);
	const measured = new Uint8Array(candidates.length);
	const picked: number[] = [];
	let left = budget;
	let misses = 0;
	while (left > 3 && misses < MOST_MISSES) {
		const number = queue.pop();
		const candidate = number === undefined ? undefined : candidates[number];
		if (number === undefined || candidate === undefined) break;
		if (measured[number] === 0) {
			measured[number] = 1;
			candidate.cost = exactCost(number);
		}
		if (candidate.cost > left) {
			misses += 1;
			continue;
		}
		const now = gain(number);
		if (now < queue.best()) {
			queue.push(number, now);
			continue;
		}
		picked.push(number);
		left -= candidate.cost;
		misses = 0;
		for (const word of candidate.words) remaining[word] = (remaining[word] ?? 1) * REPEATED;
	}
	return picked;
}

/** Numbers by falling gain; equal gains by rising number. */
class Queue {
	readonly #heap: number[];
	readonly #gains: Float64Array;

	/** Only the best few are queued: so many that a budget cannot hold them. */
	constructor(gains: readonly number[], budget: number) {
		this.#gains = Float64Array.from(gains);
		const most = Math.max(2000, Math.floor(budget));
		let numbers = gains.map((_, number) => number).filter((number) => (gains[number] ?? 0) > 0);
		if (numbers.length > most) {
			numbers.sort((left, right) => (gains[right] ?? 0) - (gains[left] ?? 0) || left - right);
			numbers = numbers.slice(0, most);
		}
		this.#heap = numbers;
		for (let at = (numbers.length >> 1) - 1; at >= 0; at -= 1) this.#sink(at);
	}

	best(): number {
		return this.#gains[this.#heap[0] ?? -1] ?? 0;
	}

	pop(): number | undefined {
		const heap = this.#heap;
		const top = heap[0];
		const last = heap.pop();
		if (top === undefined || last === undefined) return undefined;
		if (heap.length > 0) {
			heap[0] = last;
			this.#sink(0);
		}
		return top;
	}

	push(number: number, gain: number): void {
		this.#gains[number] = gain;
		const heap = this.#heap;
		let at = heap.push(number) - 1;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!this.#before(heap[at] ?? 0, heap[parent] ?? 0)) break;
			this.#swap(at, parent);
			at = parent;
		}
	}

	#sink(from: number): void {
		const heap = this.#heap;
		let at = from;
		for (;;) {
			const left = 2 * at + 1;
			if (left >= heap.length) return;
			const right = left + 1;
			const child = right < heap.length && this.#before(heap[right] ?? 0, heap[left] ?? 0) ? right : left;
			if (!this.#before(heap[child] ?? 0, heap[at] ?? 0)) return;
			this.#swap(at, child);
			at = child;
		}
	}

	#swap(left: number, right: number): void {
		const heap = this.#heap;
		const kept = heap[left] ?? 0;
		heap[left] = heap[right] ?? 0;
		heap[right] = kept;
	}

	#before(left: number, right: number): boolean {
		const difference = (this.#gains[left] ?? 0) - (this.#gains[right] ?? 0);
		return difference > 0 || (difference === 0 && left < right);
	}
}
