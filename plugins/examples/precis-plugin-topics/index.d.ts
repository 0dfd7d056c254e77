import type { Plugin } from "precis/plugin";

/** Options of the strategy "drop-topics". */
export interface DropTopicsOptions {
	/** The topics that are closed; a message says its own in `providerOptions.topics.name`. */
	closed: string[];
	/** Whether the messages are summarized instead of dropped; false by default. */
	summarize?: boolean;
}

/** The same with its defaults filled in. */
export interface ResolvedDropTopicsOptions extends DropTopicsOptions {
	summarize: boolean;
}

declare module "precis" {
	interface StrategyOptions {
		"drop-topics": DropTopicsOptions;
	}
}

declare const plugin: Plugin;
export default plugin;
