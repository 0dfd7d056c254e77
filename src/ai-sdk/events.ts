import type { CompactionResult, PassUsage } from "../result/compaction-result.ts";

/** Which conversation an event is of; absent where the host named none. */
interface Of {
	readonly id?: string;
}

/** What an agent's user interface may show. Tokens are as the provider counts, as far as it has told. */
export type AgentEvent =
	| (Of & {
			readonly type: "started";
			/** "now" holds the step up, "ahead" does not, "rescue" follows a provider's refusal. */
			readonly when: "now" | "ahead" | "rescue";
			readonly trigger: string;
			readonly detail: string;
			readonly tokens: number;
			readonly windowTokens: number;
	  })
	| (Of & {
			readonly type: "progress";
			/** The name of the event of the pass, its fields beside it. */
			readonly name: string;
			readonly detail: Readonly<Record<string, unknown>>;
	  })
	| (Of & {
			readonly type: "finished";
			readonly status: CompactionResult["status"];
			readonly unchanged?: NonNullable<CompactionResult["unchanged"]>;
			readonly tokens: { readonly before: number; readonly after: number };
			/** What the summary cost; `costUSD` where the model's price is known. */
			readonly usage: PassUsage;
			readonly summary?: string;
			/** History messages that went out of the request. */
			readonly evicted: number;
	  })
	| (Of & {
			readonly type: "failed";
			/** What failed: the pass, or the host's own `save`, `load` or archive. */
			readonly stage: "pass" | "save" | "load" | "archive";
			readonly code: string;
			readonly message: string;
			readonly error: unknown;
			/** What became of the request. */
			readonly action: "kept" | "trimmed" | "thrown";
	  })
	| (Of & {
			/** Older messages were left out of one request, with no summary in their place; nothing is lost for later ones. */
			readonly type: "trimmed";
			readonly tokens: { readonly before: number; readonly after: number };
	  });

/** Tells a listener; what it throws, now or later, is its own affair. */
export function tellSafely(listener: ((event: AgentEvent) => unknown) | undefined, event: AgentEvent): void {
	try {
		const returned = listener?.(event);
		if (returned instanceof Promise) returned.catch(() => undefined);
	} catch {
		// A user interface never decides over a request.
	}
}
