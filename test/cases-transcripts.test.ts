import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import type { Message, Part } from "../src/core/transcript/message.ts";
import {
	type Backend,
	type CompactionResult,
	type CompactorOptions,
	type Config,
	compact,
	createCompactor,
	createRegistry,
	isCompactionError,
} from "../src/index.ts";
import reports from "./cases/reports.json" with { type: "json" };
import { expand, padded } from "./support/case-messages.ts";
import { deepFreeze, isBlank } from "./support/steps.ts";

interface Report {
	readonly id: string;
	readonly kind: string;
	readonly input: {
		readonly messages: readonly ModelMessage[];
		readonly appendEachRound?: readonly ModelMessage[];
		readonly previousSummary?: string;
		readonly modelAnswers?: readonly { readonly text: string; readonly finishReason: string }[];
	};
}

const all = reports as unknown as readonly Report[];

function inputOf(id: string): Report["input"] {
	const found = all.find((one) => one.id === id);
	if (found === undefined) throw new Error(`there is no report "${id}"`);
	return expand(found.input) as Report["input"];
}

const messagesOf = (id: string): ModelMessage[] => [...inputOf(id).messages];
const paddedOf = (id: string): ModelMessage[] => messagesOf(id).map(padded);

type Scripted = Backend & { readonly prompts: string[] };

/** A model that gives a report's answers in turn, the last one for ever, and remembers its prompts. */
function modelOf(id: string, more: object = {}): Scripted {
	const answers = inputOf(id).modelAnswers ?? [];
	const prompts: string[] = [];
	return {
		...more,
		prompts,
		async generate({ prompt }: { prompt: string }) {
			const answer = answers[Math.min(prompts.length, answers.length - 1)];
			prompts.push(prompt);
			return { text: "", ...answer };
		},
	} as Scripted;
}

const CHARS: NonNullable<Config["tokens"]> = { counter: { use: "ratio", charsPerToken: 4, perMessage: 0 } };

const older = (keepLast: number, more: object = {}): Config["strategy"] =>
	({ use: "summarize-older", keepLast, ledger: false, ...more }) as Config["strategy"];

function outOf({ provenance }: CompactionResult): (number | "S")[] {
	return provenance.map((from) => ("kept" in from ? from.kept : "rewritten" in from ? from.rewritten : "S"));
}

const partsOf = ({ content }: ModelMessage): readonly Part[] =>
	typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly Part[]);

/** The text that a message says. */
const textOf = (message: ModelMessage | undefined): string =>
	message === undefined
		? ""
		: partsOf(message)
				.map(({ text }) => text ?? "")
				.join("\n");

/** The text of a tool's output. */
function outputText(part: Part | undefined): string {
	const { value } = (part?.output ?? {}) as { readonly value?: unknown };
	return typeof value === "string" ? value : JSON.stringify(value);
}

/** Calls without a result and results without an earlier call, by occurrence. */
function lonely(messages: readonly ModelMessage[]): readonly string[] {
	const open: string[] = [];
	const lost: string[] = [];
	for (const part of messages.flatMap(partsOf)) {
		const id = part.toolCallId ?? "";
		if (part.type === "tool-call") open.push(id);
		if (part.type !== "tool-result") continue;
		const at = open.lastIndexOf(id);
		if (at < 0) lost.push(`result ${id}`);
		else open.splice(at, 1);
	}
	return [...open.map((id) => `call ${id}`), ...lost];
}

const ids = (messages: readonly ModelMessage[], type: string): readonly string[] =>
	messages
		.flatMap(partsOf)
		.filter((part) => part.type === type)
		.map(({ toolCallId }) => toolCallId ?? "");

describe("orphan-pairs", () => {
	test("orphan-pairs-01: a cut on a result moves to a place where the pair stays whole", async () => {
		const input = paddedOf("orphan-pairs-01");
		const result = await compact(input, { strategy: older(2) }, { backend: modelOf("orphan-pairs-01") });
		expect(lonely(result.messages)).toEqual([]);
		expect(result.messages.at(-1)).toBe(input[8]);
		// The last user message stays too.
		expect(outOf(result)).toEqual([0, "S", 5, 6, 7, 8]);
	});

	test("orphan-pairs-03: parallel calls and all of their results are kept whole or dropped whole", async () => {
		const input = messagesOf("orphan-pairs-03");
		for (const keepLast of [0, 1, 2, 3, 4, 5]) {
			const result = await compact(input, { strategy: { use: "keep-recent", keepLast } });
			expect(lonely(result.messages)).toEqual([]);
			expect(result.messages).toContain(input[5]);
		}
	});

	test("orphan-pairs-05: no tool message is left at the head", async () => {
		const input = messagesOf("orphan-pairs-05");
		const result = await compact(input, { strategy: { use: "keep-recent", keepLast: 3 } });
		expect(lonely(result.messages)).toEqual([]);
		expect(outOf(result)).toEqual(expect.arrayContaining([0, 4, 5]));
		expect(result.messages[1]?.role).toBe("user");
	});

	test("orphan-pairs-07: a call that still waits is kept, whatever keepLast says", async () => {
		const input = paddedOf("orphan-pairs-07");
		const result = await compact(input, { strategy: older(0) }, { backend: modelOf("orphan-pairs-07") });
		expect(outOf(result)).toEqual(["S", 2, 3]);
	});

	test.each([2, 3, 4, 5])(
		"orphan-pairs-08: an old call of an aborted turn goes first, keepLast %i",
		async (keepLast) => {
			const input = paddedOf("orphan-pairs-08");
			const result = await compact(
				input,
				{ strategy: older(keepLast) },
				{ backend: modelOf("orphan-pairs-08") },
			);
			expect(result.status).toBe("compacted");
			expect(ids(result.messages, "tool-call")).toEqual([]);
		},
	);

	test("orphan-pairs-08: where it has to stay, the log says so", async () => {
		const input = paddedOf("orphan-pairs-08").map((message, index) =>
			index === 2 ? { ...message, providerOptions: { precis: { pin: true } } } : message,
		) as ModelMessage[];
		const result = await compact(input, { strategy: older(2) }, { backend: modelOf("orphan-pairs-08") });
		expect(result.messages).toContain(input[2]);
		expect(result.log.some(({ why }) => why.includes("message 2") && why.includes("other half"))).toBe(true);
	});

	test("orphan-pairs-10: a reused id pairs by occurrence", async () => {
		const input = messagesOf("orphan-pairs-10");
		for (const keepLast of [1, 2, 3, 4, 5, 6, 7]) {
			const { messages } = await compact(input, { strategy: { use: "keep-recent", keepLast } });
			expect(lonely(messages)).toEqual([]);
			for (const [call, answer] of [
				[1, 2],
				[5, 6],
			] as const)
				expect(messages.includes(input[call] as ModelMessage)).toBe(
					messages.includes(input[answer] as ModelMessage),
				);
		}
	});

	test("orphan-pairs-11: kept head and tail that overlap keep every message once, in order", async () => {
		const input = messagesOf("orphan-pairs-11");
		const registry = createRegistry({
			plugins: [
				{
					name: "ends",
					apiVersion: 1,
					strategies: [
						{
							name: "ends",
							create: () => ({
								plan: (transcript) => [
									{
										drop: [...transcript.keys()].filter(
											(index) => index >= 4 && index < transcript.length - 4,
										),
									},
								],
							}),
						},
					],
				},
			],
		});
		const config = { strategy: { use: "ends" } } as unknown as Config;
		const result = await compact(input, config, { registry });
		expect(result.messages).toEqual(input);
		expect(new Set(ids(result.messages, "tool-result")).size).toBe(
			ids(result.messages, "tool-result").length,
		);
	});
});

describe("approvals", () => {
	test("approvals-01: with a call go its request, its response and its result; other calls of the step stay", async () => {
		const input = messagesOf("approvals-01");
		const strategy: Config["strategy"] = { use: "drop-tool-calls", tools: ["sendMail"], keepLast: 0 };
		const result = await compact(input, { strategy });
		const text = JSON.stringify(result.messages);
		expect(text).not.toContain('"m1"');
		expect(text).not.toContain('"ap1"');
		expect(ids(result.messages, "tool-call")).toEqual(["w1"]);
		expect(ids(result.messages, "tool-result")).toEqual(["w1"]);
	});

	test("approvals-01: a response whose request cannot be found is dropped", async () => {
		const [first, , third, , last] = messagesOf("approvals-01");
		const alone = { role: "tool", content: partsOf(third as ModelMessage).slice(1) } as ModelMessage;
		const input = [first, alone, last] as ModelMessage[];
		const strategy: Config["strategy"] = { use: "drop-tool-calls", tools: ["sendMail"], keepLast: 0 };
		expect(outOf(await compact(input, { strategy }))).toEqual([0, 2]);
	});

	test("approvals-03: all that belongs to a denied call stays or goes together", async () => {
		const input = messagesOf("approvals-03");
		const result = await compact(input, { strategy: { use: "drop-failed-tool-results" } });
		expect(lonely(result.messages)).toEqual([]);
		const text = JSON.stringify(result.messages);
		// A denial is the user's word, not a failure.
		expect(text.match(/"n2"/g)).toHaveLength(3);
		expect(text.match(/"apA"/g)).toHaveLength(2);
		const gone = await compact(input, {
			strategy: { use: "drop-tool-calls", tools: ["sendMail"], keepLast: 0 },
		});
		expect(JSON.stringify(gone.messages)).not.toMatch(/"n2"|"apA"/);
		expect(ids(gone.messages, "tool-result")).toEqual(["n1"]);
	});
});

describe("provider-executed", () => {
	test.each([3, 5])(
		"provider-executed-02: a call that a provider never answered holds nothing open, keepLast %i",
		async (keepLast) => {
			const input = paddedOf("provider-executed-02");
			const result = await compact(
				input,
				{ strategy: older(keepLast) },
				{ backend: modelOf("provider-executed-02") },
			);
			expect(ids(result.messages, "tool-call")).not.toContain("srv9");
			expect(lonely(result.messages)).toEqual([]);
		},
	);

	test("provider-executed-03: a call made from inside a code execution goes with it", async () => {
		const input = messagesOf("provider-executed-03");
		for (const tools of [["codeExecution"], ["lookup"]]) {
			const result = await compact(input, { strategy: { use: "drop-tool-calls", tools, keepLast: 0 } });
			expect(result.status).toBe("compacted");
			const calls = ids(result.messages, "tool-call");
			if (calls.includes("toolu_B")) expect(calls).toContain("srvtoolu_A");
			expect(lonely(result.messages)).toEqual([]);
		}
	});

	test("provider-executed-04: what a provider gave itself is never replaced by a placeholder", async () => {
		const input = messagesOf("provider-executed-04").map((message, index) =>
			index === 4 ? padded(message) : message,
		);
		const result = await compact(input, { strategy: { use: "clear-tool-results", keepLast: 1 } });
		expect(result.messages[1]).toBe(input[1]);
		expect(outOf(result)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(result.evicted).toEqual([input[4]]);
	});
});

describe("reasoning-adjacency", () => {
	test("reasoning-adjacency-01: where reasoning goes, nothing beside it names an item any more", async () => {
		const input = messagesOf("reasoning-adjacency-01");
		const result = await compact(input, { strategy: { use: "drop-reasoning" } });
		expect(result.status).toBe("compacted");
		for (const message of result.messages.filter(({ role }) => role === "assistant")) {
			const parts = partsOf(message);
			if (parts.some(({ type }) => type === "reasoning")) expect(parts.at(-1)?.type).not.toBe("reasoning");
			else expect(JSON.stringify(parts)).not.toContain("itemId");
		}
		expect(lonely(result.messages)).toEqual([]);
	});

	test("reasoning-adjacency-03: the turn that goes on keeps its signed reasoning", async () => {
		const input = messagesOf("reasoning-adjacency-03");
		const strategy: Config["strategy"] = [{ use: "drop-reasoning" }, { use: "keep-recent", keepLast: 2 }];
		const result = await compact(input, { strategy });
		for (const message of result.messages.filter(({ role }) => role === "assistant")) {
			const original = input.find(
				(one) =>
					ids([one], "tool-call").join() === ids([message], "tool-call").join() && one.role === "assistant",
			);
			expect(partsOf(message)[0]).toEqual(partsOf(original as ModelMessage)[0]);
		}
		expect(ids(result.messages, "tool-call")).toContain("b1");
	});

	test("reasoning-adjacency-05: files made while reasoning go as well, other files stay", async () => {
		const result = await compact(messagesOf("reasoning-adjacency-05"), {
			strategy: { use: "drop-reasoning" },
		});
		expect(partsOf(result.messages[1] as ModelMessage).map(({ type }) => type)).toEqual(["text", "file"]);
	});

	test("reasoning-adjacency-06: kept messages are what they were, provider options and all", async () => {
		const input = paddedOf("reasoning-adjacency-06");
		const before = structuredClone(input);
		const result = await compact(
			input,
			{ strategy: older(4) },
			{ backend: modelOf("reasoning-adjacency-06") },
		);
		expect(outOf(result)).toEqual(["S", 2, 3, 4, 5]);
		expect(result.messages.slice(1)).toEqual(before.slice(2));
	});

	test("reasoning-adjacency-07: no signed reasoning is left in a turn that is over", async () => {
		const input = paddedOf("reasoning-adjacency-07");
		const strategy = [{ use: "drop-reasoning" }, older(4)] as Config["strategy"];
		const result = await compact(input, { strategy }, { backend: modelOf("reasoning-adjacency-07") });
		expect(outOf(result)).toContain("S");
		expect(JSON.stringify(result.messages)).not.toContain("signature");
		expect(lonely(result.messages)).toEqual([]);
		expect(result.messages.some((message) => isBlank(message as Message))).toBe(false);
	});
});

describe("order-and-roles", () => {
	test("order-and-roles-01: the summary stands behind the leading system messages, and is none", async () => {
		const input = paddedOf("order-and-roles-01");
		const result = await compact(input, { strategy: older(2) }, { backend: modelOf("order-and-roles-01") });
		expect(outOf(result)).toEqual([0, 1, "S", 6, 7]);
		expect(result.messages.slice(2).some(({ role }) => role === "system")).toBe(false);
	});

	test("order-and-roles-03: the summary is a message of its own, and the last message is as it was", async () => {
		const input = paddedOf("order-and-roles-03");
		const result = await compact(input, { strategy: older(1) }, { backend: modelOf("order-and-roles-03") });
		expect(outOf(result)).toEqual([0, "S", 3]);
		expect(result.messages.at(-1)).toBe(input[3]);
		expect(result.messages.filter((message) => textOf(message).includes("Three, please."))).toHaveLength(1);
	});

	test("order-and-roles-05: there is never nothing but system messages", async () => {
		const input = paddedOf("order-and-roles-05");
		const result = await compact(input, { strategy: older(0) }, { backend: modelOf("order-and-roles-05") });
		expect(outOf(result)).toEqual([0, "S", 3]);
		expect(result.messages[1]?.role).toBe("user");
	});

	test("order-and-roles-07: the only request survives a long tool loop, and a user's message comes first", async () => {
		const input = messagesOf("order-and-roles-07");
		const result = await compact(input, { strategy: { use: "keep-recent", keepLast: 4 } });
		expect(outOf(result)).toEqual([0, 3, 4, 5, 6]);
		expect(lonely(result.messages)).toEqual([]);
	});

	test("order-and-roles-08: the latest request is the last user text; finished ones are not verbatim behind the summary", async () => {
		const input = paddedOf("order-and-roles-08");
		const result = await compact(input, { strategy: older(2) }, { backend: modelOf("order-and-roles-08") });
		expect(outOf(result)).toEqual(["S", 2, 3, 4]);
		expect(textOf(result.messages.findLast(({ role }) => role === "user"))).toContain(
			"Which shelf is empty?",
		);
	});
});

describe("system-prompt-lost and empty-content", () => {
	test("system-prompt-lost-01: a leading system message stays and uses up nothing of keepLast", async () => {
		const input = messagesOf("system-prompt-lost-01");
		const result = await compact(input, { strategy: { use: "keep-recent", keepLast: 2 } });
		expect(outOf(result)).toEqual([0, 5, 6]);
	});

	test("empty-content-01: an empty message goes before others", async () => {
		const input = messagesOf("empty-content-01");
		const result = await compact(input, { strategy: { use: "keep-recent", keepLast: 3 } });
		expect(outOf(result)).toEqual([0, 2, 3]);
		expect(result.messages.some((message) => isBlank(message as Message))).toBe(false);
	});

	test("empty-content-03: a cleared result keeps its ids and says that it was cleared", async () => {
		const input = messagesOf("empty-content-03").map((message, index) =>
			index === 2 ? padded(message) : message,
		);
		const result = await compact(input, { strategy: { use: "clear-tool-results", keepLast: 1 } });
		const [cleared] = partsOf(result.messages[2] as ModelMessage);
		expect(cleared).toMatchObject({ type: "tool-result", toolCallId: "x1", toolName: "readLog" });
		expect(cleared?.output).toMatchObject({ type: "text", value: expect.stringMatching(/cleared/) });
		expect(result.tokens.after).toBeLessThan(result.tokens.before);
		// It is shorter than the placeholder as it is.
		expect(result.messages[6]).toBe(input[6]);
	});
});

describe("no-progress-loop", () => {
	/** Runs a pass that may fail by a code. */
	async function settle(
		input: readonly ModelMessage[],
		config: Config,
		options: CompactorOptions,
	): Promise<CompactionResult | string> {
		try {
			return await compact(input, config, options);
		} catch (error) {
			if (isCompactionError(error)) return error.code;
			throw error;
		}
	}

	test("no-progress-loop-01: a summary that cannot be smaller ends the pass after two calls at most", async () => {
		const input = messagesOf("no-progress-loop-01");
		for (const tokens of [100, 1000]) {
			const backend = modelOf("no-progress-loop-01");
			const config: Config = { tokens: CHARS, target: { tokens }, strategy: older(1) };
			for (let round = 0; round < 2; round += 1) {
				backend.prompts.length = 0;
				const outcome = await settle(input, config, { backend });
				expect(backend.prompts.length).toBeLessThanOrEqual(2);
				if (typeof outcome === "string") expect(outcome).toBe("BUDGET_TOO_SMALL");
				else if (outcome.status === "unchanged") expect(outcome.messages).toEqual(input);
				else expect(outcome.tokens.after).toBeLessThan(outcome.tokens.before);
			}
		}
	});

	test.each([
		["no-progress-loop-03", 1],
		["no-progress-loop-05", 3],
		["no-progress-loop-07", 2],
	])("%s: what wins nothing is unchanged, with its input and the reason", async (id, keepLast) => {
		const input = messagesOf(id);
		const config: Config = {
			tokens: { ...CHARS, window: 3000, overheadTokens: id === "no-progress-loop-07" ? 2400 : 0 },
			strategy: older(keepLast),
		};
		const result = await compact(input, config, { backend: modelOf(id) });
		expect(result).toMatchObject({ status: "unchanged", unchanged: "no-progress", replaced: 0 });
		expect(result.messages).toEqual(input);
		expect(result.tokens.after).toBe(result.tokens.before);
		if (id === "no-progress-loop-07") expect(result.tokens.before).toBeGreaterThan(2400);
	});

	test("no-progress-loop-08: over the window something goes, though keepTokens would hold everything", async () => {
		const input = paddedOf("no-progress-loop-08");
		const tokens = { ...CHARS, window: 5000 };
		const bare = await createCompactor({ tokens, strategy: older(1) });
		// What the provider reported is what the estimate misses.
		const overheadTokens = 5000 - bare.countTokens(input);
		const config: Config = {
			tokens: { ...tokens, overheadTokens },
			strategy: older(1, { keepTokens: 100_000 }),
		};
		const result = await compact(input, config, { backend: modelOf("no-progress-loop-08") });
		expect(result.status).toBe("compacted");
		expect(result.evicted.length).toBeGreaterThan(0);
		expect(outOf(result)).toContain("S");
	});
});

describe("huge-tool-result", () => {
	test("huge-tool-result-03: few but huge messages are cleared like others", async () => {
		const config: Config = {
			tokens: CHARS,
			target: { tokens: 100 },
			strategy: { use: "clear-tool-results", keepLast: 0 },
		};
		const result = await compact(messagesOf("huge-tool-result-03"), config);
		expect(result.status).toBe("compacted");
		expect(result.tokens.after).toBeLessThan(result.tokens.before / 5);
	});

	test("huge-tool-result-04: an error is shortened as well, and stays an error", async () => {
		const input = messagesOf("huge-tool-result-04");
		const config: Config = {
			tokens: CHARS,
			strategy: { use: "truncate-tool-results", maxTokens: 50, keep: "head" },
		};
		const result = await compact(input, config);
		const [part] = partsOf(result.messages[2] as ModelMessage);
		const output = part?.output as { type: string; value: string };
		expect(output.type).toBe("error-text");
		expect(output.value.length).toBeLessThanOrEqual(200);
		expect(output.value.startsWith("conflict detail; ")).toBe(true);
		expect(output.value).toMatch(/\d+ of 1700 characters cut/);
		expect((await compact(result.messages, config)).status).toBe("unchanged");
	});
});

describe("wrong-selection", () => {
	test("wrong-selection-01: a placeholder is shorter than what it stands for", async () => {
		const input = messagesOf("wrong-selection-01");
		const strategy = { use: "clear-tool-results", keepLast: 0 } as const;
		const result = await compact(input, { tokens: CHARS, strategy });
		const [part] = partsOf(result.messages[2] as ModelMessage);
		expect(outputText(part).length).toBeLessThan(300);
		expect(result.tokens.after).toBeLessThan(result.tokens.before);
		const short = messagesOf("wrong-selection-01").map((message, index) =>
			index === 2
				? {
						...message,
						content: partsOf(message).map((part) => ({ ...part, output: { type: "text", value: "row" } })),
					}
				: message,
		) as ModelMessage[];
		expect((await compact(short, { strategy })).status).toBe("unchanged");
	});

	test("wrong-selection-03: the last user message stays, and the result says that it is over target", async () => {
		const input = messagesOf("wrong-selection-03");
		const config: Config = {
			tokens: CHARS,
			target: { tokens: 5 },
			strategy: { use: "keep-recent", keepLast: 0 },
		};
		const result = await compact(input, config);
		expect(result.messages).toContain(input[1]);
		expect(result.tokens.after).toBeGreaterThan(result.tokens.target);
	});

	test("wrong-selection-05: below the threshold there is no reason to run, and a pass finds nothing to do", async () => {
		const input = messagesOf("wrong-selection-05");
		const backend = modelOf("wrong-selection-05");
		const compactor = await createCompactor(
			{ tokens: CHARS, trigger: { use: "tokens", max: 100_000 }, strategy: older(8) },
			{ backend },
		);
		expect(compactor.shouldCompact(input)).toBeUndefined();
		const result = await compactor.compact(input);
		expect(result.status).toBe("unchanged");
		expect(result.messages).toEqual(input);
		expect(backend.prompts).toHaveLength(0);
	});

	test.each([0, 1, 2, 3, 4, 5, 6])(
		"wrong-selection-07: clears what is older than the last %i messages",
		async (keepLast) => {
			const input = messagesOf("wrong-selection-07").map(padded);
			const result = await compact(input, { strategy: { use: "clear-tool-results", keepLast } });
			const cleared = [2, 4].filter((index) => index < input.length - keepLast);
			expect(result.messages.flatMap((message, index) => (message === input[index] ? [] : [index]))).toEqual(
				cleared,
			);
		},
	);

	test("wrong-selection-08: a part without a user's message is summarized like any other", async () => {
		const input = messagesOf("wrong-selection-08");
		const backend = modelOf("wrong-selection-08", { limits: { windowTokens: 1200 } });
		const result = await compact(input, { tokens: CHARS, strategy: older(2) }, { backend });
		expect(result.status).toBe("compacted");
		expect(backend.prompts.length).toBeGreaterThan(0);
		expect(
			backend.prompts.some((prompt) => prompt.includes("FACT-IN-TOOL") || prompt.includes("crate list")),
		).toBe(true);
		expect(result.summary?.sections.key_facts).toEqual(["Shelf A1 holds 14 boxes"]);
	});

	test("wrong-selection-09: a failure is told by the output's type, not by its words", async () => {
		const input = messagesOf("wrong-selection-09");
		const result = await compact(input, { strategy: { use: "drop-failed-tool-results" } });
		expect(ids(result.messages, "tool-call")).toEqual(["ok1"]);
		expect(ids(result.messages, "tool-result")).toEqual(["ok1"]);
	});
});

describe("previous-summary", () => {
	const summaries = (messages: readonly ModelMessage[]): readonly ModelMessage[] =>
		messages.filter(({ providerOptions }) => providerOptions?.precis?.summary !== undefined);

	const body = (message: ModelMessage | undefined): string[] => textOf(message).split("\n");

	test("previous-summary-01: ten passes in a row neither nest nor grow", async () => {
		const { appendEachRound = [] } = inputOf("previous-summary-01");
		const compactor = await createCompactor(
			{ tokens: CHARS, strategy: older(1, { summaryTokens: { max: 200 } }) },
			{ backend: modelOf("previous-summary-01") },
		);
		let messages = paddedOf("previous-summary-01");
		let indent: number | undefined;
		for (let round = 0; round < 10; round += 1) {
			const result = await compactor.compact(messages);
			expect(result.status).toBe("compacted");
			const [summary, ...others] = summaries(result.messages);
			expect(others).toEqual([]);
			for (const title of ["Key facts", "Decisions", "Pending tasks"])
				expect(body(summary).filter((line) => line.includes(title))).toHaveLength(1);
			expect(compactor.countTokens([summary as ModelMessage])).toBeLessThanOrEqual(200);
			const deepest = Math.max(...body(summary).map((line) => line.length - line.trimStart().length));
			indent ??= deepest;
			expect(deepest).toBeLessThanOrEqual(indent);
			messages = [...result.messages, ...appendEachRound.map(padded)];
		}
	});

	test("previous-summary-03: the next summary takes in the old one, which goes", async () => {
		const { previousSummary = "" } = inputOf("previous-summary-03");
		const before: Backend = { generate: async () => ({ text: previousSummary, finishReason: "stop" }) };
		const older_: Config = { strategy: older(1) };
		const filler: ModelMessage[] = [
			{ role: "user", content: "Start." },
			{ role: "assistant", content: "Ok." },
		].map((message) => padded(message as ModelMessage));
		const first = await compact([...filler, { role: "user", content: "Go on." }], older_, {
			backend: before,
		});
		const backend = modelOf("previous-summary-03");
		const input = [...first.messages.slice(0, 1), ...paddedOf("previous-summary-03")];
		const result = await compact(input, older_, { backend });
		expect(backend.prompts[0]).toContain("A1 holds 14");
		expect(backend.prompts[0]).toMatch(/earlier/i);
		expect(summaries(result.messages)).toHaveLength(1);
		expect(result.messages).not.toContain(input[0]);
		expect(result.summary?.sections.key_facts).toEqual(["A1 holds 14", "A2 holds 9"]);
		expect(result.summary?.sections.pending_tasks ?? []).toEqual([]);
	});

	test("previous-summary-04: a model that adds a fact each round does not make the summary grow", async () => {
		const { appendEachRound = [] } = inputOf("previous-summary-04");
		let round = 0;
		const fact = (): string =>
			`Round ${String(round).padStart(2, "0")}: ${"another shelf was counted with care".padEnd(50, ".")}`;
		const backend: Backend = {
			async generate({ prompt }) {
				const known = prompt.match(/Round \d\d: [a-z .]+/g) ?? [];
				const facts = [fact(), ...new Set(known.map((one) => one.trim()))];
				return { text: `### Key facts\n${facts.map((one) => `- ${one}`).join("\n")}`, finishReason: "stop" };
			},
		};
		const compactor = await createCompactor(
			{ tokens: CHARS, strategy: older(1, { summaryTokens: { max: 160 } }) },
			{ backend },
		);
		let messages = paddedOf("previous-summary-04");
		for (; round < 12; round += 1) {
			const result = await compactor.compact(messages);
			const [summary] = summaries(result.messages);
			expect(compactor.countTokens([summary as ModelMessage])).toBeLessThanOrEqual(160);
			expect(textOf(summary)).toContain(fact());
			messages = [...result.messages, ...appendEachRound.map(padded)];
		}
	});
});

describe("abort, concurrency and mutation", () => {
	const never = (onCall: () => void): Backend => ({
		generate: ({ signal }) =>
			new Promise((_, reject) => {
				signal.addEventListener("abort", () =>
					reject(Object.assign(new Error("aborted"), { name: "AbortError" })),
				);
				onCall();
			}),
	});

	test("abort-01: a pass aborted under way rejects by name, harms nothing, and the next one works", async () => {
		const input = paddedOf("abort-01");
		const before = structuredClone(input);
		const controller = new AbortController();
		let isDeaf = true;
		const deaf = never(() => controller.abort());
		const backend: Backend = {
			generate: (request) =>
				isDeaf && deaf.generate !== undefined
					? deaf.generate(request)
					: Promise.resolve({ text: "### Key facts\n- Shelf A1 holds 14 boxes", finishReason: "stop" }),
		};
		const compactor = await createCompactor({ strategy: older(1) }, { backend });
		await expect(compactor.compact(input, { signal: controller.signal })).rejects.toMatchObject({
			name: "AbortError",
		});
		expect(input).toEqual(before);
		isDeaf = false;
		expect((await compactor.compact(input)).status).toBe("compacted");
	});

	test("concurrency-01: two passes at once give what one gives, and aborting one leaves the other", async () => {
		const input = paddedOf("concurrency-01");
		const [answer] = inputOf("concurrency-01").modelAnswers ?? [];
		const delays = [50, 10, 0, 50, 10];
		const backend: Backend = {
			generate: async ({ signal }) => {
				await new Promise((resolve, reject) => {
					setTimeout(resolve, delays.shift() ?? 0);
					signal.addEventListener("abort", () => reject(signal.reason));
				});
				return answer ?? { text: "" };
			},
		};
		const compactor = await createCompactor({ strategy: older(1) }, { backend });
		const pair = await Promise.all([compactor.compact(input), compactor.compact(input)]);
		const single = await compactor.compact(input);
		expect(pair).toEqual([single, single]);
		const controller = new AbortController();
		const first = compactor.compact(input, { signal: controller.signal });
		const second = compactor.compact(input);
		controller.abort();
		await expect(first).rejects.toMatchObject({ code: "CANCELLED" });
		expect(await second).toEqual(single);
	});

	test("concurrency-03: a user message that nobody answered is the last message, whatever keepLast says", async () => {
		const input = paddedOf("concurrency-03");
		const result = await compact(input, { strategy: older(0) }, { backend: modelOf("concurrency-03") });
		expect(outOf(result)).toEqual(["S", 2]);
		expect(result.messages.at(-1)).toBe(input[2]);
	});

	const EACH: readonly Config["strategy"][] = [
		older(1),
		{ use: "structured", preserveRecent: 1, minMessages: 2 },
		{ use: "keep-recent", keepLast: 1 },
		{ use: "drop-reasoning" },
		{ use: "drop-failed-tool-results" },
		{ use: "drop-tool-calls", keepLast: 0 },
		{ use: "clear-tool-results", keepLast: 0 },
		{ use: "truncate-tool-results", maxTokens: 16 },
		[{ use: "clear-tool-results", keepLast: 0 }, older(1)] as Config["strategy"],
		{ use: "fallback", steps: [{ use: "keep-recent", keepLast: 1 }] },
	];

	test("input-mutation-01: no strategy touches its input", async () => {
		for (const strategy of EACH) {
			const input = paddedOf("input-mutation-01");
			const before = structuredClone(input);
			await compact(deepFreeze(input), { strategy }, { backend: modelOf("input-mutation-01") });
			expect(input).toEqual(before);
		}
	});

	test("input-mutation-01: a pass works on what the transcript was when it was called", async () => {
		const input = paddedOf("input-mutation-01");
		const first = input[0];
		const backend: Backend = {
			generate: async () => {
				input.splice(0, input.length, { role: "user", content: "Something else." });
				return { text: "### Key facts\n- Shelf A1 holds 14 boxes", finishReason: "stop" };
			},
		};
		const result = await compact(input, { strategy: older(1) }, { backend });
		expect(result.messages[0]).toBe(first);
		expect(textOf(result.messages.at(-1))).toContain("Next?");
	});

	test("provider-options-01: the summary and its request copy no marks of the input's", async () => {
		const input = paddedOf("provider-options-01");
		const backend = modelOf("provider-options-01");
		const result = await compact(input, { strategy: older(3) }, { backend });
		expect(backend.prompts.join()).not.toContain("cacheControl");
		expect(Object.keys(result.messages[1]?.providerOptions ?? {})).toEqual(["precis"]);
		expect(outOf(result)).toEqual([0, "S", 3, 4, 5]);
		expect(result.messages.slice(2)).toEqual(input.slice(3));
	});
});
