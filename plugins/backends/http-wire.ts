import { CompactionError, type SummaryRequest } from "../../src/plugin.ts";

/** The version of the request's and the answer's shape. */
export const WIRE_VERSION = 1;

function toBase64(bytes: Uint8Array): string {
	let binary = "";
	// In slices, since a call takes only so many arguments.
	for (let at = 0; at < bytes.length; at += 8192)
		binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
	return btoa(binary);
}

function bytesOf(value: unknown): Uint8Array | undefined {
	if (value instanceof Uint8Array) return value;
	return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

/** The request as JSON. Binary content becomes base64, which messages may carry just as well. */
export function writeRequest(request: SummaryRequest): string {
	const { template, messages, transcript, budgetTokens, reason, metadata, guidance, previousSummary } =
		request;
	const wire = {
		version: WIRE_VERSION,
		template,
		budgetTokens,
		reason,
		guidance,
		metadata,
		...(previousSummary === undefined ? {} : { previousSummary }),
		transcript,
		messages,
	};
	// The holder's own value, since a Buffer has been turned into a record by the time that it is handed over.
	return JSON.stringify(wire, function (this: unknown, key: string, value: unknown): unknown {
		const bytes = bytesOf((this as Readonly<Record<string, unknown>>)[key]);
		return bytes === undefined ? value : toBase64(bytes);
	});
}

/**
 * The body of a response as text, of at most so many bytes.
 * @throws CompactionError BACKEND_FAILED where it is larger; the rest is then not read
 */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
	const tooLarge = (): CompactionError =>
		new CompactionError(
			"BACKEND_FAILED",
			`Cannot summarize: the service answered more than ${maxBytes} bytes. Raise "maxBytes" of the backend "http".`,
		);
	if (response.body === null) return "";
	const reader = response.body.getReader();
	const decoder = new TextDecoder();
	let bytes = Number(response.headers.get("content-length") ?? 0) > maxBytes ? Number.POSITIVE_INFINITY : 0;
	let text = "";
	while (bytes <= maxBytes) {
		const { done, value } = await reader.read();
		if (done) return text + decoder.decode();
		bytes += value.byteLength;
		text += decoder.decode(value, { stream: true });
	}
	reader.cancel().catch(() => undefined);
	throw tooLarge();
}

/**
 * The answer of the service, whose form the caller checks further.
 * @throws CompactionError PLUGIN_INVALID where it is no JSON object of the version that was asked for
 */
export function readServiceAnswer(text: string): object {
	let answer: unknown;
	try {
		answer = JSON.parse(text);
	} catch (cause) {
		throw new CompactionError(
			"PLUGIN_INVALID",
			`Cannot summarize: the service of the backend "http" answered no JSON: "${text.slice(0, 200)}"`,
			{ cause },
		);
	}
	if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
		throw new CompactionError(
			"PLUGIN_INVALID",
			'Cannot summarize: the service of the backend "http" answered JSON that is no object.',
		);
	}
	const { version } = answer as { readonly version?: unknown };
	if (version !== undefined && version !== WIRE_VERSION) {
		throw new CompactionError(
			"PLUGIN_INVALID",
			`Cannot summarize: the service of the backend "http" answered in version ${JSON.stringify(version)}; expected ${WIRE_VERSION}.`,
		);
	}
	return answer;
}
