// Printed by scripts/codegen.mjs from plugins/. Do not edit.
import type { Definition } from "./registry/contract.ts";

/** Loads a first-party definition on first use. */
export type BuiltinLoader = () => Promise<{ default: Definition<unknown, never> }>;

/** The first-party plugins by kind and name: the only wire to plugins/. */
export const builtins: Readonly<Record<"strategies" | "backends" | "triggers" | "counters", Readonly<Record<string, BuiltinLoader>>>> = {
	strategies: {

	},
	backends: {

	},
	triggers: {

	},
	counters: {

	},
};
