import type { Host } from "../backend/host.ts";
import { workingFolderUrl } from "./files.ts";
import { importModule } from "./import-module.ts";

/** What code may hand in instead of the machine's own. */
export interface HostOptions {
	/** URL of the folder that modules are looked up from; the working directory's by default. */
	readonly baseUrl?: string | undefined;
	/** An AI SDK `LanguageModel`. */
	readonly languageModel?: unknown;
}

/** The machine as plugins see it. */
export function createHost(options: HostOptions = {}): Host {
	const baseUrl = options.baseUrl ?? workingFolderUrl();
	return {
		baseUrl,
		env: (name) => process.env[name],
		fetch: (...args) => globalThis.fetch(...args),
		importModule: (specifier) => importModule(specifier, baseUrl),
		model: async (id) => {
			const { lookupModel } = await import("./models.ts");
			return lookupModel(id);
		},
		languageModel: options.languageModel,
		now: () => Date.now(),
	};
}
