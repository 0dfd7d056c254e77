import type { ModelFacts } from "../backend/host.ts";
import { modelId } from "../core/model-id.ts";

/** One source of facts, by key. */
export interface ModelLayer {
	readonly source: string;
	/** When its figures were taken, as YYYY-MM-DD. */
	readonly date: string;
	readonly models: ReadonlyMap<string, { readonly id: string; readonly row: ModelRow }>;
}

/** Facts of one model, in the order in which they are printed and stored. */
export type ModelRow = readonly number[];

const FIGURES = [
	"windowTokens",
	"maxInputTokens",
	"maxOutputTokens",
	"reasoning",
	"inputPrice",
	"outputPrice",
	"cacheReadPrice",
	"cacheWritePrice",
] as const;
/** In a row with prices a price of 0 is one; elsewhere 0 stands for what is not known. */
const MAY_BE_ZERO: ReadonlySet<string> = new Set(["inputPrice", "outputPrice"]);

/** What a layer knows of a model, by its key; undefined where it knows nothing. */
export function factsIn({ models, source }: ModelLayer, key: string): ModelFacts | undefined {
	const found = models.get(key);
	if (found === undefined) return undefined;
	const facts: Record<string, unknown> = { id: found.id };
	for (const [index, name] of FIGURES.entries()) {
		const figure = found.row[index];
		if (name === "reasoning") facts.reasoning = figure === 1;
		else if (figure !== undefined && (figure > 0 || MAY_BE_ZERO.has(name))) facts[name] = figure;
	}
	return { ...facts, source } as unknown as ModelFacts;
}

/** A layer made of rows by id; of ids that differ in nothing but case the first counts. */
export function layerOf(source: string, date: string, rows: Readonly<Record<string, ModelRow>>): ModelLayer {
	const models = new Map<string, { readonly id: string; readonly row: ModelRow }>();
	for (const [written, row] of Object.entries(rows)) {
		const id = modelId(written);
		const key = id?.toLowerCase();
		if (id !== undefined && key !== undefined && !models.has(key)) models.set(key, { id, row });
	}
	return { source, date, models };
}

type Loose = Readonly<Record<string, unknown>>;

function objectAt(value: unknown, key: string): Loose {
	const found =
		typeof value === "object" && value !== null && Object.hasOwn(value, key)
			? (value as Loose)[key]
			: undefined;
	return typeof found === "object" && found !== null ? (found as Loose) : {};
}

function figureAt(value: Loose, key: string): number {
	const found = Object.hasOwn(value, key) ? value[key] : undefined;
	return typeof found === "number" && Number.isFinite(found) && found > 0 ? found : 0;
}

/**
 * The rows of a catalogue in the shape of models.dev: providers with their models. Models without a window are
 * left out; what has another shape gives no rows.
 */
export function rowsOfModelsDev(catalogue: unknown): Readonly<Record<string, ModelRow>> {
	if (typeof catalogue !== "object" || catalogue === null) return {};
	const rows: [string, ModelRow][] = [];
	for (const provider of Object.keys(catalogue)) {
		const models = objectAt(objectAt(catalogue, provider), "models");
		for (const name of Object.keys(models)) {
			const model = objectAt(models, name);
			const limit = objectAt(model, "limit");
			const cost = objectAt(model, "cost");
			const window = figureAt(limit, "context");
			if (window === 0) continue;
			const prices = ["input", "output", "cache_read", "cache_write"].map((key) => figureAt(cost, key));
			rows.push([
				`${provider}/${name}`,
				[
					window,
					figureAt(limit, "input"),
					figureAt(limit, "output"),
					model.reasoning === true ? 1 : 0,
					...(prices.some((price) => price > 0) ? prices : []),
				],
			]);
		}
	}
	// Entries rather than assignment: a name from outside may be "__proto__".
	return Object.fromEntries(rows);
}
