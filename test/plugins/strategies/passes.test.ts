import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	type Backend,
	type CompactionResult,
	type Config,
	createCompactor,
	isCompactionError,
} from "../../../src/index.ts";
import { plannerUse, transcript } from "../../support/arbitraries.ts";
import { deepFreeze } from "../../support/steps.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 150);

const backend: Backend = { summarize: async () => ({ sections: { key_facts: ["A1 holds 14"] } }) };

/** A pipeline of one or two built-ins, with every text long enough that a summary is smaller. */
const config: fc.Arbitrary<Config> = fc
	.record({
		steps: fc.array(plannerUse, { minLength: 1, maxLength: 2 }),
		until: fc.constantFrom("end", "fits"),
		target: fc.constantFrom(50, 5_000, 500_000),
	})
	.map(({ steps, until, target }) => {
		const strategy = { use: "pipeline", steps, until };
		return { strategy, target: { tokens: target } } as unknown as Config;
	});

/** A pass; undefined where the target leaves a summary no room, which is the config's fault. */
async function attempt(
	using: Config,
	messages: readonly ModelMessage[],
): Promise<CompactionResult | undefined> {
	const compactor = await createCompactor(using, { backend });
	try {
		return await compactor.compact(messages);
	} catch (error) {
		if (isCompactionError(error) && error.code === "BUDGET_TOO_SMALL") return undefined;
		throw error;
	}
}

describe("whole passes on every transcript", () => {
	test("give exact figures, win something or change nothing, and leave nothing to a second pass of one step", async () => {
		let compacted = 0;
		await fc.assert(
			fc.asyncProperty(transcript, config, async (generated, using) => {
				const messages = deepFreeze([...generated]) as readonly ModelMessage[];
				const result = await attempt(using, messages);
				if (result === undefined) return;
				const kept = result.provenance.flatMap((from) => ("kept" in from ? [from.kept] : []));
				expect(result.evicted).toEqual(messages.filter((_, index) => !kept.includes(index)));
				expect(result.replaced).toBe(result.evicted.length);
				for (const [at, from] of result.provenance.entries())
					if ("kept" in from) expect(result.messages[at]).toBe(messages[from.kept]);
				if (result.status === "unchanged") {
					expect(result.messages).toEqual(messages);
					expect(result.tokens.after).toBe(result.tokens.before);
					return;
				}
				compacted += 1;
				expect(result.tokens.after).toBeLessThan(result.tokens.before);
				expect(result.applyTo([...messages, ...messages.slice(0, 1)])).toHaveLength(
					result.messages.length + (messages.length > 0 ? 1 : 0),
				);
				if ((using.strategy as unknown as { steps: readonly unknown[] }).steps.length > 1) return;
				expect((await attempt(using, result.messages))?.status ?? "unchanged").toBe("unchanged");
			}),
			{ numRuns },
		);
		expect(compacted).toBeGreaterThan(numRuns / 10);
	});

	test("do what the plan says, which calls no backend", async () => {
		await fc.assert(
			fc.asyncProperty(transcript, config, async (generated, using) => {
				const { steps } = using.strategy as unknown as {
					readonly steps: readonly { readonly use: string }[];
				};
				// In a plan the first summary counts for its whole budget, so that a second may seem worth more.
				if (steps.filter(({ use }) => use === "summarize-older" || use === "structured").length > 1) return;
				const messages = generated as readonly ModelMessage[];
				const result = await attempt({ ...using, target: { tokens: 500_000 } }, messages);
				if (result === undefined || result.status === "unchanged") return;
				// Nor can a plan know that a backend will have nothing to say that is short enough.
				if (result.log.some(({ why }) => why.includes("no summary fits in half of that"))) return;
				let calls = 0;
				const counting: Backend = {
					summarize: async () => {
						calls += 1;
						return { text: "never" };
					},
				};
				const compactor = await createCompactor(
					{ ...using, target: { tokens: 500_000 } },
					{ backend: counting },
				);
				const plan = await compactor.plan(messages);
				expect(calls).toBe(0);
				expect(plan.provenance).toEqual(result.provenance);
			}),
			{ numRuns },
		);
	});
});
