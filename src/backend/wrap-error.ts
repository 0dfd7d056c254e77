import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { scrubKeys } from "./scrub-keys.ts";

const TRANSIENT = new Set([408, 409, 425, 429]);
const CONNECTION = new Set([
	"ECONNRESET",
	"ECONNREFUSED",
	"ECONNABORTED",
	"ETIMEDOUT",
	"EPIPE",
	"EAI_AGAIN",
	"ENOTFOUND",
	"UND_ERR_SOCKET",
	"UND_ERR_CONNECT_TIMEOUT",
	"UND_ERR_HEADERS_TIMEOUT",
	"UND_ERR_BODY_TIMEOUT",
]);

function field(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The provider's own error: wrappers of repeated calls hold it as their last one. */
function innermost(error: unknown): unknown {
	let inner = error;
	for (let depth = 0; depth < 4; depth += 1) {
		const last = field(inner, "lastError");
		if (last === undefined || last === null) return inner;
		inner = last;
	}
	return inner;
}

/** The HTTP status that an error carries, if any. */
export function statusOf(error: unknown): number | undefined {
	const inner = innermost(error);
	for (const status of [
		field(inner, "statusCode"),
		field(inner, "status"),
		field(field(inner, "response"), "status"),
	])
		if (typeof status === "number") return status;
	return undefined;
}

/** The words of an error, with those of the provider's answer where it carries them. */
export function wordsOf(error: unknown): string {
	const inner = innermost(error);
	if (inner === undefined || inner === null) return "unknown error";
	if (typeof inner !== "object") return String(inner);
	const message = field(inner, "message");
	return typeof message === "string" && message !== ""
		? message
		: String(field(inner, "name") ?? "") || "unknown error";
}

function isRetryable(error: unknown): boolean {
	const said = field(error, "isRetryable");
	if (typeof said === "boolean") return said;
	const status = statusOf(error);
	if (status !== undefined) return TRANSIENT.has(status) || status >= 500;
	const codes = [field(error, "code"), field(field(error, "cause"), "code")];
	return codes.some((code) => typeof code === "string" && CONNECTION.has(code));
}

/**
 * A backend's error as ours: its own {@link CompactionError}s pass as they are, anything else becomes
 * BACKEND_FAILED with the provider's error as its cause and no key in its message.
 */
export function wrapBackendError(name: string, error: unknown): CompactionError {
	if (isCompactionError(error)) return error;
	const cause = innermost(error);
	return new CompactionError(
		"BACKEND_FAILED",
		`Cannot summarize: the backend "${name}" failed: ${scrubKeys(wordsOf(cause))}`,
		{ cause, retryable: isRetryable(cause) },
	);
}

/** Ways in which providers and local servers say that a prompt is larger than the model's window. */
const OVERFLOW =
	/context[ _-](?:length|window|size)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|token limit|exceeds? the (?:available|maximum|model)|request too large|maximum (?:input|prompt)|context_length_exceeded|n_ctx/i;

/** Whether a call failed because its prompt was larger than the model's window. */
export function isOverflow(error: unknown): boolean {
	const cause = isCompactionError(error) ? error.cause : error;
	const inner = innermost(cause);
	const status = statusOf(inner);
	if (status !== undefined && status !== 400 && status !== 413 && status !== 422) return false;
	if (status === 413) return true;
	const body = field(inner, "responseBody");
	const code = field(field(field(inner, "data"), "error"), "code");
	return [wordsOf(inner), body, code].some(
		(words) => typeof words === "string" && OVERFLOW.test(words.slice(0, 4000)),
	);
}

const UNSTRUCTURED_NAMES = new Set([
	"AI_NoObjectGeneratedError",
	"AI_NoOutputGeneratedError",
	"AI_UnsupportedFunctionalityError",
	"AI_JSONParseError",
	"AI_TypeValidationError",
]);

/** Whether a structured call failed because the model cannot answer by a schema, so that plain text may do. */
export function isUnstructured(error: unknown): boolean {
	if (isOverflow(error)) return false;
	const inner = innermost(isCompactionError(error) ? error.cause : error);
	const name = field(inner, "name");
	if (typeof name === "string" && UNSTRUCTURED_NAMES.has(name)) return true;
	const status = statusOf(inner);
	return status === 400 || status === 404 || status === 415 || status === 422 || status === 501;
}
