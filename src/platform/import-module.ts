/** What resolving a specifier gives: a URL to import, or why there is none. */
export type Resolution = { readonly url: string } | { readonly missing: true; readonly cause: unknown };

const BY_RUNTIME = /^(?:npm|jsr|node|https?|data):/;

/** An `npm:` specifier without its version. */
const NPM = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)/;

const isPath = (specifier: string): boolean => /^(?:[./]|file:)/.test(specifier);

/**
 * Resolves a module specifier as seen from a folder: relative and absolute paths, `file:` URLs, packages.
 * `npm:`, `jsr:` and the like are left to the runtime.
 */
export async function resolveModule(specifier: string, baseUrl: string): Promise<Resolution> {
	if (BY_RUNTIME.test(specifier)) return { url: specifier };
	// Node's own two-argument `import.meta.resolve` throws on Deno, and `createRequire` misses packages that
	// only export an "import" condition; this package implements Node's algorithm on all three runtimes.
	const { resolve } = await import("import-meta-resolve");
	try {
		return { url: resolve(isPath(specifier) ? new URL(specifier, baseUrl).href : specifier, baseUrl) };
	} catch (cause) {
		return { missing: true, cause };
	}
}

/** Imports a module as seen from a folder. @throws the runtime's error, with code ERR_MODULE_NOT_FOUND where there is none */
export async function importModule(specifier: string, baseUrl: string): Promise<Record<string, unknown>> {
	// Paths need no look-up: the runtime resolves a URL by itself.
	if (isPath(specifier)) return (await import(new URL(specifier, baseUrl).href)) as Record<string, unknown>;
	const resolution = await resolveModule(specifier, baseUrl);
	if ("url" in resolution) {
		try {
			return (await import(resolution.url)) as Record<string, unknown>;
		} catch (cause) {
			// A runtime that knows `npm:` may still refuse it to an installed package; then it is looked up as installed.
			const bare = NPM.exec(specifier)?.[1];
			if (bare === undefined) throw cause;
			return importModule(bare, baseUrl);
		}
	}
	// Not installed beside the config: the package's own neighbours and the runtime's import map come last.
	return (await import(specifier)) as Record<string, unknown>;
}

/** Whether an error of an import says that the module itself is not there. */
export function isModuleNotFound(error: unknown): boolean {
	const code = (error as { code?: unknown } | undefined)?.code;
	return (
		code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" || code === "ERR_PACKAGE_PATH_NOT_EXPORTED"
	);
}
