import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startDraft } from "../../../src/core/edits/draft.ts";
import type { Message } from "../../../src/core/transcript/message.ts";
import { plannerUse, transcript } from "../../support/arbitraries.ts";
import { builtinStrategy, deepFreeze, isBlank, runPlanner, runStep } from "../../support/steps.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 400);

function said(messages: readonly Message[]): unknown {
	return JSON.parse(JSON.stringify(messages));
}

describe("every built-in strategy, on every transcript", () => {
	test("keeps the laws, touches no input, and tells exactly where each message comes from", async () => {
		await fc.assert(
			fc.asyncProperty(transcript, plannerUse, async (messages, use) => {
				const before = said(messages);
				const result = await runStep(use, deepFreeze([...messages]));
				expect(said(messages)).toEqual(before);
				const covered = new Set<number>();
				for (const [at, from] of result.provenance.entries()) {
					if ("kept" in from) {
						expect(result.messages[at]).toBe(messages[from.kept]);
						covered.add(from.kept);
					} else if ("rewritten" in from) {
						expect(result.messages[at]).not.toBe(messages[from.rewritten]);
						expect(result.messages[at]?.role).toBe(messages[from.rewritten]?.role);
					}
				}
				const gone = messages.filter((_, index) => !covered.has(index));
				expect(result.evicted).toEqual(gone);
				expect(result.evicted.every((message, index) => message === gone[index])).toBe(true);
				expect(result.replaced).toBe(gone.length);
				expect(result.messages.filter(isBlank).every((message) => messages.includes(message))).toBe(true);
			}),
			{ numRuns },
		);
	});

	test("has nothing left to do right after", async () => {
		await fc.assert(
			fc.asyncProperty(transcript, plannerUse, async (messages, use) => {
				const first = await runStep(use, messages);
				const second = await runStep(use, first.messages);
				expect(second.isUnchanged).toBe(true);
			}),
			{ numRuns },
		);
	});

	test("can follow any other: provenance stays in the first input's indices", async () => {
		await fc.assert(
			fc.asyncProperty(transcript, plannerUse, plannerUse, async (messages, firstUse, secondUse) => {
				let draft: Awaited<ReturnType<typeof runPlanner>>["draft"] = startDraft(messages);
				for (const use of [firstUse, secondUse]) {
					const planner = await builtinStrategy(use);
					if (planner.steps === undefined) ({ draft } = await runPlanner(planner, draft, messages));
				}
				const seen: number[] = [];
				for (const [at, from] of draft.provenance().entries()) {
					if ("kept" in from) expect(draft.messages[at]).toBe(messages[from.kept]);
					if ("summaryOf" in from)
						expect(from.summaryOf).toEqual([...new Set(from.summaryOf)].sort((a, b) => a - b));
					seen.push(
						...("kept" in from ? [from.kept] : "rewritten" in from ? [from.rewritten] : from.summaryOf),
					);
				}
				expect(new Set(seen).size).toBe(seen.length);
				expect(seen.every((index) => index >= 0 && index < messages.length)).toBe(true);
			}),
			{ numRuns },
		);
	});
});
