import { CompactionError } from "../../../src/plugin.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { LanguageModel } from "./language-model.ts";

/** The name of an error; the AI SDK tells its errors apart by it across versions and copies. */
export function nameOf(error: unknown): string {
	return error instanceof Error ? error.name : "";
}

/** Why a good answer could not be read to its end: `fetch` has a TypeError for that, which not all take for passing. */
function brokenOff(error: unknown): string | undefined {
	const { statusCode, cause } = (error ?? {}) as { readonly statusCode?: unknown; readonly cause?: unknown };
	const reading = nameOf(error) === "AI_APICallError" && statusCode === 200;
	return reading && nameOf(cause) === "TypeError" ? (cause as Error).message : undefined;
}

/** Errors whose own words would mislead, as ours; any other as it is, with no secret in it. */
export function explainError(
	error: unknown,
	id: string,
	{ model, secrets }: { readonly model: LanguageModel; readonly secrets: readonly string[] },
): unknown {
	const { lastError } = (error ?? {}) as { readonly lastError?: unknown };
	// What all repeats failed with says less than what the last of them did.
	const safe = hideSecrets(nameOf(error) === "AI_RetryError" && lastError ? lastError : error, secrets);
	if (nameOf(safe) === "AI_UnsupportedModelVersionError") {
		return new CompactionError(
			"BACKEND_FAILED",
			`Cannot use the model "${id}": it is of the specification "${model.specificationVersion}", which the installed "ai" does not take. Update "ai", or take the version of the provider's package that belongs to it.`,
			{ cause: safe },
		);
	}
	if (nameOf(safe) === "AI_LoadAPIKeyError" || nameOf(safe) === "AI_LoadSettingError") {
		return new CompactionError(
			"BACKEND_FAILED",
			`Cannot use the model "${id}": ${(safe as Error).message} Keys come from the environment; "apiKeyEnv" names another variable.`,
			{ cause: safe },
		);
	}
	const broken = brokenOff(safe);
	if (broken !== undefined) {
		return new CompactionError(
			"BACKEND_FAILED",
			`Cannot summarize: the answer of the model "${id}" broke off: ${broken}`,
			{ cause: safe, retryable: true },
		);
	}
	return safe;
}
