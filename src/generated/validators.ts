// Printed by scripts/codegen.mjs from schemas/. Do not edit.
/** One error of a validator, in ajv's form (verbose). */
export interface ValidationError { keyword: string; instancePath: string; schemaPath?: string; params: Record<string, unknown>; message?: string; data?: unknown; parentSchema?: Record<string, unknown>; schema?: unknown }
/** Checks a value in place and fills defaults; problems stand in `errors`. */
export interface Validator { (value: unknown): boolean; errors?: ValidationError[] | null }
/** Validators by schema path, for example "strategies/keep-recent"; each is loaded on first use. */
const validators: Readonly<Record<string, () => Promise<Validator>>> = {
	"config": async () => (await import("./validators/config.ts")).validator,
	"template": async () => (await import("./validators/template.ts")).validator,
	"summary": async () => (await import("./validators/summary.ts")).validator,
	"result": async () => (await import("./validators/result.ts")).validator,
	"plugin": async () => (await import("./validators/plugin.ts")).validator,
	"strategies/clear-tool-results": async () => (await import("./validators/strategies/clear-tool-results.ts")).validator,
	"strategies/drop-failed-tool-results": async () => (await import("./validators/strategies/drop-failed-tool-results.ts")).validator,
	"strategies/drop-reasoning": async () => (await import("./validators/strategies/drop-reasoning.ts")).validator,
	"strategies/drop-tool-calls": async () => (await import("./validators/strategies/drop-tool-calls.ts")).validator,
	"strategies/fallback": async () => (await import("./validators/strategies/fallback.ts")).validator,
	"strategies/keep-recent": async () => (await import("./validators/strategies/keep-recent.ts")).validator,
	"strategies/pipeline": async () => (await import("./validators/strategies/pipeline.ts")).validator,
	"strategies/structured": async () => (await import("./validators/strategies/structured.ts")).validator,
	"strategies/summarize-older": async () => (await import("./validators/strategies/summarize-older.ts")).validator,
	"strategies/truncate-tool-results": async () => (await import("./validators/strategies/truncate-tool-results.ts")).validator,
	"backends/ai-sdk": async () => (await import("./validators/backends/ai-sdk.ts")).validator,
	"backends/extractive": async () => (await import("./validators/backends/extractive.ts")).validator,
	"backends/http": async () => (await import("./validators/backends/http.ts")).validator,
	"triggers/all": async () => (await import("./validators/triggers/all.ts")).validator,
	"triggers/any": async () => (await import("./validators/triggers/any.ts")).validator,
	"triggers/context-window": async () => (await import("./validators/triggers/context-window.ts")).validator,
	"triggers/messages": async () => (await import("./validators/triggers/messages.ts")).validator,
	"triggers/never": async () => (await import("./validators/triggers/never.ts")).validator,
	"triggers/tokens": async () => (await import("./validators/triggers/tokens.ts")).validator,
	"triggers/turns": async () => (await import("./validators/triggers/turns.ts")).validator,
	"counters/heuristic": async () => (await import("./validators/counters/heuristic.ts")).validator,
	"counters/o200k": async () => (await import("./validators/counters/o200k.ts")).validator,
	"counters/ratio": async () => (await import("./validators/counters/ratio.ts")).validator,
};

/** The validator of a schema, by its path: "config", "strategies/keep-recent". */
export async function loadValidator(path: string): Promise<Validator> {
	const load = Object.hasOwn(validators, path) ? validators[path] : undefined;
	if (load === undefined) throw new TypeError(`Cannot check a value: no validator is printed for "${path}"`);
	return load();
}
