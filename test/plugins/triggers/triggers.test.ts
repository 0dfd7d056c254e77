import { readFileSync } from "node:fs";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import contextWindow from "../../../plugins/triggers/context-window.ts";
import messages from "../../../plugins/triggers/messages.ts";
import never from "../../../plugins/triggers/never.ts";
import tokens from "../../../plugins/triggers/tokens.ts";
import turns from "../../../plugins/triggers/turns.ts";
import { type Config, createCompactor } from "../../../src/index.ts";
import { createHost } from "../../../src/platform/create-host.ts";
import type { Host, Trigger, TriggerDefinition, TriggerState } from "../../../src/plugin.ts";

const host: Host = createHost({ baseUrl: undefined, languageModel: undefined });

async function ask<Options>(
	definition: TriggerDefinition<Options>,
	options: Options,
	state: Partial<TriggerState>,
): Promise<string | undefined> {
	const trigger: Trigger = await definition.create(options, host);
	if (trigger.check === undefined) throw new TypeError("expected a trigger of its own");
	return trigger.check({ messages: [], tokens: 0, windowTokens: 1000, turns: 0, ...state });
}

interface TriggerCase {
	readonly id: string;
	readonly topic: string;
	readonly given: {
		readonly item_count?: number;
		readonly length?: number;
		readonly context_window?: number;
		readonly percent?: number;
		readonly usage_newest_last?: readonly (number | null)[];
	};
	readonly expect: { readonly fires: boolean };
	readonly why: string;
}

const cases = (
	JSON.parse(readFileSync(new URL("../../cases/seeds.json", import.meta.url), "utf8")) as TriggerCase[]
).filter(({ topic }) => topic === "trigger");
const given = (id: string): TriggerCase => {
	const found = cases.find((one) => one.id === id);
	if (found === undefined) throw new TypeError(`there is no case ${id}`);
	return found;
};

const talk = (length: number, words = 1): ModelMessage[] =>
	Array.from(
		{ length },
		(_, index): ModelMessage => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content: "word ".repeat(words),
		}),
	);

const STRATEGY = { use: "keep-recent", keepLast: 2 } as const;
const CHARS_BY_FOUR = { counter: { use: "ratio", charsPerToken: 4, perMessage: 0 } } as const;

describe("the trigger on messages", () => {
	test.each(["trigger-001", "trigger-002"].map(given))(
		"$id: $why",
		async ({ given: { item_count, length }, expect: { fires } }) => {
			const answer = await ask(messages, { max: item_count ?? 0 }, { messages: talk(length ?? 0) });
			expect(answer !== undefined).toBe(fires);
			if (fires) expect(answer).toBe(`The transcript has ${length} messages, more than ${item_count}.`);
		},
	);
});

describe("the trigger on the context window", () => {
	test.each([
		[799, undefined],
		[800, "The next request has about 800 tokens, 80 % of the window of 1000; the limit is 80 % (800)."],
		[2000, "The next request has about 2000 tokens, 200 % of the window of 1000; the limit is 80 % (800)."],
	])("fires at its share of the window: %d of 1000 tokens", async (size, answer) => {
		expect(await ask(contextWindow, { percent: 80 }, { tokens: size })).toBe(answer);
	});

	test("rounds its threshold down, and says it", async () => {
		const trigger = await contextWindow.create({ percent: 33.3 }, host);
		expect(trigger.check === undefined ? undefined : trigger.thresholdTokens?.(1001)).toBe(333);
	});

	const compactor = (percent = 80) =>
		createCompactor({
			trigger: { use: "context-window", percent },
			tokens: { ...CHARS_BY_FOUR, window: 1000 },
			strategy: STRATEGY,
		});

	test("trigger-007, trigger-008: a percentage out of range is an error, never clamped", async () => {
		for (const percent of [0, 250]) {
			await expect(compactor(percent)).rejects.toThrowError(
				expect.objectContaining({ code: "CONFIG_INVALID" }),
			);
		}
	});

	test("trigger-009: a window of 0 is an error", async () => {
		await expect(createCompactor({ tokens: { window: 0 }, strategy: STRATEGY })).rejects.toThrowError(
			expect.objectContaining({ code: "CONFIG_INVALID" }),
		);
	});

	test("trigger-006: asks at any point, between tool results too", async () => {
		const asking: ModelMessage[] = [
			{ role: "user", content: "word ".repeat(700) },
			{ role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "count", input: {} }] },
			{
				role: "tool",
				content: [
					{ type: "tool-result", toolCallId: "c1", toolName: "count", output: { type: "text", value: "14" } },
				],
			},
		];
		expect((await compactor()).shouldCompact(asking)?.trigger).toBe("context-window");
	});
});

describe("the triggers on tokens and turns, and none", () => {
	test("tokens fires above its number, which is its threshold", async () => {
		expect(await ask(tokens, { max: 100 }, { tokens: 100 })).toBeUndefined();
		expect(await ask(tokens, { max: 100 }, { tokens: 101 })).toBe(
			"The next request has about 101 tokens, more than 100.",
		);
		const trigger = await tokens.create({ max: 100 }, host);
		expect(trigger.check === undefined ? undefined : trigger.thresholdTokens?.(5000)).toBe(100);
	});

	test("turns fires above its number", async () => {
		expect(await ask(turns, { max: 3 }, { turns: 3 })).toBeUndefined();
		expect(await ask(turns, { max: 3 }, { turns: 4 })).toBe("The transcript has 4 turns, more than 3.");
	});

	test("never never fires", async () => {
		expect(await ask(never, {}, { tokens: 1e9, turns: 1e9, messages: talk(50) })).toBeUndefined();
	});
});

describe("triggers made of others", () => {
	const compactor = (trigger: Config["trigger"]) =>
		createCompactor({
			...(trigger === undefined ? {} : { trigger }),
			tokens: CHARS_BY_FOUR,
			strategy: STRATEGY,
		});

	test("any fires with the first that fires, and names it", async () => {
		const either = await compactor({
			use: "any",
			of: [
				{ use: "messages", max: 5 },
				{ use: "tokens", max: 100 },
			],
		});
		expect(either.shouldCompact(talk(4))).toBeUndefined();
		expect(either.shouldCompact(talk(6))?.trigger).toBe("messages");
		expect(either.shouldCompact(talk(2, 200))?.trigger).toBe("tokens");
	});

	test("all fires when each fires, and says all their figures", async () => {
		const both = await compactor({
			use: "all",
			of: [
				{ use: "messages", max: 5 },
				{ use: "tokens", max: 100 },
			],
		});
		expect(both.shouldCompact(talk(6))).toBeUndefined();
		expect(both.shouldCompact(talk(2, 200))).toBeUndefined();
		const reason = both.shouldCompact(talk(6, 40));
		expect(reason?.trigger).toBe("all");
		expect(reason?.detail).toContain("6 messages, more than 5");
		expect(reason?.detail).toContain("tokens, more than 100");
	});

	test("may nest, and the smallest threshold among them sets the target", async () => {
		const nested = await compactor({
			use: "any",
			of: [
				{ use: "tokens", max: 9000 },
				{
					use: "all",
					of: [
						{ use: "tokens", max: 1000 },
						{ use: "turns", max: 2 },
					],
				},
			],
		});
		expect(nested.targetTokens).toBe(700);
	});
});
