import { ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import { isCompactionError, type Problem } from "../errors/compaction-error.ts";
import { CliError } from "./cli-error.ts";
import type { CliIo } from "./io.ts";

const INTERRUPTED = 130;
const INTERRUPTED_TEXT = "Interrupted; nothing was written.";

/** Codes that speak of config, plugins or input; all others mean that the pass failed. */
const USAGE: ReadonlySet<ErrorCode> = new Set([
	"CONFIG_INVALID",
	"MISSING_BACKEND",
	"PLUGIN_CONFLICT",
	"PLUGIN_NOT_FOUND",
	"TRANSCRIPT_INVALID",
]);

function exitCodeOf(error: unknown): number {
	if (error instanceof CliError) return error.exitCode;
	if (!isCompactionError(error)) return 1;
	if (error.code === "CANCELLED") return INTERRUPTED;
	return USAGE.has(error.code) ? 2 : 1;
}

function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	if (!isCompactionError(error) || USAGE.has(error.code)) return message;
	return `${message}\n  ${ERROR_CODES[error.code]}`;
}

/** A failure as a program reads it. */
export interface Failure {
	/** The error's code; null where the command itself was used in a wrong way, or the system refused something. */
	readonly code: ErrorCode | null;
	readonly message: string;
	/** Single problems of a config, each with its place. */
	readonly problems: readonly Problem[];
}

const isInterrupted = (error: unknown, io: CliIo): boolean =>
	io.signal.aborted || exitCodeOf(error) === INTERRUPTED;

/** What a failure comes down to, without a stack. */
export function failureOf(error: unknown, io: CliIo): Failure {
	if (isInterrupted(error, io)) return { code: "CANCELLED", message: INTERRUPTED_TEXT, problems: [] };
	const cause = error instanceof CliError && isCompactionError(error.cause) ? error.cause : error;
	const message = cause instanceof Error ? cause.message : String(cause);
	return isCompactionError(cause)
		? { code: cause.code, message, problems: cause.problems }
		: { code: null, message, problems: [] };
}

/** Says on standard error what went wrong, in one message, and gives the exit code. */
export async function reportError(error: unknown, io: CliIo): Promise<number> {
	const text = isInterrupted(error, io) ? INTERRUPTED_TEXT : messageOf(error);
	await io.stderr.write(`precis: ${text}\n`);
	if (io.env.PRECIS_DEBUG) {
		const { inspect } = await import("node:util");
		await io.stderr.write(`${inspect(error)}\n`);
	}
	return isInterrupted(error, io) ? INTERRUPTED : exitCodeOf(error);
}
