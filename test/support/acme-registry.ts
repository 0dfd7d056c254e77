import { builtins } from "../../src/builtins.ts";
import { Registry } from "../../src/registry/registry.ts";

/** A registry with the built-ins and a third party's backend "acme", whose options this schema describes. */
export function acmeRegistry(schema: object): Registry {
	const acme = { name: "acme", schema, create: () => ({ summarize: async () => ({ text: "" }) }) };
	return new Registry(builtins, { plugins: [{ name: "acme", apiVersion: 1, backends: [acme] }] });
}
