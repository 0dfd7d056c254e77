import fc from "fast-check";
import { expect, test } from "vitest";
import { healthyTranscript, plannerUse } from "./support/arbitraries.ts";
import { strictJudge, WIRES } from "./support/send.ts";
import { runStep } from "./support/steps.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 100);

test("what providers take they take after any built-in strategy, by the real provider packages", async () => {
	let sent = 0;
	await fc.assert(
		fc.asyncProperty(healthyTranscript, plannerUse, async (messages, use) => {
			const result = await runStep(use, messages);
			if (result.isUnchanged) return;
			// A service remembers what it was sent first.
			const judge = strictJudge();
			for (const wire of WIRES) {
				if ((await judge(wire, messages)) !== undefined) continue;
				sent += 1;
				expect({ wire, refusal: await judge(wire, result.messages) }).toEqual({ wire, refusal: undefined });
			}
		}),
		{ numRuns },
	);
	expect(sent).toBeGreaterThan(numRuns);
});
