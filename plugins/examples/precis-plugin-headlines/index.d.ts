import type { Plugin } from "precis/plugin";

/** Options of the backend "headlines". */
export interface HeadlinesOptions {
	/** How many sentences of each message are kept; 1 by default. */
	perMessage?: number;
	/** Whose messages are kept; both by default. */
	roles?: ("user" | "assistant")[];
}

declare module "precis" {
	interface BackendOptions {
		headlines: HeadlinesOptions;
	}
}

declare const plugin: Plugin;
export default plugin;
