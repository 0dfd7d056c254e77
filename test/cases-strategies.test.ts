import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import {
	type Backend,
	type CompactionResult,
	type Config,
	compact,
	createCompactor,
	isCompactionError,
} from "../src/index.ts";
import type { Plugin } from "../src/registry/contract.ts";
import cases from "./cases/seeds.json" with { type: "json" };
import { type CaseItem, caseMessages } from "./support/case-messages.ts";
import { deepFreeze } from "./support/steps.ts";

interface CaseStep {
	readonly strategy: string;
	readonly keep_last?: number;
	readonly preserve?: readonly string[];
	readonly drop_empty_items?: boolean;
	readonly steps?: readonly CaseStep[];
}

interface Case {
	readonly id: string;
	readonly area: string;
	readonly topic: string;
	readonly given: CaseStep & {
		readonly items: readonly CaseItem[];
		readonly messages: readonly { readonly role: string; readonly parts: CaseItem["parts"] }[];
		readonly backend?: "none" | { readonly returns_items?: number; readonly fails_with?: string };
		readonly cancellation?: string;
		readonly preserve_recent: number;
		readonly min_messages: number;
	};
	readonly expect: Expected;
	readonly prefer?: Expected;
}

interface Expected {
	readonly out?: readonly (number | string)[];
	readonly kept?: readonly number[];
	readonly replaced?: number;
	readonly summarized?: readonly number[];
	readonly parts_left?: readonly number[];
	readonly error?: string;
	readonly split_index?: number;
}

const all = cases as unknown as readonly Case[];

function given(id: string): Case {
	const found = all.find((one) => one.id === id);
	if (found === undefined) throw new Error(`there is no case "${id}"`);
	return found;
}

const NAMES: Readonly<Record<string, string>> = {
	summarize_older: "summarize-older",
	keep_recent: "keep-recent",
	drop_reasoning: "drop-reasoning",
	drop_failed_tool_results: "drop-failed-tool-results",
	pipeline: "pipeline",
};

/** A case's strategy, as our configs write it. */
function useOf(step: CaseStep): Config["strategy"] {
	return {
		use: NAMES[step.strategy] ?? step.strategy,
		...(step.keep_last === undefined ? {} : { keepLast: step.keep_last }),
		...(step.preserve === undefined ? {} : { preserveKinds: step.preserve }),
		...(step.drop_empty_items === undefined ? {} : { dropEmptyMessages: step.drop_empty_items }),
		...(step.steps === undefined ? {} : { steps: step.steps.map(useOf) }),
	} as unknown as Config["strategy"];
}

/** A backend that answers with so many messages, and counts how often it is asked. */
function itemsBackend(count = 1): Backend & { calls: number } {
	const backend = {
		calls: 0,
		async summarize() {
			backend.calls += 1;
			return {
				messages: Array.from({ length: count }, (_, index) => ({
					role: "user",
					content: `item ${index + 1}`,
				})),
			};
		},
	};
	return backend;
}

function outOf({ provenance }: CompactionResult): (number | "S")[] {
	return provenance.map((from) => ("kept" in from ? from.kept : "rewritten" in from ? from.rewritten : "S"));
}

async function failure(run: () => Promise<unknown>): Promise<string> {
	const error = await run().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!isCompactionError(error)) throw new Error(`expected a CompactionError, got ${String(error)}`);
	return error.code;
}

async function run(id: string, backend: Backend = itemsBackend()): Promise<CompactionResult> {
	const one = given(id).given;
	const strategy = useOf({ ...one, strategy: one.strategy ?? "pipeline" });
	return compact(caseMessages(one.items), { strategy }, { backend });
}

describe("summarize-older", () => {
	test.each([
		"older-001",
		"older-004",
		"older-006",
		"older-014",
		"older-015",
		"older-019",
		"older-023",
		"older-028",
		"older-030",
		"older-031",
	])("%s: keeps and summarizes what the case says", async (id) => {
		const { given: one, expect: expected, prefer } = given(id);
		const wanted = { ...expected, ...prefer };
		const backend = itemsBackend();
		const input = caseMessages(one.items);
		const result = await compact(input, { strategy: useOf(one) }, { backend });
		expect(outOf(result)).toEqual(wanted.out?.map((at) => (typeof at === "string" ? "S" : at)));
		expect(result.replaced).toBe(wanted.replaced);
		expect(result.evicted).toEqual(wanted.summarized?.map((index) => input[index]));
		expect(backend.calls).toBe((wanted.summarized ?? []).length > 0 ? 1 : 0);
	});

	test("older-003: never summarizes a leading system message", async () => {
		expect(outOf(await run("older-003"))).toEqual([0, "S", 4, 5]);
	});

	test("older-017: evicts first what came in broken", async () => {
		expect(outOf(await run("older-017"))).toEqual(["S", 1, 3]);
	});

	test("older-024: joins what a backend answers into the one message", async () => {
		const result = await run("older-024", itemsBackend(2));
		expect(outOf(result)).toEqual(["S", 3, 4]);
		expect(result.summary?.text).toContain("item 1");
		expect(result.summary?.text).toContain("item 2");
	});

	test.each(["older-009", "older-010", "older-011"])(
		"%s: without a backend fails before anything else",
		async (id) => {
			const one = given(id).given;
			expect(
				await failure(() => compact(caseMessages(one.items), { strategy: useOf(one), backend: null })),
			).toBe("MISSING_BACKEND");
		},
	);

	test("older-026: passes a backend's failure on, after one call", async () => {
		let calls = 0;
		const backend: Backend = {
			async summarize() {
				calls += 1;
				throw new Error("the service is down");
			},
		};
		expect(await failure(() => run("older-026", backend))).toBe("BACKEND_FAILED");
		expect(calls).toBe(1);
	});

	test("older-034: cancelled before it began makes no call", async () => {
		const one = given("older-034").given;
		const backend = itemsBackend();
		const signal = AbortSignal.abort();
		expect(
			await failure(() => compact(caseMessages(one.items), { strategy: useOf(one) }, { backend, signal })),
		).toBe("CANCELLED");
		expect(backend.calls).toBe(0);
	});

	test("older-035: changes nothing of its input and keeps the very objects", async () => {
		const input = deepFreeze(caseMessages(given("older-035").given.items));
		const result = await compact(
			input,
			{ strategy: useOf(given("older-035").given) },
			{ backend: itemsBackend() },
		);
		expect(result.messages.at(-1)).toBe(input.at(-1));
		expect(result.evicted[0]).toBe(input[0]);
	});
});

describe("keep-recent", () => {
	test.each(["recent-002", "recent-007"])("%s: drops what the case says", async (id) => {
		const { expect: expected } = given(id);
		const result = await run(id);
		expect(outOf(result)).toEqual(expected.out);
		expect(result.replaced).toBe(expected.replaced);
	});

	test("recent-001: where a user's message came first, widens the cut to one", async () => {
		expect(outOf(await run("recent-001"))).toEqual([2, 3, 4]);
	});

	test("recent-006: with keepLast 0 still keeps the last user message", async () => {
		expect(outOf(await run("recent-006"))).toEqual([0, 1, 2]);
	});

	test("recent-008: lets the older of two pairs with one id go, and keeps the last user message", async () => {
		expect(outOf(await run("recent-008"))).toEqual([2, 3, 4]);
	});
});

describe("drop-reasoning and drop-failed-tool-results", () => {
	test.each([
		"reasoning-001",
		"reasoning-003",
		"reasoning-004",
		"reasoning-005",
		"failed-001",
		"failed-004",
		"failed-005",
		"failed-007",
	])("%s: leave what the case says", async (id) => {
		const { expect: expected, prefer } = given(id);
		const wanted = { ...expected, ...prefer };
		const result = await run(id);
		expect(outOf(result)).toEqual(wanted.out);
		expect(result.replaced).toBe(wanted.replaced);
		if (prefer === undefined) {
			expect(
				result.messages.map(({ content }) => (typeof content === "string" ? 1 : content.length)),
			).toEqual(wanted.parts_left);
		}
	});

	test("reasoning-006: drop messages that they emptied, by default", async () => {
		const messages: ModelMessage[] = [
			{ role: "user", content: "Count." },
			{ role: "assistant", content: [{ type: "reasoning", text: "Hm." }] },
			{ role: "user", content: "Well?" },
		];
		expect(outOf(await compact(messages, { strategy: { use: "drop-reasoning" } }))).toEqual([0, 2]);
		const keeping = { use: "drop-reasoning", dropEmptyMessages: false } as const;
		expect((await compact(messages, { strategy: keeping })).status).toBe("unchanged");
	});

	test("failed-006: with dropEmptyMessages false leave a message that would be emptied as it was", async () => {
		const result = await run("failed-006");
		expect(result.status).toBe("unchanged");
		expect(outOf(result)).toEqual([0, 1]);
	});
});

/** A strategy that a test hands in. */
function plugin(name: string, plan: (context: { readonly reason: unknown }) => void): Plugin {
	return {
		name,
		apiVersion: 1,
		strategies: [
			{
				name,
				create: () => ({
					plan(_transcript, context) {
						plan(context);
						return [];
					},
				}),
			},
		],
	};
}

async function withPlugin(given_: Plugin, config: unknown, options: object = {}): Promise<CompactionResult> {
	const { createRegistry } = await import("../src/index.ts");
	const registry = createRegistry({ plugins: [given_] });
	return compact(caseMessages(given("pipeline-011").given.items), config as Config, { registry, ...options });
}

describe("a pipeline", () => {
	test.each(["pipeline-002", "pipeline-013"])(
		"%s: runs its steps on what the one before left",
		async (id) => {
			const { expect: expected } = given(id);
			const result = await run(id);
			expect(outOf(result)).toEqual(expected.kept);
			expect(result.replaced).toBe(expected.replaced);
		},
	);

	test.each(["pipeline-004", "pipeline-005"])("%s: without steps is a mistake in the config", async (id) => {
		expect(await failure(() => run(id))).toBe("CONFIG_INVALID");
	});

	test("pipeline-006: cancelled before it began runs no step", async () => {
		let steps = 0;
		const counting = plugin("counting", () => {
			steps += 1;
		});
		const config = { strategy: [{ use: "counting" }] };
		expect(await failure(() => withPlugin(counting, config, { signal: AbortSignal.abort() }))).toBe(
			"CANCELLED",
		);
		expect(steps).toBe(0);
	});

	test("pipeline-008: cancelled by its last step commits nothing", async () => {
		const controller = new AbortController();
		const cancelling = plugin("cancelling", () => controller.abort());
		const config = { strategy: [{ use: "cancelling" }] };
		expect(await failure(() => withPlugin(cancelling, config, { signal: controller.signal }))).toBe(
			"CANCELLED",
		);
	});

	test("pipeline-010: merges metadata key by key, the later wins", async () => {
		let calls = 0;
		const backend: Backend = {
			async summarize() {
				calls += 1;
				return { text: "so far", metadata: calls === 1 ? { x: { p: 1 }, y: 1 } : { x: { q: 2 } } };
			},
		};
		const strategy: Config["strategy"] = [
			{ use: "summarize-older", keepLast: 3 },
			{ use: "summarize-older", keepLast: 1 },
		];
		const result = await compact(caseMessages(given("pipeline-010").given.items), { strategy }, { backend });
		expect(calls).toBe(2);
		expect(result.metadata).toEqual({ x: { q: 2 }, y: 1 });
		expect(outOf(result)).toEqual(["S", 4]);
	});

	test("pipeline-011: shows every step the same reason, and every backend the same metadata", async () => {
		const seen: unknown[] = [];
		const reason = { trigger: "manual", detail: "The caller asked for it." };
		const looking = plugin("looking", (context) => seen.push(context.reason));
		const backend: Backend = {
			async summarize(request) {
				seen.push(request.reason, request.metadata);
				return { text: "so far" };
			},
		};
		const strategy = [{ use: "looking" }, { use: "looking" }, { use: "summarize-older", keepLast: 1 }];
		await withPlugin(looking, { strategy }, { backend, reason, metadata: { k: "v" } });
		expect(seen).toEqual([reason, reason, reason, { k: "v" }]);
	});

	test("pipeline-014: keeps the summary that an earlier step made", async () => {
		const result = await run("pipeline-014");
		expect(outOf(result)).toEqual(["S", 4]);
		expect(result.replaced).toBe(4);
	});
});

describe("a compactor", () => {
	const items = caseMessages(given("compactor-001").given.items);

	test("compactor-001: with the trigger never has no reason", async () => {
		const compactor = await createCompactor({
			trigger: { use: "never" },
			strategy: { use: "keep-recent", keepLast: 1 },
		});
		expect(compactor.shouldCompact(items)).toBeUndefined();
	});

	test("compactor-002: gives messages, count and metadata", async () => {
		const backend: Backend = { summarize: async () => ({ text: "so far", metadata: { cost: 3 } }) };
		const result = await compact(items, { strategy: { use: "summarize-older", keepLast: 1 } }, { backend });
		expect(result).toMatchObject({ status: "compacted", replaced: 4, metadata: { cost: 3 } });
	});

	test("compactor-004: cannot be made without a strategy", async () => {
		expect(await failure(() => createCompactor({} as Config))).toBe("CONFIG_INVALID");
	});

	test("compactor-005: counts what was replaced in the same way everywhere", async () => {
		const events: { readonly name: string }[] = [];
		const result = await compact(
			items,
			{ strategy: { use: "summarize-older", keepLast: 4 } },
			{ backend: itemsBackend(), onEvent: (event) => events.push(event) },
		);
		expect(result.replaced).toBe(1);
		const pass = events.find(({ name }) => name === "precis.compaction.pass");
		expect(pass).toMatchObject({ replaced: 1 });
	});

	test("compactor-006: cancelled says so by its code and tells it, and the transcript is as it was", async () => {
		const events: { readonly name: string }[] = [];
		const before = structuredClone(items);
		const controller = new AbortController();
		const backend: Backend = {
			summarize: () => {
				controller.abort();
				return new Promise(() => undefined);
			},
		};
		const pass = compact(
			items,
			{ strategy: { use: "summarize-older", keepLast: 1 } },
			{ backend, signal: controller.signal, onEvent: (event) => events.push(event) },
		);
		expect(await failure(() => pass)).toBe("CANCELLED");
		expect(items).toEqual(before);
		expect(JSON.stringify(events.find(({ name }) => name === "precis.compaction.pass"))).toContain(
			"CANCELLED",
		);
	});
});

describe("a backend that is an agent of its own", () => {
	const older: Config = { strategy: { use: "summarize-older", keepLast: 1, ledger: false } };

	test("agent-001: is shown what tools were asked and what they found", async () => {
		const items = [
			...given("agent-001").given.items,
			{ kind: "user", parts: [{ text: "next" }] },
			{ kind: "user", parts: [{ text: "and next" }] },
		];
		let prompt = "";
		const backend: Backend = {
			async generate(request) {
				prompt = request.prompt;
				return { text: "### Key facts\n- 14", finishReason: "stop" };
			},
		};
		await compact(caseMessages(items), older, { backend });
		for (const word of ["hi", "sure", "count", "shelf", "14", '"b":1']) expect(prompt).toContain(word);
	});

	test("agent-002: has all the text that it answers in one message of kind context", async () => {
		const backend: Backend = {
			summarize: async () => ({
				messages: [
					{ role: "assistant", content: "part one" },
					{
						role: "assistant",
						content: [
							{ type: "text", text: "part two" },
							{ type: "text", text: "part three" },
						],
					},
				],
			}),
		};
		const result = await compact(caseMessages(given("older-001").given.items), older, { backend });
		expect(result.messages).toHaveLength(2);
		expect(result.messages[0]?.providerOptions?.precis?.kind).toBe("context");
		const text = result.summary?.text ?? "";
		const places = ["part one", "part two", "part three"].map((part) => text.indexOf(part));
		expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true);
	});

	test("agent-003: that answers nothing fails the pass", async () => {
		const backend: Backend = { summarize: async () => ({ messages: [] }) };
		const items = caseMessages(given("older-001").given.items);
		expect(await failure(() => compact(items, older, { backend }))).toBe("BLANK_SUMMARY");
	});

	test("agent-005: cancelled while it runs is cancelled, not failed", async () => {
		const controller = new AbortController();
		const backend: Backend = {
			async summarize() {
				controller.abort();
				throw new Error("the session was stopped");
			},
		};
		const items = caseMessages(given("older-001").given.items);
		expect(await failure(() => compact(items, older, { backend, signal: controller.signal }))).toBe(
			"CANCELLED",
		);
	});

	test("agent-007: that is missing is named before anything runs", async () => {
		expect(await failure(() => compact([], { ...older, backend: null }))).toBe("MISSING_BACKEND");
	});
});

describe("structured", () => {
	const messagesOf = (id: string): ModelMessage[] =>
		caseMessages(given(id).given.messages.map(({ role, parts }) => ({ kind: role, parts })));

	/** Where the kept tail begins. */
	async function splitOf(id: string, more: object = {}): Promise<number> {
		const { preserve_recent: preserveRecent, min_messages: minMessages } = given(id).given;
		const strategy = { use: "structured", preserveRecent, minMessages, ...more } as Config["strategy"];
		const result = await compact(messagesOf(id), { strategy }, { backend: itemsBackend() });
		if (result.status === "unchanged") return 0;
		const out = outOf(result);
		return out[out.indexOf("S") + 1] as number;
	}

	test.each(["split-004", "split-008", "split-009", "split-011", "split-015"])(
		"%s: splits where the case says",
		async (id) => {
			expect(await splitOf(id)).toBe(given(id).expect.split_index);
		},
	);

	test("split-005: without a turn boundary takes the nearest cut that parts no unit", async () => {
		expect(await splitOf("split-005")).toBe(3);
	});

	test("split-012: with keepTokens that hold everything still summarizes the first exchange", async () => {
		expect(await splitOf("split-012", { keepTokens: 34_000 })).toBe(given("split-012").expect.split_index);
	});

	test("split-014: with keepTokens keeps as many more as fit, cut at a turn", async () => {
		const compactor = await createCompactor({ strategy: { use: "structured" } });
		const messages = messagesOf("split-014");
		// The case's 25 tokens hold four messages; two of them are the floor.
		const keepTokens = compactor.countTokens(messages.slice(8, 10)) + 5;
		expect(await splitOf("split-014", { keepTokens })).toBe(given("split-014").expect.split_index);
	});
});

test("every given case of strategies and pipelines is here, or is one of triggers", async () => {
	const { readFileSync } = await import("node:fs");
	const source = readFileSync(new URL(import.meta.url), "utf8");
	const ids = all
		.filter(({ area, topic }) => (area === "strategy" || area === "pipeline") && topic !== "trigger")
		.map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(50);
	expect(ids.filter((id) => !source.includes(id))).toEqual([]);
});
