import type { Backend } from "../backend/contract.ts";
import type { Host } from "../backend/host.ts";
import type { Source } from "../config/explain.ts";
import type { PluginKind } from "../config/uses.ts";
import { CompactionError, isCompactionError, type Problem } from "../errors/compaction-error.ts";
import type { Strategy, Use } from "../strategy/contract.ts";
import type { Counter, Trigger } from "./contract.ts";
import { LIST_OF } from "./plugin-module.ts";
import type { Registered, Registry } from "./registry.ts";

/** What each kind of definition makes. */
export interface MadeOf {
	readonly strategy: Strategy;
	readonly backend: Backend;
	readonly trigger: Trigger;
	readonly counter: Counter;
}

/** A use whose definition was found and whose options were checked. */
export interface ResolvedUse<Kind extends PluginKind = PluginKind> {
	readonly kind: Kind;
	readonly name: string;
	readonly registered: Registered;
	/** With defaults filled in. */
	readonly options: Readonly<Record<string, unknown>>;
}

/** Finds a use's definition and checks its options. @throws CompactionError where there is no such thing */
export async function resolveUse<Kind extends PluginKind>(
	registry: Registry,
	kind: Kind,
	use: Use,
	host: Host,
	source: Source,
): Promise<{ resolved: ResolvedUse<Kind>; problems: readonly Problem[] }> {
	// Loaded on first use: the printed validators are most of this package's size.
	const { checkBuiltinOptions, checkPluginOptions, withoutUse } = await import("./check-options.ts");
	const registered = await registry.find(kind, use.use, host);
	const written = withoutUse(use);
	const { options, problems } = registered.builtin
		? await checkBuiltinOptions(`${LIST_OF[kind]}/${use.use}`, written, source)
		: await checkPluginOptions(
				registered.definition.schema,
				`the ${kind} "${use.use}" of "${registered.origin}"`,
				written,
				source,
			);
	return { resolved: { kind, name: use.use, registered, options }, problems };
}

const isUse = (value: unknown): boolean =>
	typeof value === "object" && value !== null && typeof (value as { use?: unknown }).use === "string";

const isFunction = (value: unknown): boolean => typeof value === "function";

/** What is wrong with what a factory made, or undefined. */
const SHAPES: Readonly<Record<PluginKind, (made: Readonly<Record<string, unknown>>) => string | undefined>> =
	{
		strategy: (made) => {
			if (isFunction(made.plan) === Array.isArray(made.steps))
				return 'expected exactly one of a function "plan" and a list "steps"';
			if (!Array.isArray(made.steps)) return undefined;
			if (!made.steps.every(isUse)) return 'a step is no { "use": NAME, … }';
			const knows = ["end", "fits", "first"].includes(String(made.until));
			return knows ? undefined : 'expected "until" to be "end", "fits" or "first"';
		},
		backend: (made) => {
			if (isFunction(made.summarize) !== isFunction(made.generate)) return undefined;
			return 'expected exactly one of the functions "summarize" and "generate"';
		},
		trigger: (made) => {
			if (isFunction(made.check) === Array.isArray(made.of))
				return 'expected exactly one of a function "check" and a list "of"';
			if (!Array.isArray(made.of)) return undefined;
			if (!made.of.every(isUse)) return 'an entry of "of" is no { "use": NAME, … }';
			return ["any", "all"].includes(String(made.mode)) ? undefined : 'expected "mode" to be "any" or "all"';
		},
		counter: (made) => (isFunction(made.text) ? undefined : 'expected a function "text"'),
	};

/**
 * Calls a definition's factory and checks the form of what it makes.
 * @throws CompactionError PLUGIN_INVALID naming the plugin; a factory's own CompactionError passes through
 */
export async function create<Kind extends PluginKind>(
	use: ResolvedUse<Kind>,
	host: Host,
): Promise<MadeOf[Kind]> {
	const { definition, origin } = use.registered;
	const who = `the ${use.kind} "${use.name}" of "${origin}"`;
	let made: unknown;
	try {
		made = await definition.create(use.options as never, host);
	} catch (cause) {
		if (isCompactionError(cause)) throw cause;
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new CompactionError("PLUGIN_INVALID", `Cannot create ${who}: ${why}`, { cause });
	}
	const wrong =
		typeof made === "object" && made !== null
			? SHAPES[use.kind](made as Readonly<Record<string, unknown>>)
			: `create gave ${made === null ? "null" : typeof made}; expected an object`;
	if (wrong !== undefined) throw new CompactionError("PLUGIN_INVALID", `Cannot use ${who}: ${wrong}.`);
	return made as MadeOf[Kind];
}
