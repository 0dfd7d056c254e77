import schema from "../../schemas/backends/http.schema.json" with { type: "json" };
import {
	type BackendAnswer,
	type BackendDefinition,
	CompactionError,
	defineBackend,
	type Host,
	isCompactionError,
	type ResolvedHttpBackendOptions,
} from "../../src/plugin.ts";
import { longestWaits, sleep, waitBefore } from "./http-retry.ts";
import { readBounded, readServiceAnswer, writeRequest } from "./http-wire.ts";

/** How much of a refusal is told. */
const REFUSAL_LENGTH = 500;

function headersOf(options: ResolvedHttpBackendOptions, host: Host): Headers {
	const headers = new Headers({ "content-type": "application/json", accept: "application/json" });
	for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, String(value));
	if (options.tokenEnv === undefined) return headers;
	const token = host.env(options.tokenEnv);
	if (token === undefined || token === "") {
		throw new CompactionError(
			"BACKEND_FAILED",
			`Cannot summarize: the environment variable "${options.tokenEnv}", which the backend "http" takes its token from, is not set.`,
		);
	}
	headers.set("authorization", `Bearer ${token}`);
	return headers;
}

/** A failed connection as an error that may be tried again, with the reason that fetch hides in its cause. */
function connectionError(url: string, error: unknown): Error {
	const { message, cause } = error as { readonly message?: unknown; readonly cause?: unknown };
	const inner = (cause as { readonly message?: unknown } | undefined)?.message;
	const words = [message, inner].filter((one) => typeof one === "string" && one !== "").join(": ");
	return Object.assign(new Error(`no answer from ${new URL(url).origin}: ${words}`, { cause: error }), {
		isRetryable: true,
	});
}

/** One HTTP exchange: the response, or its text once it is good. */
type Exchange = { readonly text: string } | { readonly refused: Response; readonly body: string };

/** Makes one exchange within its time, the reading of the body included. */
async function exchange(
	options: ResolvedHttpBackendOptions,
	host: Host,
	init: { readonly headers: Headers; readonly body: string },
	signal: AbortSignal,
): Promise<Exchange> {
	const deadline = new AbortController();
	const stop = (): void => deadline.abort(signal.reason);
	if (signal.aborted) stop();
	signal.addEventListener("abort", stop, { once: true });
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		deadline.abort();
	}, options.timeoutMs);
	try {
		// A redirect would carry the transcript to a place that nobody configured.
		const response = await host.fetch(options.url, {
			method: "POST",
			redirect: "error",
			signal: deadline.signal,
			...init,
		});
		if (response.ok) return { text: await readBounded(response, options.maxBytes) };
		const body = await readBounded(response, options.maxBytes).catch(() => "");
		return { refused: response, body: body.slice(0, REFUSAL_LENGTH) };
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		if (late) {
			throw new CompactionError(
				"TIMEOUT",
				`Cannot summarize: the service of the backend "http" took more than ${options.timeoutMs} ms.`,
				{ retryable: true },
			);
		}
		if (isCompactionError(error)) throw error;
		throw connectionError(options.url, error);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", stop);
	}
}

/** POSTs the whole job as JSON to a service; its answer is held to the same rules as any plugin's. */
const http: BackendDefinition<ResolvedHttpBackendOptions> = defineBackend<ResolvedHttpBackendOptions>({
	name: "http",
	schema,
	create(options, host) {
		return {
			// Each exchange has a deadline of its own; this one only bounds all of them with their waits.
			timeoutMs: options.timeoutMs * (options.maxRetries + 1) + longestWaits(options.maxRetries) + 1000,
			async summarize(request, { signal, emit }) {
				const init = { headers: headersOf(options, host), body: writeRequest(request) };
				for (let attempt = 0; ; attempt += 1) {
					const made = await exchange(options, host, init, signal);
					if ("text" in made) return readServiceAnswer(made.text) as BackendAnswer;
					const { refused, body } = made;
					const wait = waitBefore(refused, attempt, host.now());
					if (wait === undefined || attempt >= options.maxRetries) {
						const words = body.trim() === "" ? refused.statusText : body.trim();
						const error = new Error(`the service answered ${refused.status}: ${words}`);
						throw Object.assign(error, { statusCode: refused.status });
					}
					emit({ name: "retry", status: refused.status, waitMs: wait, attempt: attempt + 1 });
					await sleep(wait, signal);
				}
			},
		};
	},
});

export default http;
