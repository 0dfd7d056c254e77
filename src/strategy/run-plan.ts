import type { Edit } from "../core/edits/edit.ts";
import type { Message } from "../core/transcript/message.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import type { PlanContext, PlanningStrategy } from "./contract.ts";

/** Milliseconds that one plan may take: planning is pure work on a list, seconds mean that it hangs. */
const PLAN_DEADLINE = 60_000;

/** The error of a pass whose signal was aborted. */
export function passAborted(signal: AbortSignal): CompactionError {
	return new CompactionError("CANCELLED", "Cannot finish the pass: it was aborted.", {
		cause: signal.reason,
	});
}

/** Rejects as soon as a signal is aborted; `release` lets go of it. */
function whenAborted(signal: AbortSignal): { readonly aborted: Promise<never>; release(): void } {
	let release = (): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		const stop = (): void => reject(passAborted(signal));
		if (signal.aborted) stop();
		else {
			signal.addEventListener("abort", stop, { once: true });
			release = () => signal.removeEventListener("abort", stop);
		}
	});
	aborted.catch(() => undefined);
	return { aborted, release };
}

/**
 * Asks a strategy for its edits, as it gives them; their form is checked by whoever applies them.
 * @throws CompactionError CANCELLED, TIMEOUT, or PLUGIN_INVALID with the strategy's own error as its cause
 */
export async function runPlan(
	name: string,
	strategy: PlanningStrategy,
	messages: readonly Message[],
	context: PlanContext,
): Promise<readonly Edit[]> {
	const { aborted, release } = whenAborted(context.signal);
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		const planned = strategy.plan(messages, context);
		if (!(planned instanceof Promise)) return planned;
		const late = new Promise<never>((_, reject) => {
			const error = new CompactionError(
				"TIMEOUT",
				`Cannot plan: the strategy "${name}" took more than ${PLAN_DEADLINE} ms.`,
				{ retryable: true },
			);
			timer = setTimeout(() => reject(error), PLAN_DEADLINE);
		});
		return await Promise.race([planned, aborted, late]);
	} catch (cause) {
		if (isCompactionError(cause)) throw cause;
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new CompactionError("PLUGIN_INVALID", `Cannot plan: the strategy "${name}" failed: ${why}`, {
			cause,
		});
	} finally {
		clearTimeout(timer);
		release();
	}
}
