// Compiled, not run, where the packed package and an example plugin are installed: what a plugin's author and the
// user of a plugin see of types. A line marked @ts-expect-error that compiles is an error.
import type { Config } from "precis";
import { defineBackend, definePlugin, defineStrategy } from "precis/plugin";
import type { ResolvedRelayOptions } from "precis-plugin-relay";
import "precis-plugin-headlines";

// The plugin's options join the config's by declaration merging.
export const right: Config = {
	strategy: { use: "summarize-older" },
	backend: { use: "headlines", perMessage: 2 },
};
export const typo: Config = {
	strategy: { use: "summarize-older" },
	// @ts-expect-error a typo in a third party's option
	backend: { use: "headlines", perMesage: 2 },
};
export const wrong: Config = {
	strategy: { use: "summarize-older" },
	// @ts-expect-error a wrong value in a third party's option
	backend: { use: "relay", url: "http://x", style: "loud" },
};

// `create` knows the options' type, defaults filled in.
export const backend = defineBackend<ResolvedRelayOptions>({
	name: "mine",
	create(options) {
		const style: "brief" | "full" = options.style;
		// @ts-expect-error no such option
		options.nope;
		return { summarize: async () => ({ text: `${style} ${options.url}` }) };
	},
});

export const strategy = defineStrategy<{ readonly keep: number }>({
	name: "mine",
	create: ({ keep }) => ({ plan: (transcript) => [{ drop: [...transcript.keys()].slice(0, -keep) }] }),
});

// @ts-expect-error a backend that gives neither summarize nor generate
export const neither = defineBackend<object>({ name: "mine", create: () => ({}) });
export const form = defineBackend<object>({
	name: "mine",
	// @ts-expect-error an answer in no allowed form
	create: () => ({ summarize: async () => ({ summary: "" }) }),
});
// @ts-expect-error another version of the interface
export const version = definePlugin({ name: "mine", apiVersion: 2 });
export const plugin = definePlugin({
	name: "mine",
	apiVersion: 1,
	backends: [backend],
	strategies: [strategy],
});
