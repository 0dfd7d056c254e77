import { usesOf } from "../config/uses.ts";
import { createRegistry } from "../flow/create-registry.ts";
import { createHost } from "../platform/create-host.ts";
import type { Registry } from "../registry/registry.ts";
import type { CommonFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { atLoad, baseUrlOf, findConfig } from "./load-compactor.ts";

/**
 * A registry with everything that the config names: its plugins, and the packages that bare names point to. The
 * config's other content may be wrong.
 * @throws CliError where a plugin that is named cannot be loaded
 */
export async function loadRegistry(flags: CommonFlags, io: CliIo): Promise<Registry> {
	const loaded = await findConfig(flags, io);
	const registry = createRegistry(flags.plugins ? {} : { allow: "none" });
	if (loaded === undefined || !flags.plugins) return registry;
	const host = createHost({ baseUrl: loaded.baseUrl ?? baseUrlOf(io) });
	const named: readonly unknown[] = Array.isArray(loaded.config.plugins) ? loaded.config.plugins : [];
	for (const specifier of named) {
		if (typeof specifier === "string") registry.add(await atLoad(registry.prepare(specifier, host)));
	}
	for (const { kind, use } of usesOf(loaded.config as unknown as Readonly<Record<string, unknown>>)) {
		// A name that leads nowhere is the business of "precis validate".
		await registry.find(kind, use.use, host).catch(() => undefined);
	}
	return registry;
}
