import { CompactionError } from "../errors/compaction-error.ts";
import { wrapBackendError } from "./wrap-error.ts";

/** Milliseconds that one call may take where the backend does not say. */
export const DEFAULT_TIMEOUT = 120_000;
// A longer timer would fire at once.
const LONGEST_TIMER = 2_147_483_647;

/** One call of a backend. */
export interface Call<Answer> {
	/** The backend's name in the config, for messages. */
	readonly name: string;
	readonly timeoutMs: number | undefined;
	/** The caller's signal. */
	readonly signal: AbortSignal;
	/** Makes the call; its signal is aborted with the caller's, and at the deadline. */
	run(signal: AbortSignal): Answer | Promise<Answer>;
}

function cancelled(signal: AbortSignal): CompactionError {
	return new CompactionError("CANCELLED", "Cannot finish the summary: the pass was aborted.", {
		cause: signal.reason,
	});
}

/** @throws CompactionError CANCELLED if the signal is aborted */
export function throwIfCancelled(signal: AbortSignal): void {
	if (signal.aborted) throw cancelled(signal);
}

function deadlineOf(timeoutMs: number | undefined): number {
	if (timeoutMs === undefined || !(timeoutMs > 0)) return DEFAULT_TIMEOUT;
	return Math.min(timeoutMs, LONGEST_TIMER);
}

/**
 * Makes one call with a deadline. An abort or the deadline ends the wait at once, whatever the backend does with
 * its signal; nothing is called for a caller who has gone.
 * @throws CompactionError CANCELLED, TIMEOUT (retryable), BACKEND_FAILED with the provider's error as its cause,
 * or the backend's own
 */
export async function ask<Answer>(call: Call<Answer>): Promise<Answer> {
	const { name, signal } = call;
	throwIfCancelled(signal);
	const inner = new AbortController();
	const milliseconds = deadlineOf(call.timeoutMs);
	return new Promise<Answer>((resolve, reject) => {
		let settled = false;
		const settle = (end: () => void): void => {
			if (settled) return;
			settled = true;
			clearTimeout(timer);
			signal.removeEventListener("abort", onAbort);
			end();
		};
		const onAbort = (): void => {
			settle(() => reject(cancelled(signal)));
			inner.abort(signal.reason);
		};
		const timer = setTimeout(() => {
			const error = new CompactionError(
				"TIMEOUT",
				`Cannot summarize: the backend "${name}" took more than ${milliseconds} ms.`,
				{ retryable: true },
			);
			settle(() => reject(error));
			inner.abort(error);
		}, milliseconds);
		signal.addEventListener("abort", onAbort, { once: true });
		// Errors thrown before the first await are the backend's failures like any other.
		Promise.resolve()
			.then(() => {
				// An abort in the tick between must not start a call that costs money.
				throwIfCancelled(signal);
				return call.run(inner.signal);
			})
			.then(
				(answer) => settle(() => resolve(answer)),
				(error: unknown) =>
					settle(() => reject(signal.aborted ? cancelled(signal) : wrapBackendError(name, error))),
			);
	});
}
