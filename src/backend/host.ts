/** What is known of a model; absent figures are unknown. Prices are USD for a million tokens. */
export interface ModelFacts {
	readonly id: string;
	readonly windowTokens?: number;
	readonly maxInputTokens?: number;
	readonly maxOutputTokens?: number;
	/** Whether it thinks before it answers, and is billed for that as output. */
	readonly reasoning?: boolean;
	readonly inputPrice?: number;
	readonly outputPrice?: number;
	/** Price of input that is read from the provider's cache. */
	readonly cacheReadPrice?: number;
	/** Price of input that is written to the provider's cache. */
	readonly cacheWritePrice?: number;
	/** Which layer of the catalogue says so. */
	readonly source: string;
}

/** The world, handed in: what a plugin may touch beside its options. */
export interface Host {
	/** URL of the folder of the config that named the plugin; the working directory's for configs made in code. */
	readonly baseUrl: string;
	/** An environment variable. */
	env(name: string): string | undefined;
	/** Makes an HTTP request. */
	readonly fetch: typeof globalThis.fetch;
	/** Imports a module as seen from `baseUrl`; rejects with code ERR_MODULE_NOT_FOUND where there is none. */
	importModule(specifier: string): Promise<Record<string, unknown>>;
	/** What is known of a model "provider/model"; undefined where nobody knows it. */
	model(id: string): Promise<ModelFacts | undefined>;
	/** The AI SDK `LanguageModel` that code handed in, if any. */
	readonly languageModel: unknown;
	/** Milliseconds since the epoch. */
	now(): number;
}
