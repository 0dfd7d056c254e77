import type { ModelMessage } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../src/core/transcript/message.ts";
import {
	type Backend,
	type CompactionResult,
	type Config,
	compact,
	isCompactionError,
} from "../src/index.ts";
import { type StrictProviders, strictProviders, WIRES, type Wire } from "./support/send.ts";
import { hasSharedData, sharedNames, sharedTranscript } from "./support/shared-data.ts";

/** All transcripts and strategies, or a few that stand for the rest. */
const isFull = process.env.PRECIS_FULL === "1";

const FEW_NAMES = [
	"agentkit-support-triage-grok",
	"claudecode-parallel-tasks",
	"inspect-browser",
	"tau-airline-dupids",
];

type StrategyConfig = Config["strategy"];

const FEW: readonly StrategyConfig[] = [
	{ use: "summarize-older", keepLast: 3 },
	{ use: "structured" },
	{ use: "keep-recent", keepLast: 4 },
	{ use: "drop-reasoning" },
	{ use: "drop-failed-tool-results" },
	{ use: "drop-tool-calls" },
	{ use: "clear-tool-results" },
	{ use: "truncate-tool-results", maxTokens: 60 },
	{
		use: "pipeline",
		steps: [
			{ use: "drop-reasoning" },
			{ use: "clear-tool-results" },
			{ use: "summarize-older", keepLast: 2 },
		],
	},
	{ use: "fallback", steps: [{ use: "structured", preserveRecent: 3 }, { use: "keep-recent" }] },
];

const ALL: readonly StrategyConfig[] = [
	...FEW,
	...[0, 1, 2, 5, 8, 13].flatMap((keepLast): StrategyConfig[] => [
		{ use: "summarize-older", keepLast },
		{ use: "keep-recent", keepLast },
		{ use: "drop-tool-calls", keepLast },
		{ use: "clear-tool-results", keepLast },
	]),
	{ use: "summarize-older", keepLast: 1, keepTokens: 3000 },
	{ use: "summarize-older", preserveKinds: ["tool"] },
	{ use: "summarize-older", preserveKinds: ["user"], summaryRole: "assistant" },
	{ use: "structured", preserveRecent: 1, keepTokens: 2000 },
	{ use: "keep-recent", keepLast: 1, keepTokens: 3000, preserveKinds: ["user"] },
	{ use: "drop-reasoning", dropEmptyMessages: false },
	{ use: "drop-failed-tool-results", dropEmptyMessages: false },
	{ use: "truncate-tool-results", maxTokens: 20, keep: "tail" },
];

/** Transcripts that are refused as they are, and by whom: nothing can be said of what becomes of them. */
const REFUSED: Readonly<Record<string, readonly Wire[]>> = {
	"qmsum-ES2004b": ["anthropic", "thinking"],
	"qmsum-covid_4": ["anthropic", "thinking"],
	"tau-airline-dupids": ["anthropic", "thinking"],
	// They end with tool results of a step that was made without thinking.
	"specstory-cc-otelreview2": ["thinking"],
	"specstory-cc-shellpaths": ["thinking"],
	"specstory-cc-watch": ["thinking"],
	"sweagent-ctf-web": ["thinking"],
	"sweagent-marshmallow-1867": ["thinking"],
	"tau-airline-033": ["thinking"],
	"tau-airline-052": ["thinking"],
};

const backend: Backend = {
	summarize: async () => ({ sections: { key_facts: ["Shelf A1 holds 14 boxes"] } }),
};

/** One pass; undefined where so little would go that no summary fits in half of it. */
async function attempt(input: readonly Message[], config: Config): Promise<CompactionResult | undefined> {
	try {
		return await compact(input as readonly ModelMessage[], config, { backend });
	} catch (error) {
		if (isCompactionError(error) && error.code === "BUDGET_TOO_SMALL") return undefined;
		throw error;
	}
}

describe.skipIf(!hasSharedData)(
	"what becomes of real transcripts (skipped where the shared ones are absent)",
	() => {
		let providers: StrictProviders;
		beforeAll(async () => {
			providers = await strictProviders();
		});
		afterAll(async () => {
			await providers.close();
		});

		test.each(isFull ? sharedNames : FEW_NAMES)(
			"%s: every built-in's output is taken by every provider that takes the input",
			async (name) => {
				const input = sharedTranscript(name);
				const refusing: Wire[] = [];
				for (const wire of WIRES) {
					if ((await providers.send(wire, input)) !== undefined) refusing.push(wire);
				}
				expect(refusing).toEqual(REFUSED[name] ?? []);
				let changed = 0;
				for (const strategy of isFull ? ALL : FEW) {
					const config: Config = { strategy, target: { tokens: 500_000 } };
					const result = await attempt(input, config);
					if (result === undefined || result.status === "unchanged") continue;
					changed += 1;
					for (const wire of WIRES) {
						if (refusing.includes(wire)) continue;
						const refusal = await providers.send(wire, result.messages as readonly Message[]);
						expect({ strategy, wire, refusal }).toEqual({ strategy, wire, refusal: undefined });
					}
				}
				expect(changed).toBeGreaterThan(0);
			},
			600_000,
		);
	},
);
