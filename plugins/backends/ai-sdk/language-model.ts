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

/** A warning of any specification in a sentence. */
function wordsOfWarning(warning: unknown): string {
	const { feature, setting, details, message } = warning as Readonly<Record<string, unknown>>;
	const subject = feature ?? setting;
	const words = details ?? message ?? "not supported by this model";
	return subject === undefined ? String(words) : `"${subject}": ${words}`;
}

/**
 * The same model, with its warnings told to `hear`: the AI SDK would write them to the console, which is not ours to
 * write to (version 6 writes to stdout).
 */
export function hearWarnings(model: LanguageModel, hear: (words: string) => void): LanguageModel {
	return {
		specificationVersion: model.specificationVersion,
		provider: model.provider,
		modelId: model.modelId,
		get supportedUrls(): unknown {
			return model.supportedUrls;
		},
		async doGenerate(options) {
			const result = (await model.doGenerate(options)) as { readonly warnings?: unknown };
			if (Array.isArray(result.warnings))
				for (const warning of result.warnings) hear(wordsOfWarning(warning));
			return { ...result, warnings: [] };
		},
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
