import type { Usage } from "./contract.ts";
import type { SummaryOutcome } from "./job.ts";

function figure(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
	return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

/** Adds up what the calls of one summary cost; a figure that nobody reported stays absent. */
export class Spending {
	#calls = 0;
	#inputTokens: number | undefined;
	#outputTokens: number | undefined;
	#costUSD: number | undefined;

	/** Adds so many calls, and what they reported; figures that are no numbers are left out. */
	add(calls: number, usage: Usage | undefined): void {
		this.#calls += calls;
		this.#inputTokens = sum(this.#inputTokens, figure(usage?.inputTokens));
		this.#outputTokens = sum(this.#outputTokens, figure(usage?.outputTokens));
		this.#costUSD = sum(this.#costUSD, figure(usage?.costUSD));
	}

	get total(): SummaryOutcome["usage"] {
		return {
			calls: this.#calls,
			...(this.#inputTokens === undefined ? {} : { inputTokens: this.#inputTokens }),
			...(this.#outputTokens === undefined ? {} : { outputTokens: this.#outputTokens }),
			...(this.#costUSD === undefined ? {} : { costUSD: this.#costUSD }),
		};
	}
}
