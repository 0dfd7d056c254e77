// Printed by scripts/codegen.mjs from plugins/. Do not edit.
import type { Definition } from "./registry/contract.ts";

/** Loads a first-party definition on first use. */
export type BuiltinLoader = () => Promise<{ default: Definition<unknown, never> }>;

/** The first-party plugins by kind and name: the only wire to plugins/. */
export const builtins: Readonly<Record<"strategies" | "backends" | "triggers" | "counters", Readonly<Record<string, BuiltinLoader>>>> = {
	strategies: {
		"clear-tool-results": () => import("../plugins/strategies/clear-tool-results.ts"),
		"drop-failed-tool-results": () => import("../plugins/strategies/drop-failed-tool-results.ts"),
		"drop-reasoning": () => import("../plugins/strategies/drop-reasoning.ts"),
		"drop-tool-calls": () => import("../plugins/strategies/drop-tool-calls.ts"),
		"fallback": () => import("../plugins/strategies/fallback.ts"),
		"keep-recent": () => import("../plugins/strategies/keep-recent.ts"),
		"pipeline": () => import("../plugins/strategies/pipeline.ts"),
		"structured": () => import("../plugins/strategies/structured.ts"),
		"summarize-older": () => import("../plugins/strategies/summarize-older.ts"),
		"truncate-tool-results": () => import("../plugins/strategies/truncate-tool-results.ts"),
	},
	backends: {
		"ai-sdk": () => import("../plugins/backends/ai-sdk.ts"),
		"extractive": () => import("../plugins/backends/extractive.ts"),
		"http": () => import("../plugins/backends/http.ts"),
	},
	triggers: {
		"all": () => import("../plugins/triggers/all.ts"),
		"any": () => import("../plugins/triggers/any.ts"),
		"context-window": () => import("../plugins/triggers/context-window.ts"),
		"messages": () => import("../plugins/triggers/messages.ts"),
		"never": () => import("../plugins/triggers/never.ts"),
		"tokens": () => import("../plugins/triggers/tokens.ts"),
		"turns": () => import("../plugins/triggers/turns.ts"),
	},
	counters: {
		"heuristic": () => import("../plugins/counters/heuristic.ts"),
		"o200k": () => import("../plugins/counters/o200k.ts"),
		"ratio": () => import("../plugins/counters/ratio.ts"),
	},
};
