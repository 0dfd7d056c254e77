import type { Host } from "../backend/host.ts";
import { type CheckedConfig, checkConfig, configError } from "../config/check-config.ts";
import { problemAt, type Source } from "../config/explain.ts";
import { type PluginKind, usesOf } from "../config/uses.ts";
import { resolveTemplate } from "../core/template/resolve-template.ts";
import type { TemplateDefinition } from "../core/template/template.ts";
import { CompactionError, isCompactionError, type Problem } from "../errors/compaction-error.ts";
import { type ResolvedUse, resolveUse } from "../registry/create.ts";
import type { Registry } from "../registry/registry.ts";
import type { Use } from "../strategy/contract.ts";
import type { ConfigSource } from "./load-config.ts";

/** The window, in tokens, of a transcript whose config names neither a window nor a model. */
const DEFAULT_WINDOW = 200_000;

/** A config whose every part was found and checked. */
export interface ResolvedConfig {
	readonly config: CheckedConfig;
	readonly templates: Readonly<Record<string, TemplateDefinition>>;
	/** Size of the context window in tokens. */
	readonly windowTokens: number;
	/** The resolved use at a pointer, or of one that a composite made up on its own. */
	use<Kind extends PluginKind>(kind: Kind, use: Use, pointer: string): Promise<ResolvedUse<Kind>>;
}

class Problems {
	readonly list: Problem[] = [];
	readonly #errors: CompactionError[] = [];
	readonly #source: Source;

	constructor(source: Source, first: readonly Problem[]) {
		this.#source = source;
		this.list.push(...first);
	}

	/** Keeps an error of ours as a problem at a pointer; others are thrown on. */
	async catch<T>(pointer: string, run: () => Promise<T> | T): Promise<T | undefined> {
		try {
			return await run();
		} catch (error) {
			if (!isCompactionError(error)) throw error;
			this.#errors.push(error);
			this.list.push(problemAt(this.#source, pointer, error.message));
			return undefined;
		}
	}

	/** A single fault of a plugin keeps its code; anything else is one error about the config. */
	throwAny(): void {
		const only = this.list.length === 1 && this.#errors.length === 1 ? this.#errors[0] : undefined;
		if (only !== undefined && only.code !== "CONFIG_INVALID") {
			const [problem] = this.list;
			throw new CompactionError(only.code, problem?.message ?? only.message, {
				cause: only.cause,
				problems: this.list,
			});
		}
		if (this.list.length > 0)
			throw configError(`"${this.#source.name}"`.replace('"the config"', "the config"), this.list);
	}
}

async function windowOf(config: CheckedConfig, host: Host, source: Source): Promise<number | Problem> {
	const { window, model } = config.tokens;
	if (window !== undefined) return window;
	if (model === undefined) return DEFAULT_WINDOW;
	const facts = await host.model(model);
	// Some models take less input than their whole window; what counts is what a request may hold.
	const known = Math.min(facts?.windowTokens ?? Infinity, facts?.maxInputTokens ?? Infinity);
	if (Number.isFinite(known)) return known;
	const fix = 'write its size beside it as "window": TOKENS, or run "precis models --refresh"';
	return problemAt(
		source,
		"/tokens/model",
		`found ${JSON.stringify(model)}, a model whose window nobody knows; ${fix}.`,
	);
}

/**
 * Checks a config as a whole: its shape, its plugins, the options of everything that it uses, its templates,
 * its model.
 * @throws CompactionError CONFIG_INVALID with all problems at once, or a plugin's own code where that is the only one
 */
export async function resolveConfig(
	from: ConfigSource,
	registry: Registry,
	host: Host,
): Promise<ResolvedConfig> {
	const { config, problems: shape } = await checkConfig(from.value, from.source);
	const problems = new Problems(from.source, [...from.problems, ...shape]);
	if (config === undefined) {
		problems.throwAny();
		throw new TypeError("Cannot resolve a config that is neither right nor wrong");
	}
	const names: readonly unknown[] = Array.isArray(config.plugins) ? config.plugins : [];
	// All imports start together; they are registered one by one, so that a fault is named at its place.
	const plugins = names.map((name) =>
		typeof name === "string" && name !== "" ? registry.prepare(name, host) : undefined,
	);
	let lacksPlugins = false;
	for (const [index, plugin] of plugins.entries()) {
		if (plugin === undefined) continue;
		const added = await problems.catch(`/plugins/${index}`, async () => {
			registry.add(await plugin);
			return true;
		});
		if (added === undefined) lacksPlugins = true;
	}
	const resolved = new Map<string, ResolvedUse>();
	for (const { kind, pointer, use } of usesOf(config as unknown as Readonly<Record<string, unknown>>)) {
		const source = { ...from.source, pointer: `${from.source.pointer}${pointer}` };
		const found = await problems.catch(`${pointer}/use`, () =>
			resolveUse(registry, kind, use, host, source).catch((error: unknown) => {
				// What a plugin that did not load would have given is not a fault of its own.
				if (lacksPlugins && isCompactionError(error) && error.code === "PLUGIN_NOT_FOUND") return undefined;
				throw error;
			}),
		);
		if (found === undefined) continue;
		problems.list.push(...found.problems);
		resolved.set(`${kind} ${pointer}`, found.resolved);
	}
	const templates = { ...registry.templates, ...(shape.length === 0 ? config.templates : {}) };
	for (const name of Object.keys(templates))
		await problems.catch(`/templates/${name}`, () => resolveTemplate(name, templates));
	for (const [key, { options, registered }] of resolved) {
		const name = options.template;
		if (!registered.builtin || typeof name !== "string" || Object.hasOwn(templates, name)) continue;
		await problems.catch(`${key.split(" ")[1] ?? ""}/template`, () => resolveTemplate(name, templates));
	}
	const windowTokens = shape.length === 0 ? await windowOf(config, host, from.source) : DEFAULT_WINDOW;
	if (typeof windowTokens !== "number") problems.list.push(windowTokens);
	problems.throwAny();
	return {
		config,
		templates,
		windowTokens: typeof windowTokens === "number" ? windowTokens : DEFAULT_WINDOW,
		async use<Kind extends PluginKind>(kind: Kind, use: Use, pointer: string): Promise<ResolvedUse<Kind>> {
			const known = resolved.get(`${kind} ${pointer}`);
			if (known !== undefined) return known as ResolvedUse<Kind>;
			const made = await resolveUse(registry, kind, use, host, {
				name: `the ${kind} "${use.use}"`,
				pointer: "",
			});
			if (made.problems.length > 0) throw configError(`the ${kind} "${use.use}"`, made.problems);
			return made.resolved;
		},
	};
}
