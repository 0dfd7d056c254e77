import { CompactionError, type Host } from "../../../src/plugin.ts";

/** What a module exports, whether it was written as ESM or as CommonJS. */
export type Exports = Readonly<Record<string, unknown>>;

function isMissing(error: unknown, name: string): boolean {
	const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
	// The package may be there and miss one of its own.
	return code === "ERR_MODULE_NOT_FOUND" && String(message).includes(name);
}

/**
 * Imports a package that the model needs.
 * @throws CompactionError BACKEND_FAILED that says what to install
 */
export async function loadPackage(name: string, model: string, host: Host, hint = ""): Promise<Exports> {
	try {
		const module = await host.importModule(name);
		const inner = module.default;
		return typeof inner === "object" && inner !== null ? { ...inner, ...module } : module;
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new CompactionError(
			"BACKEND_FAILED",
			isMissing(cause, name)
				? `Cannot use the model "${model}": the package "${name}" is not installed. Run "npm install ${name}".${hint}`
				: `Cannot use the model "${model}": the package "${name}" cannot be loaded: ${why}`,
			{ cause },
		);
	}
}
