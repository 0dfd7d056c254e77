import { ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import { isCompactionError } from "../errors/compaction-error.ts";
import { CliError } from "./cli-error.ts";
import type { CliIo } from "./io.ts";

const INTERRUPTED = 130;

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

/** Says on standard error what went wrong, in one message, and gives the exit code. */
export async function reportError(error: unknown, io: CliIo): Promise<number> {
	const isInterrupt = io.signal.aborted || exitCodeOf(error) === INTERRUPTED;
	const text = isInterrupt ? "Interrupted; nothing was written." : messageOf(error);
	await io.stderr.write(`precis: ${text}\n`);
	if (io.env.PRECIS_DEBUG) {
		const { inspect } = await import("node:util");
		await io.stderr.write(`${inspect(error)}\n`);
	}
	return isInterrupt ? INTERRUPTED : exitCodeOf(error);
}
