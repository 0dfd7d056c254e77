import type { Fault, SummaryJob } from "./job.ts";
import { Spending } from "./spending.ts";

/** Each fault as the predicate of a sentence. */
export const FAULT_WORDS: Readonly<Record<Fault, string>> = {
	blank: "blank",
	malformed: "without the headings",
	"over-budget": "over budget",
	"cut-off": "cut off at the output limit",
	empty: "empty in all sections",
	unstructured: "not structured",
	error: "an error",
};

/** What happened on the way to one summary: calls, faults and notes, told to the host as they happen. */
export class Trail {
	readonly spending: Spending = new Spending();
	readonly notes: string[] = [];
	readonly faults: Fault[] = [];
	retries = 0;
	readonly #emit: SummaryJob["emit"];

	constructor(emit: SummaryJob["emit"]) {
		this.#emit = emit;
	}

	/** A model is about to be called. */
	call(backend: string, subject: string, fault: Fault | undefined): void {
		this.#emit({
			name: "precis.compaction.call",
			backend,
			subject,
			...(fault === undefined ? {} : { fault }),
		});
	}

	/** An answer had a fault, and a second one is asked for. */
	rescue(backend: string, fault: Fault): void {
		this.faults.push(fault);
		this.retries += 1;
		this.note(`the first answer of "${backend}" was ${FAULT_WORDS[fault]}, so that it was asked once more`);
	}

	note(note: string): void {
		this.notes.push(note);
	}

	/** A backend's own words, kept once however many calls repeat them. */
	said(backend: string, words: string): void {
		const note = `"${backend}" says: ${words}`;
		if (!this.notes.includes(note)) this.note(note);
	}

	/** A backend of the chain failed. */
	failed(backend: string, code: string, message: string): void {
		this.note(`the backend "${backend}" failed with ${code}: ${message}`);
		this.#emit({ name: "precis.compaction.backend.failed", backend, code, message });
	}
}
