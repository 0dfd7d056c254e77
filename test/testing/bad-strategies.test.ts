import { describe, expect, test } from "vitest";
import clearToolResults from "../../plugins/strategies/clear-tool-results.ts";
import dropFailed from "../../plugins/strategies/drop-failed-tool-results.ts";
import dropReasoning from "../../plugins/strategies/drop-reasoning.ts";
import dropToolCalls from "../../plugins/strategies/drop-tool-calls.ts";
import keepRecent from "../../plugins/strategies/keep-recent.ts";
import structured from "../../plugins/strategies/structured.ts";
import summarizeOlder from "../../plugins/strategies/summarize-older.ts";
import truncateToolResults from "../../plugins/strategies/truncate-tool-results.ts";
import type { PlanningStrategy, StrategyDefinition } from "../../src/plugin.ts";
import { strategyContract } from "../../src/testing.ts";

/** Runs the suite against a definition and gives the failures, by the names of their tests. */
async function failures(
	definition: StrategyDefinition,
	options: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
	const tests: [string, () => Promise<void>][] = [];
	strategyContract({ test: (name, run) => tests.push([name, run]), definition, options, transcripts: 12 });
	const failed: string[] = [];
	for (const [name, run] of tests)
		await run().catch((error: Error) => failed.push(`${name}: ${error.message}`));
	return failed;
}

const plans = (plan: PlanningStrategy["plan"]): Promise<string> =>
	failures({
		name: "bad",
		schema: { type: "object", additionalProperties: false },
		create: () => ({ plan }),
	}).then((list) => list.join("\n"));

describe("the contract suite for strategies", () => {
	test("passes every built-in", async () => {
		const builtins = [
			clearToolResults,
			dropFailed,
			dropReasoning,
			dropToolCalls,
			keepRecent,
			structured,
			summarizeOlder,
			truncateToolResults,
		];
		for (const [index, builtin] of builtins.entries()) {
			// Under a name of its own: the built-in's is taken. As a third party it is held to the same laws; its
			// defaults come from its schema, whose references to shared files only the built-in way resolves.
			const { schema: _schema, ...rest } = builtin;
			const defaults = {
				keepLast: 2,
				preserveKinds: [],
				summaryTokens: { fraction: 0.2, max: 6000 },
				preserveRecent: 4,
				minMessages: 6,
				maxTokens: 50,
				keep: "both",
				dropEmptyMessages: true,
				placeholder: "[cleared]",
			};
			const again = {
				...rest,
				name: `again-${index}`,
				schema: { type: "object", additionalProperties: false },
				create: (_options: unknown, host: never) => builtin.create(defaults as never, host),
			};
			expect(await failures(again as unknown as StrategyDefinition)).toEqual([]);
		}
	}, 60_000);

	test("catches a strategy that drops a call without its results", async () => {
		expect(
			await plans((transcript) => [
				{ drop: [...transcript.keys()].filter((index) => transcript[index]?.role === "tool") },
			]),
		).toContain('"pairs"');
	});

	test("catches a strategy that drops leading system messages, or the last of the user's", async () => {
		expect(await plans((transcript) => (transcript[0]?.role === "system" ? [{ drop: [0] }] : []))).toContain(
			'"leading-system"',
		);
		expect(
			await plans((transcript) => [
				{ drop: [transcript.findLastIndex(({ role }) => role === "user")].filter((index) => index >= 0) },
			]),
		).toContain('"last-user"');
	});

	test("catches a strategy that empties messages", async () => {
		const emptied = await plans((transcript) =>
			[...transcript.entries()]
				.filter(([, { role }]) => role === "assistant")
				.slice(0, 1)
				.map(([index, message]) => ({ replace: index, with: { ...message, content: [] } })),
		);
		expect(emptied).toMatch(/"no-empty"|"pairs"/);
	});

	test("catches a strategy that writes to what it was given", async () => {
		expect(
			await plans((transcript) => {
				(transcript as unknown[]).pop();
				return [];
			}),
		).toContain('"bad"');
	});

	test("catches a strategy that gives indices that there are not", async () => {
		expect(await plans((transcript) => [{ drop: [transcript.length + 3] }])).toContain('"bad"');
	});

	test("catches a strategy whose plans differ by chance", async () => {
		let calls = 0;
		const found = await plans((transcript, { units }) => {
			calls += 1;
			const lone = units.members.filter(
				(members) => members.length === 1 && transcript[members[0] ?? 0]?.role === "assistant",
			);
			return calls % 2 === 0 ? [{ drop: lone.flat() }] : [];
		});
		expect(found).toContain("two passes over the same transcript differ");
	});

	test("catches an open schema", async () => {
		const open = await failures({
			name: "bad",
			schema: { type: "object", additionalProperties: true },
			create: () => ({ plan: () => [] }),
		});
		expect(open.join("\n")).toContain("additionalProperties");
	});
});
