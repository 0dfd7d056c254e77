import type { Guidance } from "../backend/contract.ts";
import { checkGiven, type OptionShapes } from "../config/check-given.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { CompactorOptions } from "../flow/create-compactor.ts";
import { COMPACTOR_OPTIONS, GUIDANCE } from "../flow/option-shapes.ts";
import type { Archive } from "./archive.ts";
import type { AgentEvent } from "./events.ts";
import type { StateHooks } from "./memory.ts";

/** How a compaction behaves in an agent. */
export interface CompactionOptions extends Omit<CompactorOptions, "onEvent">, StateHooks {
	/**
	 * What becomes of a request whose summary could not be made: it is sent as it is where it fits, and trimmed where
	 * it does not ("keep"); older messages are left out of it at once ("trim"); or the error is thrown ("throw").
	 * "keep" by default. After a failure nothing is tried again until the history has grown, by twice as much each time.
	 */
	readonly onFailure?: "keep" | "trim" | "throw";
	/** Whether a step waits for the summary ("now", the default), or one is begun earlier while the agent goes on ("ahead"). */
	readonly when?: "now" | "ahead";
	/** With "ahead": the share of the trigger's tokens at which a summary is begun, above 0 and below 1. 0.75 by default. */
	readonly aheadAt?: number;
	/** Takes in the originals of all messages that are evicted. */
	readonly archive?: Archive;
	/** Words of the host that reach the summarizer. */
	readonly guidance?: Guidance;
	/** Hears what happens; what it throws is ignored. */
	readonly onEvent?: (event: AgentEvent) => unknown;
}

const SHAPES: OptionShapes<CompactionOptions> = {
	...COMPACTOR_OPTIONS,
	onFailure: ["keep", "trim", "throw"],
	when: ["now", "ahead"],
	aheadAt: "positive",
	archive: "object",
	guidance: "object",
	load: "function",
	save: "function",
};

/** @throws CompactionError CONFIG_INVALID naming every option that is unknown or wrong */
export function checkCompactionOptions(options: CompactionOptions): void {
	checkGiven<CompactionOptions>("make a compaction", options, SHAPES);
	checkGiven<Guidance>("take the guidance", options.guidance, GUIDANCE);
	const { aheadAt } = options;
	if (aheadAt === undefined || (aheadAt > 0 && aheadAt < 1)) return;
	throw new CompactionError(
		"CONFIG_INVALID",
		`Cannot compact ahead: "aheadAt" is ${aheadAt}; expected a share above 0 and below 1.`,
	);
}

/** The same with every default filled in. */
export interface EngineOptions extends StateHooks {
	readonly onFailure: "keep" | "trim" | "throw";
	readonly when: "now" | "ahead";
	readonly aheadAt: number;
	readonly archive: Archive | undefined;
	readonly guidance: Guidance | undefined;
	readonly onEvent: ((event: AgentEvent) => unknown) | undefined;
}
