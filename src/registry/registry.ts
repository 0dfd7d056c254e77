import type { Host } from "../backend/host.ts";
import { PLUGIN_KINDS, type PluginKind } from "../config/uses.ts";
import type { TemplateDefinition } from "../core/template/template.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { Definition, Plugin } from "./contract.ts";
import { checkPlugin, definitionsOf, LIST_OF, type LoadedPlugin } from "./plugin-module.ts";

/** Loads first-party definitions by kind and name. */
export type Builtins = Readonly<
	Record<
		(typeof LIST_OF)[PluginKind],
		Readonly<Record<string, () => Promise<{ default: Definition<unknown, never> }>>>
	>
>;

/** A definition, and who gave it. */
export interface Registered {
	readonly definition: Definition<unknown, never>;
	/** "precis" for what is built in, else the specifier that the plugin was loaded by. */
	readonly origin: string;
	readonly builtin: boolean;
}

/** What a registry may be asked to load. */
export interface RegistryOptions {
	/** Plugins that code hands in. */
	readonly plugins?: readonly Plugin[];
	/** Which modules may be loaded: any (absent), none, or those in the list. */
	readonly allow?: "none" | readonly string[];
}

/** Finds strategies, backends, triggers, counters and templates by name; what is not built in is loaded on first use. */
export class Registry {
	readonly #builtins: Builtins;
	readonly #allow: "none" | readonly string[] | undefined;
	readonly #loaded: LoadedPlugin[] = [];
	readonly #byName = new Map<string, Registered>();
	readonly #templates = new Map<string, { template: TemplateDefinition; origin: string }>();
	readonly #pending = new Map<string, Promise<LoadedPlugin>>();

	constructor(builtins: Builtins, options: RegistryOptions = {}) {
		this.#builtins = builtins;
		this.#allow = options.allow;
		for (const plugin of options.plugins ?? [])
			this.add({ plugin: checkPlugin(plugin, plugin?.name ?? "plugin"), origin: plugin.name });
	}

	/** The templates that plugins gave, by name. */
	get templates(): Readonly<Record<string, TemplateDefinition>> {
		return Object.fromEntries([...this.#templates].map(([name, { template }]) => [name, template]));
	}

	/** The plugins that were loaded, in order, with the specifiers that they were loaded by. */
	get plugins(): readonly LoadedPlugin[] {
		return this.#loaded;
	}

	/** The names of a kind that are built in, sorted. */
	builtinNames(kind: PluginKind): readonly string[] {
		return Object.keys(this.#builtins[LIST_OF[kind]]).sort();
	}

	/** The names that are known of a kind, sorted. */
	names(kind: PluginKind): readonly string[] {
		const own = this.builtinNames(kind);
		const others = [...this.#byName.keys()]
			.filter((key) => key.startsWith(`${kind}:`))
			.map((key) => key.slice(kind.length + 1));
		return [...own, ...others].sort();
	}

	/**
	 * Loads a plugin by specifier, once; it counts from {@link add} on.
	 * @throws CompactionError PLUGIN_NOT_FOUND or PLUGIN_INVALID
	 */
	prepare(specifier: string, host: Host): Promise<LoadedPlugin> {
		const loading = this.#import(specifier, host);
		// Whoever awaits it sees the failure; until then it must not count as unhandled.
		loading.catch(() => undefined);
		return loading;
	}

	/** Registers all that a plugin gives. @throws CompactionError PLUGIN_CONFLICT naming both */
	add(loaded: LoadedPlugin): void {
		const { plugin, origin } = loaded;
		if (this.#loaded.some((other) => other.plugin === plugin)) return;
		for (const kind of PLUGIN_KINDS) {
			for (const definition of definitionsOf(plugin, kind)) {
				const key = `${kind}:${definition.name}`;
				const clash = Object.hasOwn(this.#builtins[LIST_OF[kind]], definition.name)
					? "precis itself"
					: this.#byName.get(key)?.origin;
				if (clash !== undefined) {
					throw new CompactionError(
						"PLUGIN_CONFLICT",
						`Cannot register the ${kind} "${definition.name}" of "${origin}": "${clash}" gives one of that name too.`,
					);
				}
				this.#byName.set(key, { definition, origin, builtin: false });
			}
		}
		for (const [name, template] of Object.entries(plugin.templates ?? {})) {
			const clash = this.#templates.get(name)?.origin;
			if (clash !== undefined) {
				throw new CompactionError(
					"PLUGIN_CONFLICT",
					`Cannot register the template "${name}" of "${origin}": "${clash}" gives one of that name too.`,
				);
			}
			this.#templates.set(name, { template, origin });
		}
		this.#loaded.push(loaded);
	}

	/**
	 * Finds a definition: built in, given by a loaded plugin, or in the package that its name points to.
	 * @throws CompactionError PLUGIN_NOT_FOUND that lists what is known, what is close and what to install
	 */
	async find(kind: PluginKind, name: string, host: Host): Promise<Registered> {
		const builtins = this.#builtins[LIST_OF[kind]];
		if (Object.hasOwn(builtins, name)) {
			const load = builtins[name];
			if (load !== undefined) return { definition: (await load()).default, origin: "precis", builtin: true };
		}
		const known = this.#byName.get(`${kind}:${name}`);
		if (known !== undefined) return known;
		const { candidatePackages, isInstalled, notFound } = await import("./load-plugin.ts");
		for (const specifier of candidatePackages(name)) {
			if (!this.#mayLoad(specifier) || !(await isInstalled(specifier, host))) continue;
			this.add(await this.#import(specifier, host));
			const registered = this.#byName.get(`${kind}:${name}`);
			if (registered !== undefined) return registered;
		}
		throw notFound(kind, name, this.names(kind));
	}

	#mayLoad(specifier: string): boolean {
		return this.#allow === undefined || (this.#allow !== "none" && this.#allow.includes(specifier));
	}

	async #import(specifier: string, host: Host): Promise<LoadedPlugin> {
		const key = `${host.baseUrl} ${specifier}`;
		const pending = this.#pending.get(key);
		if (pending !== undefined) return pending;
		const loading = this.#load(specifier, host);
		this.#pending.set(key, loading);
		// A failure is not remembered: the package may be installed meanwhile.
		loading.catch(() => this.#pending.delete(key));
		return loading;
	}

	async #load(specifier: string, host: Host): Promise<LoadedPlugin> {
		// Loaded on first use: importing this package must cost next to nothing.
		const { loadPlugin, notAllowed } = await import("./load-plugin.ts");
		if (!this.#mayLoad(specifier)) throw notAllowed(specifier);
		return loadPlugin(specifier, host);
	}
}
