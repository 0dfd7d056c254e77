import type { Host } from "../backend/host.ts";
import { checkGiven } from "../config/check-given.ts";
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
	readonly allow?: Allowance;
}

/** Which modules may be loaded, where not every one may. */
export type Allowance = "none" | readonly string[];

/** What one registry and those that are limited to less have in common. */
interface Shared {
	readonly loaded: LoadedPlugin[];
	readonly byName: Map<string, Registered>;
	readonly templates: Map<string, { template: TemplateDefinition; origin: string }>;
	readonly pending: Map<string, Promise<LoadedPlugin>>;
}

function conflict(
	kind: PluginKind | "template",
	name: string,
	origin: string,
	other: string,
): CompactionError {
	return new CompactionError(
		"PLUGIN_CONFLICT",
		`Cannot register the ${kind} "${name}" of "${origin}": "${other}" gives one of that name too.`,
	);
}

/** Finds strategies, backends, triggers, counters and templates by name; what is not built in is loaded on first use. */
export class Registry {
	readonly #builtins: Builtins;
	readonly #allows: readonly Allowance[];
	readonly #shared: Shared;

	/** @throws CompactionError CONFIG_INVALID, PLUGIN_INVALID, PLUGIN_CONFLICT */
	constructor(
		builtins: Builtins,
		options: RegistryOptions = {},
		limits?: readonly Allowance[],
		shared?: Shared,
	) {
		checkGiven<RegistryOptions>("make a registry", options, { plugins: "list", allow: "allowance" });
		this.#builtins = builtins;
		this.#allows = limits ?? (options.allow === undefined ? [] : [options.allow]);
		this.#shared = shared ?? { loaded: [], byName: new Map(), templates: new Map(), pending: new Map() };
		for (const plugin of options.plugins ?? [])
			this.add({ plugin: checkPlugin(plugin, plugin?.name ?? "plugin"), origin: plugin.name });
	}

	/** This registry for a config that may load less: both know what either has loaded. */
	limitedTo(allow: Allowance | undefined): Registry {
		if (allow === undefined) return this;
		return new Registry(this.#builtins, {}, [...this.#allows, allow], this.#shared);
	}

	/** The templates that plugins gave, by name. */
	get templates(): Readonly<Record<string, TemplateDefinition>> {
		return Object.fromEntries([...this.#shared.templates].map(([name, { template }]) => [name, template]));
	}

	/** The plugins that were loaded, in order, with the specifiers that they were loaded by. */
	get plugins(): readonly LoadedPlugin[] {
		return this.#shared.loaded;
	}

	/** The names of a kind that are built in, sorted. */
	builtinNames(kind: PluginKind): readonly string[] {
		return Object.keys(this.#builtins[LIST_OF[kind]]).sort();
	}

	/** The names that are known of a kind, sorted. */
	names(kind: PluginKind): readonly string[] {
		const own = this.builtinNames(kind);
		const others = [...this.#shared.byName.keys()]
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

	/** Registers all that a plugin gives, or nothing of it. @throws CompactionError PLUGIN_CONFLICT naming both */
	add(loaded: LoadedPlugin): void {
		const { plugin, origin } = loaded;
		const known = this.#shared;
		if (known.loaded.some((other) => other.plugin === plugin)) return;
		const byName = new Map<string, Registered>();
		for (const kind of PLUGIN_KINDS) {
			for (const definition of definitionsOf(plugin, kind)) {
				const { name } = definition;
				const key = `${kind}:${name}`;
				const isBuiltin = Object.hasOwn(this.#builtins[LIST_OF[kind]], name);
				const other = isBuiltin ? "precis itself" : (known.byName.get(key) ?? byName.get(key))?.origin;
				if (other !== undefined) throw conflict(kind, name, origin, other);
				byName.set(key, { definition, origin, builtin: false });
			}
		}
		const templates = Object.entries(plugin.templates ?? {});
		for (const [name] of templates) {
			const other = known.templates.get(name)?.origin;
			if (other !== undefined) throw conflict("template", name, origin, other);
		}
		for (const [key, registered] of byName) known.byName.set(key, registered);
		for (const [name, template] of templates) known.templates.set(name, { template, origin });
		known.loaded.push(loaded);
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
		const known = this.#shared.byName.get(`${kind}:${name}`);
		if (known !== undefined) return known;
		const { candidatePackages, isInstalled, notFound } = await import("./load-plugin.ts");
		for (const specifier of candidatePackages(name)) {
			if (!this.#mayLoad(specifier) || !(await isInstalled(specifier, host))) continue;
			this.add(await this.#import(specifier, host));
			const registered = this.#shared.byName.get(`${kind}:${name}`);
			if (registered !== undefined) return registered;
		}
		throw notFound(kind, name, this.names(kind));
	}

	#mayLoad(specifier: string): boolean {
		return this.#allows.every((allow) => allow !== "none" && allow.includes(specifier));
	}

	async #import(specifier: string, host: Host): Promise<LoadedPlugin> {
		// Before what another config has loaded: this one may not have it.
		if (!this.#mayLoad(specifier)) throw (await import("./load-plugin.ts")).notAllowed(specifier);
		const key = `${host.baseUrl} ${specifier}`;
		const pending = this.#shared.pending.get(key);
		if (pending !== undefined) return pending;
		// Loaded on first use: importing this package must cost next to nothing.
		const loading = import("./load-plugin.ts").then(({ loadPlugin }) => loadPlugin(specifier, host));
		this.#shared.pending.set(key, loading);
		// A failure is not remembered: the package may be installed meanwhile.
		loading.catch(() => this.#shared.pending.delete(key));
		return loading;
	}
}
