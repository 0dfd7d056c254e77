import type { ErrorCode } from "./codes.ts";

const BRAND = Symbol.for("precis.CompactionError");

/** What a {@link CompactionError} may carry beside its code and message. */
export interface CompactionErrorOptions {
	/** The error underneath, the provider's own for example. */
	readonly cause?: unknown;
	/** Whether the same call may succeed later; false by default. */
	readonly retryable?: boolean;
	/** Single problems, where one error reports several (a config file, say). */
	readonly problems?: readonly Problem[];
}

/** One problem of a file or of options, with its place. */
export interface Problem {
	/** One line for people: place, what was found, what was expected. */
	readonly message: string;
	/** JSON pointer to the value. */
	readonly pointer: string;
	/** 1-based; absent where the source is no file. */
	readonly line?: number;
	/** 1-based; absent where the source is no file. */
	readonly column?: number;
}

/**
 * The one error of this package. `name` is "AbortError" for `CANCELLED`. When it is thrown, nothing has
 * changed anywhere. Recognize it with {@link isCompactionError}, which works across copies of the package.
 */
export class CompactionError extends Error {
	readonly code: ErrorCode;
	readonly retryable: boolean;
	readonly problems: readonly Problem[];

	constructor(code: ErrorCode, message: string, options: CompactionErrorOptions = {}) {
		super(message, "cause" in options ? { cause: options.cause } : undefined);
		this.name = code === "CANCELLED" ? "AbortError" : "CompactionError";
		this.code = code;
		this.retryable = options.retryable ?? false;
		this.problems = options.problems ?? [];
		Object.defineProperty(this, BRAND, { value: true });
	}
}

/** Whether a value is a {@link CompactionError}, made by this or by another copy of the package. */
export function isCompactionError(value: unknown): value is CompactionError {
	return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}
