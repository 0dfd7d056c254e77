import { builtins } from "../builtins.ts";
import { Registry, type RegistryOptions } from "../registry/registry.ts";

/** A registry with the built-ins, and plugins that code hands in. */
export function createRegistry(options: RegistryOptions = {}): Registry {
	return new Registry(builtins, options);
}
