import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import {
	type Backend,
	type Config,
	compact,
	createCompactor,
	createRegistry,
	isCompactionError,
} from "../../src/index.ts";

const PAD =
	"The crate list repeats the same long row of words for every crate on every shelf of the hall. ".repeat(12);
const ANSWER = "### Key facts\n- Shelf A1 holds 14 boxes\n### Pending tasks\n- Count shelf A2";

/** Turns of user and assistant, long enough that a summary is smaller than what it replaces. */
function talk(turns: number): ModelMessage[] {
	return Array.from(
		{ length: turns * 2 },
		(_, index): ModelMessage => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content: `m${index} ${PAD}`,
		}),
	);
}

/** A backend whose model answers from a list, and remembers what it was asked. */
function scripted(...answers: readonly (string | Error)[]): Backend & { readonly prompts: string[] } {
	const prompts: string[] = [];
	return {
		prompts,
		async generate({ prompt }) {
			const answer = answers[Math.min(prompts.length, answers.length - 1)] ?? "";
			prompts.push(prompt);
			if (answer instanceof Error) throw answer;
			return { text: answer, finishReason: "stop" };
		},
	};
}

const OLDER: Config = { strategy: { use: "summarize-older", keepLast: 2, ledger: false } };

async function failure(
	run: () => Promise<unknown>,
): Promise<{ readonly code: string; readonly name: string; readonly message: string }> {
	const error = await run().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!isCompactionError(error)) throw new Error(`expected a CompactionError, got ${String(error)}`);
	return error;
}

describe("a pass", () => {
	test("replaces the older part by one summary and keeps the newest messages, the very same objects", async () => {
		const messages = talk(5);
		const result = await compact(messages, OLDER, { backend: scripted(ANSWER) });
		expect(result.status).toBe("compacted");
		expect(result.messages).toHaveLength(3);
		expect(result.messages[1]).toBe(messages[8]);
		expect(result.messages[2]).toBe(messages[9]);
		expect(result.summary?.sections).toMatchObject({
			key_facts: ["Shelf A1 holds 14 boxes"],
			pending_tasks: ["Count shelf A2"],
		});
		expect(result.provenance).toEqual([{ summaryOf: [0, 1, 2, 3, 4, 5, 6, 7] }, { kept: 8 }, { kept: 9 }]);
		expect(result.replaced).toBe(8);
		expect(result.evicted).toEqual(messages.slice(0, 8));
		expect(result.tokens.after).toBeLessThan(result.tokens.before);
		expect(result.usage.calls).toBe(1);
	});

	test("never asks the trigger; shouldCompact does", async () => {
		const compactor = await createCompactor(
			{ ...OLDER, trigger: { use: "never" } },
			{ backend: scripted(ANSWER) },
		);
		expect(compactor.shouldCompact(talk(5))).toBeUndefined();
		expect((await compactor.compact(talk(5))).status).toBe("compacted");
	});

	test("works offline, with no key, by default", async () => {
		const result = await compact(talk(6), { strategy: { use: "summarize-older", keepLast: 2 } });
		expect(result.status).toBe("compacted");
		expect(result.summary?.source).toBe("backend");
	});

	test("with nothing to evict is unchanged and says so", async () => {
		const messages = talk(1);
		const result = await compact(messages, OLDER, { backend: scripted(ANSWER) });
		expect(result).toMatchObject({
			status: "unchanged",
			unchanged: "nothing-to-evict",
			replaced: 0,
			usage: { calls: 0 },
		});
		expect(result.messages).toEqual(messages);
	});

	test("no-progress-loop-03: where no summary could be smaller, is unchanged before any call", async () => {
		const backend = scripted(ANSWER);
		const messages: ModelMessage[] = [
			{ role: "user", content: "Hi." },
			{ role: "assistant", content: "Hello." },
			{ role: "user", content: "Count A1." },
		];
		const result = await compact(
			messages,
			{ strategy: { use: "summarize-older", keepLast: 1 } },
			{ backend },
		);
		expect(result).toMatchObject({ status: "unchanged", unchanged: "no-progress" });
		expect(backend.prompts).toHaveLength(0);
	});

	test("whose summaryTokens cannot hold a summary fails before any call", async () => {
		const backend = scripted(ANSWER);
		const config: Config = { strategy: { use: "summarize-older", keepLast: 2, summaryTokens: { max: 3 } } };
		expect((await failure(() => compact(talk(5), config, { backend }))).code).toBe("BUDGET_TOO_SMALL");
		expect(backend.prompts).toHaveLength(0);
	});

	test("whose header is larger than any summary may be fails however little there is", async () => {
		const backend = scripted(ANSWER);
		const config: Config = {
			strategy: { use: "summarize-older", keepLast: 2, template: "long" },
			templates: { long: { header: "A header that says far too much. ".repeat(900) } },
		};
		expect((await failure(() => compact(talk(2), config, { backend }))).code).toBe("BUDGET_TOO_SMALL");
		expect(backend.prompts).toHaveLength(0);
	});

	test("without a backend fails before anything else, even with nothing to do", async () => {
		const error = await failure(() => compact([], { ...OLDER, backend: null }));
		expect(error.code).toBe("MISSING_BACKEND");
	});

	test("that fails says why by a code and leaves the input as it was", async () => {
		const messages = talk(5);
		const before = structuredClone(messages);
		const error = await failure(() =>
			compact(messages, OLDER, { backend: scripted(new Error("upstream is down")) }),
		);
		expect(error.code).toBe("BACKEND_FAILED");
		expect(error.message).toContain("upstream is down");
		expect(messages).toEqual(before);
	});

	test("abort-01: aborted before it begins makes no call; aborted under way it rejects at once", async () => {
		const early = scripted(ANSWER);
		const gone = await failure(() =>
			compact(talk(5), OLDER, { backend: early, signal: AbortSignal.abort() }),
		);
		expect(gone).toMatchObject({ code: "CANCELLED", name: "AbortError" });
		expect(early.prompts).toHaveLength(0);
		const controller = new AbortController();
		const deaf: Backend = {
			generate: () => {
				controller.abort();
				return new Promise(() => undefined);
			},
		};
		expect(
			(await failure(() => compact(talk(5), OLDER, { backend: deaf, signal: controller.signal }))).name,
		).toBe("AbortError");
	});

	test("is deaf to what the caller does to its array meanwhile", async () => {
		const messages = talk(5);
		const compactor = await createCompactor(OLDER, { backend: scripted(ANSWER) });
		const running = compactor.compact(messages);
		messages.length = 0;
		expect((await running).evicted).toHaveLength(8);
	});

	test("finished, can be put on the transcript that grew meanwhile", async () => {
		const messages = talk(5);
		const result = await compact(messages, OLDER, { backend: scripted(ANSWER) });
		const added: ModelMessage = { role: "user", content: "One more." };
		const longer = result.applyTo([...messages, added]);
		expect(longer).toHaveLength(4);
		expect(longer[3]).toBe(added);
		expect(() => result.applyTo(talk(2))).toThrowError(
			expect.objectContaining({ code: "TRANSCRIPT_INVALID" }),
		);
	});

	test("after another hands the previous summary over and replaces it: always one", async () => {
		const compactor = await createCompactor(OLDER, { backend: scripted(ANSWER) });
		let messages = (await compactor.compact(talk(5))).messages;
		for (let round = 0; round < 5; round += 1) {
			messages = (await compactor.compact([...messages, ...talk(3)])).messages;
			expect(
				messages.filter(({ providerOptions }) => providerOptions?.precis?.summary !== undefined),
			).toHaveLength(1);
		}
	});

	test("right after another is unchanged", async () => {
		const compactor = await createCompactor(OLDER, { backend: scripted(ANSWER) });
		const first = await compactor.compact(talk(5));
		expect((await compactor.compact(first.messages)).status).toBe("unchanged");
	});

	test("concurrency-01: does not disturb another on the same compactor", async () => {
		const compactor = await createCompactor(OLDER, { backend: scripted(ANSWER) });
		const messages = talk(5);
		const [left, right] = await Promise.all([compactor.compact(messages), compactor.compact(messages)]);
		expect(left).toEqual(right);
	});
});

describe("a pipeline", () => {
	const until = (value: "end" | "fits", target: number): Config => ({
		target: { tokens: target },
		strategy: {
			use: "pipeline",
			until: value,
			steps: [
				{ use: "keep-recent", keepLast: 6 },
				{ use: "keep-recent", keepLast: 2 },
			],
		},
	});

	test("runs all its steps", async () => {
		expect((await compact(talk(10), until("end", 100_000))).messages).toHaveLength(2);
	});

	test('with "fits" stops as soon as the target is met', async () => {
		const compactor = await createCompactor(until("fits", 2000));
		const six = compactor.countTokens(talk(3));
		const result = await compactor.compact(talk(10), { targetTokens: Math.ceil(six * 1.2) });
		expect(result.messages).toHaveLength(6);
	});

	test("keeps indices on the pass's input", async () => {
		const result = await compact(talk(6), until("end", 1000));
		expect(result.provenance).toEqual([{ kept: 10 }, { kept: 11 }]);
		expect(result.evicted).toHaveLength(10);
	});
});

describe("a fallback", () => {
	test("uses the first step that does not fail, and the log says what failed", async () => {
		const config: Config = {
			strategy: {
				use: "fallback",
				steps: [
					{ use: "summarize-older", keepLast: 2 },
					{ use: "keep-recent", keepLast: 2 },
				],
			},
		};
		const result = await compact(talk(5), config, { backend: scripted(new Error("down")) });
		expect(result.messages).toHaveLength(2);
		expect(result.summary).toBeUndefined();
		expect(result.log).toContainEqual(expect.objectContaining({ step: "summarize-older", edit: "failed" }));
	});
});

describe("a chain of backends", () => {
	test("goes on where one cannot even be created", async () => {
		const registry = createRegistry({
			plugins: [
				{
					name: "keyless",
					apiVersion: 1,
					backends: [
						{
							name: "keyless",
							create: () => {
								throw new Error("no key");
							},
						},
					],
				},
			],
		});
		const backend = [{ use: "keyless" }, { use: "extractive" }] as never;
		const result = await compact(talk(6), { ...OLDER, backend }, { registry });
		expect(result.status).toBe("compacted");
		expect(result.log.map(({ why }) => why).join("\n")).toContain("no key");
	});
});

describe("a transcript without a user", () => {
	test("is never made empty", async () => {
		const messages: ModelMessage[] = [
			{ role: "assistant", content: `a ${PAD}` },
			{ role: "assistant", content: `b ${PAD}` },
		];
		const result = await compact(messages, { strategy: { use: "keep-recent", keepLast: 0 } });
		expect(result.messages.length).toBeGreaterThan(0);
	});
});

describe("a plan", () => {
	test("says what would be evicted, kept and summarized, with no backend call", async () => {
		const backend = scripted(ANSWER);
		const compactor = await createCompactor(OLDER, { backend });
		const plan = await compactor.plan(talk(5));
		expect(plan.kept).toEqual([8, 9]);
		expect(plan.summarized).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
		expect(plan.dropped).toEqual([]);
		expect(plan.tokens.after).toBeLessThan(plan.tokens.before);
		expect(backend.prompts).toHaveLength(0);
	});
});

describe("events", () => {
	test("tell of each section and of the pass, and a listener that throws harms nothing", async () => {
		const events: { readonly name: string }[] = [];
		await compact(talk(5), OLDER, { backend: scripted(ANSWER), onEvent: (event) => events.push(event) });
		const sections = events.filter(({ name }) => name === "precis.compaction.structured.sections");
		expect(sections).toHaveLength(4);
		expect(sections).toContainEqual(expect.objectContaining({ section: "key_facts", state: "populated" }));
		expect(sections).toContainEqual(expect.objectContaining({ section: "open_questions", state: "empty" }));
		expect(events.filter(({ name }) => name === "precis.compaction.pass")).toHaveLength(1);
		const result = await compact(talk(5), OLDER, {
			backend: scripted(ANSWER),
			onEvent: () => {
				throw new Error("listener");
			},
		});
		expect(result.status).toBe("compacted");
	});
});
