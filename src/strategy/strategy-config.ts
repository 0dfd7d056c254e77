import { KINDS, type Kind } from "../core/transcript/message.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { StrategyOptions } from "../generated/types.ts";

/** What every config made in code can do beside carrying its options. It is frozen; methods give new ones. */
export interface StrategyConfigMethods<Name extends keyof StrategyOptions> {
	/** The same config with some options set anew. */
	with(options: StrategyOptions[Name]): StrategyConfig<Name>;
	/** The config as a config file carries it. */
	toJSON(): { use: Name } & StrategyOptions[Name];
}

/** A strategy's config made in code; it can stand wherever a config has a strategy. */
export type StrategyConfig<Name extends keyof StrategyOptions> = { readonly use: Name } & Readonly<
	StrategyOptions[Name]
> &
	StrategyConfigMethods<Name>;

/** The kinds in their own order, each once. @throws CompactionError CONFIG_INVALID for what is none */
function sortKinds(use: string, kinds: readonly unknown[]): Kind[] {
	const wanted = new Set(kinds);
	for (const kind of wanted) {
		if (KINDS.some((known) => known === kind)) continue;
		throw configProblem(use, `"${String(kind)}" is no kind; expected one of ${KINDS.join(", ")}`);
	}
	return KINDS.filter((kind) => wanted.has(kind));
}

/** @throws CompactionError CONFIG_INVALID naming the strategy and what is wrong with it */
export function configProblem(use: string, what: string): CompactionError {
	return new CompactionError("CONFIG_INVALID", `Cannot make a config for the strategy "${use}": ${what}.`);
}

function freezeDeep<Value>(value: Value): Value {
	if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
	Object.freeze(value);
	for (const inner of Object.values(value)) freezeDeep(inner);
	return value;
}

/**
 * Makes a frozen config. Options that are undefined are left out, kinds are a set.
 * @param methods what this strategy's configs can do; it does not show in `JSON.stringify` or in comparisons
 */
export function makeConfig<Name extends keyof StrategyOptions>(
	use: Name,
	options: Readonly<Record<string, unknown>>,
	methods: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): StrategyConfig<Name> {
	const given: Record<string, unknown> = structuredClone({ ...options });
	for (const key of Object.keys(given)) if (given[key] === undefined) delete given[key];
	if (Array.isArray(given.preserveKinds)) given.preserveKinds = sortKinds(use, given.preserveKinds);
	const config = { use, ...given };
	const all = { ...methods(given), toJSON: () => structuredClone({ use, ...given }) };
	for (const [name, value] of Object.entries(all)) Object.defineProperty(config, name, { value });
	return freezeDeep(config) as unknown as StrategyConfig<Name>;
}

/** What two configs are compared by: keys in order, kinds as a set, what is undefined left out. */
function canonical(value: unknown, key?: string): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) {
		const items = value.map((item) => canonical(item));
		return key === "preserveKinds" ? [...new Set(items)].sort() : items;
	}
	const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
	entries.sort(([left], [right]) => (left < right ? -1 : 1));
	return entries.map(([name, inner]) => [name, canonical(inner, name)]);
}

/** Whether two configs say the same, in whatever order; kinds are compared as a set. */
export function isEqual(left: unknown, right: unknown): boolean {
	return JSON.stringify(canonical(left)) === JSON.stringify(canonical(right));
}
