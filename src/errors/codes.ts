/** Every code that a {@link CompactionError} may carry, with what its reader can do about it. */
export const ERROR_CODES = {
	MISSING_BACKEND: "Name a backend in the config, or use a strategy that needs none.",
	CANCELLED: "Nothing to do: the caller's signal was aborted.",
	TIMEOUT: "Raise the backend's timeoutMs, or use a faster model.",
	BACKEND_FAILED: "Read the cause; the transcript is untouched.",
	BLANK_SUMMARY: "Try again, or use another model; nothing was lost.",
	MALFORMED_SUMMARY: 'Try again, use another model, or set "malformed" to "raw".',
	BUDGET_TOO_SMALL: "Raise summaryTokens or the target, or let more messages be evicted.",
	CONFIG_INVALID: "Correct the config at the place that is named.",
	PLUGIN_NOT_FOUND: "Install the package, or correct the name.",
	PLUGIN_INVALID: "Correct the plugin, or report it to its author.",
	PLUGIN_CONFLICT: "Remove one of the two plugins.",
	TRANSCRIPT_INVALID: "Correct the transcript at the place that is named.",
} as const;

/** A public error code. */
export type ErrorCode = keyof typeof ERROR_CODES;
