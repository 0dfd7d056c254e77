import { CompactionError } from "../../../src/plugin.ts";

/** What this backend needs of an AI SDK `LanguageModel` of any specification. */
export interface LanguageModel {
	readonly specificationVersion: string;
	readonly provider: string;
	readonly modelId: string;
	readonly supportedUrls?: unknown;
	doGenerate(options: unknown): PromiseLike<object>;
}

function isLanguageModel(value: unknown): value is LanguageModel {
	if (typeof value !== "object" || value === null) return false;
	const { specificationVersion, modelId, doGenerate } = value as Partial<
		Record<keyof LanguageModel, unknown>
	>;
	return (
		typeof specificationVersion === "string" &&
		typeof modelId === "string" &&
		typeof doGenerate === "function"
	);
}

/** A model that code handed in. @throws CompactionError CONFIG_INVALID where it is no model */
export function checkLanguageModel(value: unknown): LanguageModel {
	if (isLanguageModel(value)) return value;
	throw new CompactionError(
		"CONFIG_INVALID",
		`Cannot use the model that was handed in: it is ${value === null ? "null" : `of type "${typeof value}"`} and has no "doGenerate"; expected a LanguageModel of the AI SDK, such as openai("gpt-5-mini"), or "provider/model".`,
	);
}

/** The "provider/model" of a model object, as the catalogue has it. */
export function idOfLanguageModel({ provider, modelId }: LanguageModel): string {
	const [name = ""] = String(provider).split(".");
	// Behind the gateway the model's id names its creator.
	return name === "gateway" ? `gateway/${modelId}` : `${name}/${modelId}`;
}

/**
 * The same model without the warnings that the AI SDK would write to the console, which is not ours to write to
 * (version 6 writes to stdout).
 */
export function withoutWarnings(model: LanguageModel): LanguageModel {
	return {
		specificationVersion: model.specificationVersion,
		provider: model.provider,
		modelId: model.modelId,
		get supportedUrls(): unknown {
			return model.supportedUrls;
		},
		doGenerate: async (options) => ({ ...(await model.doGenerate(options)), warnings: [] }),
	};
}

/**
 * Starts a call with the AI SDK's console warnings off. They are off for as long as `start` runs, that is, not while
 * what it started goes on: nobody else's warnings are lost.
 */
export function startQuietly<Result>(start: () => Promise<Result>): Promise<Result> {
	const scope = globalThis as { AI_SDK_LOG_WARNINGS?: unknown };
	const before = Object.getOwnPropertyDescriptor(scope, "AI_SDK_LOG_WARNINGS");
	scope.AI_SDK_LOG_WARNINGS = false;
	try {
		return start();
	} finally {
		if (before === undefined) delete scope.AI_SDK_LOG_WARNINGS;
		else Object.defineProperty(scope, "AI_SDK_LOG_WARNINGS", before);
	}
}
