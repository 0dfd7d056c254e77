import { CompactionError } from "../errors/compaction-error.ts";

/** Waits for a promise, or for a signal, whichever is first. @throws the signal's reason */
export async function orAborted<Value>(
	promise: Promise<Value>,
	signal: AbortSignal | undefined,
): Promise<Value> {
	if (signal === undefined) return promise;
	signal.throwIfAborted();
	let stop = (): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(signal.reason);
		signal.addEventListener("abort", stop, { once: true });
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** Work that several requests wait for and that is paid once: it ends early only when nobody waits any more. */
export class SharedPass<Value> {
	readonly #controller = new AbortController();
	readonly #done: Promise<Value>;
	#waiting = 0;
	#isOver = false;
	readonly #goesOnAlone: boolean;

	/** @param goesOnAlone whether it is to be finished though nobody waits */
	constructor(run: (signal: AbortSignal) => Promise<Value>, goesOnAlone = false) {
		this.#goesOnAlone = goesOnAlone;
		this.#done = run(this.#controller.signal);
		this.settled().then(() => {
			this.#isOver = true;
		});
	}

	/** @throws what the work throws, or the signal's reason */
	async wait(signal: AbortSignal | undefined): Promise<Value> {
		this.#waiting += 1;
		try {
			return await orAborted(this.#done, signal);
		} finally {
			this.#waiting -= 1;
			// A wait that was given up ends the work; one that came to its end does not.
			if (this.#waiting === 0 && !this.#goesOnAlone && signal?.aborted === true) this.stop();
		}
	}

	/** Settles with the work, and never rejects. */
	settled(): Promise<void> {
		return this.#done.then(
			() => undefined,
			() => undefined,
		);
	}

	/** Ends the work; without effect where it is over. */
	stop(): void {
		if (this.#isOver) return;
		this.#controller.abort(new CompactionError("CANCELLED", "Cannot compact: nobody waits for it any more."));
	}
}
