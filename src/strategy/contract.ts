import type { CompactionReason } from "../backend/contract.ts";
import type { Edit } from "../core/edits/edit.ts";
import type { Message } from "../core/transcript/message.ts";
import type { Units } from "../core/transcript/units.ts";

/** What a strategy may use while it plans. */
export interface PlanContext {
	/** The size that the pass aims at, in tokens. */
	readonly targetTokens: number;
	/** The size of the whole transcript now, in tokens. */
	readonly totalTokens: number;
	/** Tokens of the message at an index, remembered; or of a text. */
	countTokens(of: number | string): number;
	/** How the messages hang together; computed on first use. */
	readonly units: Units;
	readonly reason: CompactionReason;
	readonly signal: AbortSignal;
}

/** A strategy that proposes edits. It never changes anything itself. */
export interface PlanningStrategy {
	plan(transcript: readonly Message[], context: PlanContext): readonly Edit[] | Promise<readonly Edit[]>;
	/** Whether it asks for summaries; then a config without a backend fails before anything else. */
	readonly summarizes?: boolean;
	steps?: undefined;
}

/** A use of a plugged-in thing, as configs write it: its name, its own options beside it. */
export interface Use {
	readonly use: string;
}

/**
 * A strategy that is made of others: all of them in turn ("end"), in turn until the target is met ("fits"),
 * or the first that does not fail ("first").
 */
export interface CompositeStrategy {
	readonly steps: readonly Use[];
	readonly until: "end" | "fits" | "first";
	plan?: undefined;
}

export type Strategy = PlanningStrategy | CompositeStrategy;
