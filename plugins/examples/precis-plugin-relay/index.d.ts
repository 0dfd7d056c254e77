import type { Plugin } from "precis/plugin";

/** Options of the backend "relay". */
export interface RelayOptions {
	/** Where the service listens. */
	url: string;
	/** The environment variable that holds the service's token; absent means none is sent. */
	tokenEnv?: string;
	/** How much the service is asked to write; "full" by default. */
	style?: "brief" | "full";
}

/** The same with its defaults filled in. */
export interface ResolvedRelayOptions extends RelayOptions {
	style: "brief" | "full";
}

declare module "precis" {
	interface BackendOptions {
		relay: RelayOptions;
	}
}

declare const plugin: Plugin;
export default plugin;
