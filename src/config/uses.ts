import type { Use } from "../strategy/contract.ts";

/** The kinds of plugged-in thing. */
export const PLUGIN_KINDS = ["strategy", "backend", "trigger", "counter"] as const;
export type PluginKind = (typeof PLUGIN_KINDS)[number];

/** A use of a plugged-in thing within a config, with its JSON pointer. */
export interface FoundUse {
	readonly kind: PluginKind;
	readonly pointer: string;
	readonly use: Use;
}

/** Options of built-in strategies and triggers that hold further uses. */
const NESTED: Readonly<Partial<Record<PluginKind, string>>> = { strategy: "steps", trigger: "of" };

function isUse(value: unknown): value is Use {
	return (
		typeof value === "object" &&
		value !== null &&
		Object.hasOwn(value, "use") &&
		typeof (value as Use).use === "string"
	);
}

function collect(kind: PluginKind, value: unknown, pointer: string, found: FoundUse[]): void {
	if (Array.isArray(value)) {
		for (const [index, item] of value.entries()) collect(kind, item, `${pointer}/${index}`, found);
		return;
	}
	if (!isUse(value)) return;
	found.push({ kind, pointer, use: value });
	const nested = NESTED[kind];
	const options = value as unknown as Readonly<Record<string, unknown>>;
	if (nested !== undefined && Object.hasOwn(value, nested))
		collect(kind, options[nested], `${pointer}/${nested}`, found);
}

/** Every use in a config, nested ones included, in the order of the file's keys. */
export function usesOf(config: Readonly<Record<string, unknown>>): readonly FoundUse[] {
	const found: FoundUse[] = [];
	for (const kind of ["strategy", "backend", "trigger"] as const)
		collect(kind, config[kind], `/${kind}`, found);
	const counter = (config.tokens as { counter?: unknown } | undefined)?.counter;
	const written = typeof counter === "string" ? { use: counter } : counter;
	collect("counter", written, "/tokens/counter", found);
	return found;
}
