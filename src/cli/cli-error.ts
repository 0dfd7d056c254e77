/** An error that is the command's own: one sentence for its user, and an exit code. */
export class CliError extends Error {
	readonly exitCode: 1 | 2;

	constructor(exitCode: 1 | 2, message: string, cause?: unknown) {
		super(message, { cause });
		this.name = "CliError";
		this.exitCode = exitCode;
	}
}

/** An error of usage, config or input. */
export function usageError(message: string, cause?: unknown): CliError {
	return new CliError(2, message, cause);
}

const REASONS: Readonly<Record<string, string>> = {
	ENOENT: "there is no such file",
	EISDIR: "it is a folder",
	ENOTDIR: "a part of its path is no folder",
	EACCES: "access is denied",
	EPERM: "it is not allowed",
	ENOSPC: "no space is left on the device",
	EROFS: "the file system is read-only",
	ELOOP: "its links go in a circle",
	ENAMETOOLONG: "its name is too long",
};

/** Why the system refused something, in words. */
export function reasonOf(error: unknown): string {
	const { code, message } = error as { code?: unknown; message?: unknown };
	const known = typeof code === "string" && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
	return known ?? String(message ?? error);
}
