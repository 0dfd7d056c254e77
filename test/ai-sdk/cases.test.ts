import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { type AgentEvent, compactionFor } from "../../src/ai-sdk.ts";
import type { Config, StrategyUse } from "../../src/generated/types.ts";
import { deepFreeze, scriptedModel } from "../../src/testing.ts";
import reports from "../cases/reports.json" with { type: "json" };
import { expand, PAD } from "../support/case-messages.ts";
import { strictProviders, WIRES } from "../support/send.ts";
import { namingBackend, step, TALK_CONFIG, talk } from "./support/talk.ts";

// The reports of other systems' faults that concern a live agent: steps, usage, approvals, races.

interface Input {
	readonly messages: ModelMessage[];
	readonly usageVariants?: readonly unknown[];
	readonly steps?: readonly object[];
	readonly totalUsage?: object;
}
const inputOf = (id: string): Input => {
	const found = reports.find((report) => report.id === id);
	if (found === undefined) throw new Error(`there is no case "${id}"`);
	return expand(found.input) as Input;
};

/** Long texts in the place of short ones, so that a summary is smaller than what it replaces. */
function padded(messages: readonly ModelMessage[]): ModelMessage[] {
	return messages.map((message) => {
		if (typeof message.content === "string" && message.role !== "system")
			return { ...message, content: message.content + PAD } as ModelMessage;
		if (typeof message.content === "string") return message;
		const content = message.content.map((part) =>
			part.type === "tool-result" && part.output.type === "text"
				? { ...part, output: { ...part.output, value: part.output.value + PAD } }
				: part,
		);
		return { ...message, content } as ModelMessage;
	});
}

const at = (max: number, strategy: StrategyUse, more: object = {}): Config => ({
	tokens: { window: 1_000_000, counter: { use: "ratio", charsPerToken: 4, perMessage: 0 } },
	trigger: { use: "tokens", max },
	strategy,
	...more,
});
const GOOD = "## Key facts\n- Shelf A1 holds 14 boxes\n## Pending tasks\n- Count shelf A2";
const stepWith = (messages: ModelMessage[], steps: readonly unknown[]) => ({
	...step(messages),
	steps,
	stepNumber: steps.length,
});

describe("what fills the window", () => {
	test("token-count-01: tools and instructions count", async () => {
		const { messages } = inputOf("token-count-01");
		const started: AgentEvent[] = [];
		const compaction = await compactionFor(at(300, { use: "keep-recent", keepLast: 1 }), {
			onEvent: (event) => event.type === "started" && started.push(event),
		});
		const alone = compaction.compactor.countTokens(messages);
		expect(alone).toBeLessThan(300);
		await compaction.prepareStep(step(messages));
		expect(started).toEqual([]);
		await compaction.forCall({ instructions: "x".repeat((301 - alone) * 4) }).prepareStep(step(messages));
		expect(started).toHaveLength(1);
	});

	test.each(inputOf("token-count-07").usageVariants ?? [])(
		"token-count-07: a usage of %o leaves the estimate",
		async (usage) => {
			const messages = padded(inputOf("token-count-07").messages);
			const events: AgentEvent[] = [];
			const { prepareStep } = await compactionFor(at(100, { use: "summarize-older", keepLast: 1 }), {
				backend: scriptedModel(GOOD),
				onEvent: (event) => events.push(event),
			});
			await prepareStep(stepWith(messages, [{ usage }]));
			const [started] = events;
			expect(started?.type === "started" && Number.isFinite(started.tokens) && started.tokens >= 100).toBe(
				true,
			);
		},
	);

	test("token-count-08: the last step's usage counts, not the sum over all steps", async () => {
		const { messages, steps = [], totalUsage } = inputOf("token-count-08");
		const events: AgentEvent[] = [];
		const { prepareStep } = await compactionFor(at(1000, { use: "keep-recent", keepLast: 1 }), {
			onEvent: (event) => events.push(event),
		});
		const answered: ModelMessage[] = [
			...messages,
			{ role: "assistant", content: "ok" },
			{ role: "user", content: "go on" },
		];
		await prepareStep({
			...stepWith(
				answered,
				steps.map((usage) => ({ usage })),
			),
			totalUsage,
		} as never);
		expect(events).toEqual([]);
	});

	test("no-progress-loop-07: what triggers and what decides is one figure, scaled", async () => {
		const messages = padded(inputOf("no-progress-loop-07").messages);
		const events: AgentEvent[] = [];
		const backend = scriptedModel(GOOD);
		const { prepareStep } = await compactionFor(at(20_000, { use: "summarize-older", keepLast: 2 }), {
			backend,
			onEvent: (event) => events.push(event),
		});
		const usage = { inputTokens: 24_000 };
		const answered: ModelMessage[] = [
			...messages,
			{ role: "assistant", content: "ok" },
			{ role: "user", content: "go on" },
		];
		const { messages: sent = answered } = await prepareStep(stepWith(answered, [{ usage }]));
		const finished = events.find((event) => event.type === "finished");
		expect(finished).toMatchObject({ status: "compacted", tokens: { before: expect.any(Number) } });
		if (finished?.type !== "finished") throw new Error("unreachable");
		expect(finished.tokens.before).toBeGreaterThanOrEqual(24_000);
		expect(finished.tokens.after).toBeLessThan(finished.tokens.before);
		expect(sent.length).toBeLessThan(answered.length);
	});

	test("no-progress-loop-01: a pass that wins nothing is not begun again at every step", async () => {
		const messages = inputOf("no-progress-loop-01").messages;
		const backend = scriptedModel(`## Key facts\n- ${PAD.repeat(20)}`);
		const { prepareStep } = await compactionFor(at(100, { use: "summarize-older", keepLast: 1 }), {
			backend,
		});
		for (let again = 0; again < 10; again += 1) await prepareStep(step(messages));
		expect(backend.requests.length).toBeLessThanOrEqual(2);
	});
});

describe("what belongs together stays together, as the provider's own server sees it", () => {
	const strategies: readonly StrategyUse[] = [
		{ use: "summarize-older", keepLast: 2 },
		{ use: "clear-tool-results", keepLast: 1 },
		{ use: "drop-failed-tool-results" },
		{ use: "drop-tool-calls", keepLast: 1 },
		{ use: "keep-recent", keepLast: 1 },
	];
	const ids = [
		"approvals-01",
		"approvals-03",
		"provider-executed-02",
		"provider-executed-03",
		"provider-executed-04",
		"reasoning-adjacency-01",
		"reasoning-adjacency-06",
	];

	test.each(ids)(
		"%s: at every step, by every strategy, what is sent is taken where the whole was",
		async (id) => {
			const messages = padded(inputOf(id).messages);
			const servers = await strictProviders();
			const taken = new Set<string>();
			for (let length = 1; length <= messages.length; length += 1) {
				for (const wire of WIRES) {
					const refusal = await servers.send(wire, messages.slice(0, length));
					if (refusal === undefined) taken.add(`${wire} ${length}`);
				}
			}
			let changed = 0;
			for (const strategy of strategies) {
				const compaction = await compactionFor(at(400, strategy), { backend: scriptedModel(GOOD) });
				for (let length = 1; length <= messages.length; length += 1) {
					const { messages: sent } = await compaction.prepareStep(step(messages.slice(0, length)));
					if (sent === undefined) continue;
					changed += 1;
					for (const wire of WIRES.filter((name) => taken.has(`${name} ${length}`))) {
						const refusal = await servers.send(wire, sent);
						expect([strategy.use, wire, length, refusal]).toEqual([strategy.use, wire, length, undefined]);
					}
				}
			}
			expect(changed).toBeGreaterThan(0);
			await servers.close();
		},
	);

	test("provider-executed-04: what a provider ran is sent back as it was, or not at all", async () => {
		const messages = padded(inputOf("provider-executed-04").messages);
		const { prepareStep } = await compactionFor(at(50, { use: "clear-tool-results", keepLast: 1 }));
		const { messages: sent = messages } = await prepareStep(step(messages));
		expect(sent[1]).toBe(messages[1]);
	});

	test("system-prompt-lost-01: what stands in front stays in front", async () => {
		const { messages } = inputOf("system-prompt-lost-01");
		const { prepareStep } = await compactionFor(at(1, { use: "keep-recent", keepLast: 2 }));
		const { messages: sent = messages } = await prepareStep(step(messages));
		expect(sent[0]).toBe(messages[0]);
	});
});

describe("races", () => {
	test("concurrency-03: the message that nobody has answered yet is the last one", async () => {
		const messages = padded(inputOf("concurrency-03").messages);
		const { prepareStep } = await compactionFor(at(800, { use: "summarize-older", keepLast: 0 }), {
			backend: scriptedModel(GOOD),
		});
		const { messages: sent = [] } = await prepareStep(step(messages));
		expect(sent.at(-1)).toBe(messages.at(-1));
		expect(sent.length).toBeLessThan(messages.length);
	});

	test("input-mutation-01: frozen messages are taken, and what the host does to its list meanwhile changes nothing", async () => {
		const history = deepFreeze(talk(25)) as ModelMessage[];
		const list = [...history];
		const { prepareStep } = await compactionFor(TALK_CONFIG, {
			backend: namingBackend(() => {
				list.length = 0;
			}),
		});
		const { messages = [] } = await prepareStep(step(list));
		expect(messages.slice(1)).toEqual(history.slice(21));
	});

	test("provider-error-01: after a failure the next pass sees everything that the first one saw", async () => {
		let fails = true;
		const backend = namingBackend(() => {
			if (fails) throw Object.assign(new Error("overloaded"), { statusCode: 503 });
		});
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		const history = talk(25);
		expect(await prepareStep(step(history))).toEqual({});
		expect(history).toEqual(talk(25));
		fails = false;
		await prepareStep(step(talk(29)));
		expect(backend.shown[1]?.slice(0, 3)).toEqual(["a0", "a1", "a2"]);
	});

	test("previous-summary-04: folded again and again, a summary stays within its budget and knows the newest", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(
			{
				...TALK_CONFIG,
				strategy: { use: "summarize-older", keepLast: 4, summaryTokens: { fraction: 0.2, max: 160 } },
			},
			{ backend },
		);
		let longest = 0;
		for (let length = 1; length <= 201; length += 2) {
			const { messages = [] } = await prepareStep(step(talk(length)));
			const [summary] = messages;
			if (summary?.providerOptions?.precis?.summary === undefined) continue;
			longest = Math.max(longest, JSON.stringify(summary.content).length);
		}
		expect(backend.shown.length).toBeGreaterThan(6);
		expect(longest).toBeLessThan(160 * 6);
	});
});
