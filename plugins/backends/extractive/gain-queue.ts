/** Numbers by falling gain; equal gains by rising number. */
export class GainQueue {
	readonly #heap: number[];
	readonly #gains: Float64Array;

	constructor(gains: Float64Array) {
		this.#gains = gains;
		this.#heap = [];
		for (let number = 0; number < gains.length; number += 1)
			if ((gains[number] ?? 0) > 0) this.#heap.push(number);
		for (let at = (this.#heap.length >> 1) - 1; at >= 0; at -= 1) this.#sink(at);
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
