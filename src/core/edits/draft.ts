import type { Message } from "../transcript/message.ts";
import { findUnits, type Units } from "../transcript/units.ts";
import type { Provenance } from "./edit.ts";

/**
 * A transcript under work, and where its messages come from; never changed once made. In columns: a pass over 100 000
 * messages would otherwise spend most of its time on making objects for those that stay as they are.
 */
export class Draft {
	readonly messages: readonly Message[];
	/**
	 * For each message what it keeps from draft to draft: the index of the input message that it is or was made
	 * from, or -1 - n for the inserted summary number n.
	 */
	readonly source: Int32Array;
	/** For each message 1 where it is another than the input's. */
	readonly isRewritten: Uint8Array;
	/** For each inserted summary the input indices that it stands for, ascending. */
	readonly summaries: readonly (readonly number[])[];
	#units: Units | undefined;

	constructor(
		messages: readonly Message[],
		source: Int32Array,
		isRewritten: Uint8Array,
		summaries: readonly (readonly number[])[],
	) {
		this.messages = messages;
		this.source = source;
		this.isRewritten = isRewritten;
		this.summaries = summaries;
	}

	/** How the messages hang together; computed on first use. */
	get units(): Units {
		this.#units ??= findUnits(this.messages);
		return this.#units;
	}

	/** The input indices that the inserted summary at an index stands for. */
	summaryOf(index: number): readonly number[] {
		return this.summaries[-1 - (this.source[index] ?? 0)] ?? [];
	}

	/** The input indices that the messages at some indices stand for, in their order. */
	inputsOf(indices: readonly number[]): number[] {
		// Nearly always; and a list that need not grow costs a third.
		if (this.summaries.length === 0) return indices.map((index) => this.source[index] ?? 0);
		const inputs: number[] = [];
		for (const index of indices) {
			const source = this.source[index] ?? 0;
			if (source >= 0) inputs.push(source);
			else for (const input of this.summaryOf(index)) inputs.push(input);
		}
		return inputs;
	}

	/** Where each message comes from. */
	provenance(): Provenance[] {
		return this.messages.map((_, index) => {
			const source = this.source[index] ?? 0;
			if (source < 0) return { summaryOf: this.summaryOf(index) };
			return this.isRewritten[index] === 1 ? { rewritten: source } : { kept: source };
		});
	}
}

/** A draft in which every message is kept. */
export function startDraft(messages: readonly Message[]): Draft {
	const source = new Int32Array(messages.length);
	for (let index = 0; index < source.length; index += 1) source[index] = index;
	return new Draft(messages, source, new Uint8Array(messages.length), []);
}
