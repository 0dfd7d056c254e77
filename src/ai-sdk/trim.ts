import type { ModelMessage } from "ai";
import type { Message } from "../core/transcript/message.ts";
import type { StrategyUse } from "../generated/types.ts";
import type { Ask, Engine } from "./engine.ts";

/** A number of tokens that no window has: as many messages stay as the target allows. */
const ALL_THAT_FIT = 1_000_000_000;

/** From the mildest on; each next step is taken only where what the last one left does not fit. */
const LADDER: readonly StrategyUse[] = [
	{ use: "keep-recent", keepLast: 4, keepTokens: ALL_THAT_FIT },
	{ use: "truncate-tool-results", maxTokens: 2000 },
	{ use: "keep-recent", keepLast: 0 },
	{ use: "truncate-tool-results", maxTokens: 200 },
];

/**
 * Leaves out of one request what is oldest, without any model. The memory of the conversation does not change: a
 * later summary still covers all of it.
 * @param targetTokens by the compactor's own count
 * @returns undefined where the messages fit, or nothing can be left out
 */
export async function trim(
	engine: Engine,
	ask: Ask,
	messages: readonly Message[],
	targetTokens: number,
): Promise<readonly Message[] | undefined> {
	const { compactor } = engine;
	const overhead = ask.overheadTokens === undefined ? {} : { overheadTokens: ask.overheadTokens };
	const before = compactor.assess(messages as readonly ModelMessage[], overhead).tokens;
	if (before <= targetTokens) return undefined;
	try {
		const result = await compactor.compact(messages as readonly ModelMessage[], {
			...overhead,
			strategy: LADDER,
			targetTokens: Math.max(1, targetTokens),
			reason: { trigger: "overflow", detail: "The request would not fit, and there is no summary." },
		});
		if (result.status !== "compacted") return undefined;
		engine.tell({ type: "trimmed", tokens: { before, after: result.tokens.after } }, ask.id);
		return result.messages as readonly Message[];
	} catch {
		// A transcript that cannot be trimmed is sent as it is: the provider may still take it.
		return undefined;
	}
}
