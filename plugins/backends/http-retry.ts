/** Statuses after which the same request may well succeed soon. */
const BUSY = new Set([429, 503]);
/** The longest wait, in milliseconds: whoever asks for more is not waited for. */
const LONGEST_WAIT = 60_000;
const FIRST_WAIT = 500;

/** The wait that a `Retry-After` header asks for, in milliseconds; undefined where there is none to be read. */
export function retryAfter(header: string | null, now: number): number | undefined {
	if (header === null) return undefined;
	const text = header.trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** How long to wait before a call is repeated, in milliseconds; undefined where it is not to be repeated. */
export function waitBefore(response: Response, attempt: number, now: number): number | undefined {
	if (!BUSY.has(response.status)) return undefined;
	const wait = retryAfter(response.headers.get("retry-after"), now) ?? FIRST_WAIT * 2 ** attempt;
	return wait > LONGEST_WAIT ? undefined : wait;
}

/** The longest that all waits of a call may take, in milliseconds. */
export function longestWaits(maxRetries: number): number {
	return maxRetries * LONGEST_WAIT;
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const stop = (): void => {
			clearTimeout(timer);
			reject(signal.reason);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener("abort", stop);
			resolve();
		}, milliseconds);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
}
