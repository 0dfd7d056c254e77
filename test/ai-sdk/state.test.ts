import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readState } from "../../src/ai-sdk/compaction-state.ts";
import { fingerprint } from "../../src/ai-sdk/fingerprint.ts";
import { foldRecord, locate } from "../../src/ai-sdk/locate.ts";
import { type CompactionState, compactionFor } from "../../src/ai-sdk.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { createCompactor } from "../../src/index.ts";
import { generateTranscript, seededRandom } from "../../src/testing.ts";
import { namingBackend, reloaded, step, TALK_CONFIG, talk } from "./support/talk.ts";

const RUNS = Number(process.env.PRECIS_RUNS ?? 100);

/** A place to keep states, as a host has one. */
function database() {
	const rows = new Map<string, string>();
	return {
		rows,
		load: async (id: string): Promise<unknown> => {
			const row = rows.get(id);
			return row === undefined ? undefined : JSON.parse(row);
		},
		save: async (id: string, state: CompactionState): Promise<void> => {
			rows.set(id, JSON.stringify(state));
		},
	};
}

describe("a host that sends the whole history each time", () => {
	test("pays for a summary once, and gets the same messages again", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		const history = talk(25);
		const first = await prepareStep(step(history));
		const second = await prepareStep(step(reloaded(history)));
		expect(backend.shown).toHaveLength(1);
		expect(second.messages).toEqual(first.messages);
		expect(first.messages?.slice(-4)).toEqual(history.slice(-4));
	});

	test("leaves a short history alone", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		expect(await prepareStep(step(talk(5)))).toEqual({});
		expect(backend.shown).toEqual([]);
	});

	test("has the old summary folded in when the history has grown", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		for (let length = 1; length <= 81; length += 2) await prepareStep(step(reloaded(talk(length))));
		const names = talk(81).map(({ content }) => String(content).split(":")[0]);
		const seen = backend.shown.flat();
		expect(backend.shown.length).toBeGreaterThan(2);
		expect(seen).toEqual(names.slice(0, seen.length));
		expect(backend.folded.at(-1)).toEqual(backend.shown.slice(0, -1).flat());
	});

	test("what was sent before, with more behind it, needs no second summary either", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		const history = talk(25);
		const { messages = [] } = await prepareStep(step(history));
		const longer = [...messages, ...talk(2, "z")];
		expect(await prepareStep(step(reloaded(longer)))).toEqual({});
		expect(backend.shown).toHaveLength(1);
		// And the whole history with the same behind it is the same conversation still.
		const whole = await prepareStep(step([...history, ...talk(2, "z")]));
		expect(whole.messages).toEqual(longer);
		expect(backend.shown).toHaveLength(1);
	});

	test("leading system messages may change from call to call", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		const at = (day: string): ModelMessage[] => [
			{ role: "system", content: `Today is ${day}.` },
			...talk(25),
		];
		await prepareStep(step(at("Monday")));
		const { messages = [] } = await prepareStep(step(at("Tuesday")));
		expect(messages[0]).toEqual({ role: "system", content: "Today is Tuesday." });
		expect(backend.shown).toHaveLength(1);
	});

	test("conversations that begin alike, or are served at once, are not mixed up", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		const opening = talk(1);
		const [one, two] = await Promise.all(
			["x", "y"].map((name) => prepareStep(step([...opening, ...talk(24, name).slice(1)]))),
		);
		expect(JSON.stringify(one?.messages)).not.toMatch(/\by\d/);
		expect(JSON.stringify(two?.messages)).not.toMatch(/\bx\d/);
		expect(backend.shown).toHaveLength(2);
	});

	test("two requests for the same at the same time pay once", async () => {
		const backend = namingBackend(() => new Promise((resolve) => setTimeout(resolve, 20)));
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		const [one, two] = await Promise.all([prepareStep(step(talk(25))), prepareStep(step(talk(25)))]);
		expect(backend.shown).toHaveLength(1);
		expect(one).toEqual(two);
	});
});

describe("a stored state", () => {
	test("survives a restart", async () => {
		const { rows, load, save } = database();
		const backend = namingBackend();
		const before = await compactionFor(TALK_CONFIG, { backend, load, save });
		const first = await before.forCall({ id: "chat" }).prepareStep(step(talk(25)));
		expect([...rows.keys()]).toEqual(["chat"]);
		const after = await compactionFor(TALK_CONFIG, { backend, load, save });
		const second = await after.forCall({ id: "chat" }).prepareStep(step(reloaded(talk(25))));
		expect(second).toEqual(first);
		expect(backend.shown).toHaveLength(1);
	});

	test.each<[string, (history: ModelMessage[]) => ModelMessage[]]>([
		["was edited", (history) => history.with(3, { role: "assistant", content: "e3: another answer" })],
		["was branched before its end", (history) => [...history.slice(0, 3), ...talk(40, "b").slice(3, 26)]],
		["lost a message", (history) => [...history.toSpliced(4, 2), ...talk(2, "c")]],
		["was put in another order", (history) => history.with(2, history[4] ?? { role: "user", content: "" })],
	])("is stale, and ignored, when the history %s", async (_, change) => {
		const { load, save } = database();
		const backend = namingBackend();
		const compaction = (await compactionFor(TALK_CONFIG, { backend, load, save })).forCall({ id: "chat" });
		await compaction.prepareStep(step(talk(25)));
		const changed = change(talk(25));
		const { messages = [] } = await compaction.prepareStep(step(changed));
		expect(backend.shown).toHaveLength(2);
		expect(backend.folded[1]).toEqual([]);
		expect(backend.shown[1]).toEqual(
			changed.slice(0, backend.shown[1]?.length).map(({ content }) => String(content).split(":")[0]),
		);
		expect(messages.slice(-4)).toEqual(changed.slice(-4));
	});

	test("stands when only what came after it was edited, or the answer is made again", async () => {
		const backend = namingBackend();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend });
		await prepareStep(step(talk(25)));
		await prepareStep(step(talk(25).with(24, { role: "user", content: "e24: asked otherwise" })));
		await prepareStep(step(talk(23)));
		expect(backend.shown).toHaveLength(1);
	});

	test("an older one serves a branch that leaves before the newest", async () => {
		const { load, save } = database();
		const backend = namingBackend();
		const compaction = (await compactionFor(TALK_CONFIG, { backend, load, save })).forCall({ id: "chat" });
		for (let length = 1; length <= 61; length += 2) await compaction.prepareStep(step(talk(length)));
		const calls = backend.shown.length;
		const first = backend.shown[0]?.length ?? 0;
		const branch = [...talk(first + 2), ...talk(4, "b")];
		const { messages = [] } = await compaction.prepareStep(step(branch));
		expect(backend.shown).toHaveLength(calls);
		expect(messages).toHaveLength(branch.length - first + 1);
	});

	test.each<[string, unknown]>([
		["of another kind", { v: 2, records: [] }],
		["that is no object", "{}"],
		[
			"with broken records",
			{
				v: 1,
				records: [{ covered: -1 }, null, { covered: 3, entries: [{ kept: 9 }] }],
				limits: { a: "b" },
				backOffs: 3,
			},
		],
		["with a poisoned name", JSON.parse('{"v":1,"records":[],"limits":{"__proto__":5},"backOffs":{}}')],
	])("%s is read as nothing", (_, value) => {
		expect(readState(value).records).toEqual([]);
		expect(({} as { x?: unknown }).x).toBeUndefined();
	});

	test("a host that cannot load or save harms no request, and is told", async () => {
		const events: string[] = [];
		const fail = async (): Promise<never> => {
			throw new Error("the database is down");
		};
		const compaction = await compactionFor(TALK_CONFIG, {
			backend: namingBackend(),
			load: fail,
			save: fail,
			onEvent: (event) => {
				if (event.type === "failed") events.push(`${event.id} ${event.stage}: ${event.message}`);
			},
		});
		const { messages } = await compaction.forCall({ id: "chat" }).prepareStep(step(talk(25)));
		expect(messages?.length).toBeLessThan(25);
		expect(events).toEqual(["chat load: the database is down", "chat save: the database is down"]);
	});

	test("messages that JSON cannot hold are not stored", async () => {
		const { rows, load, save } = database();
		const withBytes: ModelMessage[] = talk(25).map((message, index) =>
			index === 1
				? {
						role: "assistant",
						content: [
							{ type: "reasoning", text: "x ".repeat(300) },
							{ type: "file", data: new Uint8Array(9), mediaType: "image/png" },
						],
					}
				: message,
		);
		const compaction = await compactionFor(
			{
				tokens: { window: 20_000 },
				trigger: { use: "tokens", max: 100 },
				target: { tokens: 3800 },
				strategy: { use: "drop-reasoning" },
			},
			{ load, save },
		);
		const { messages = [] } = await compaction.forCall({ id: "chat" }).prepareStep(step(withBytes));
		expect(messages[1]?.content).toHaveLength(1);
		expect(JSON.parse(rows.get("chat") ?? "").records).toEqual([]);
	});
});

describe("the fingerprint of a message", () => {
	test("is that of what it says: not of key order, marks, or the form of plain text", () => {
		const call = { type: "tool-call", toolCallId: "1", toolName: "t", input: { a: 1, b: [2] } };
		const same: Message = {
			role: "assistant",
			content: [
				{
					input: { b: [2], a: 1 },
					toolName: "t",
					toolCallId: "1",
					type: "tool-call",
					providerOptions: { x: { y: 1 } },
				} as never,
			],
		};
		expect(fingerprint({ role: "assistant", content: [call] })).toBe(fingerprint(same));
		expect(fingerprint({ role: "user", content: "hi" })).toBe(
			fingerprint({
				role: "user",
				content: [{ type: "text", text: "hi" }],
				providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
			}),
		);
	});

	test.each<[Message, Message]>([
		[
			{ role: "user", content: "a" },
			{ role: "assistant", content: "a" },
		],
		[
			{ role: "user", content: "ab" },
			{ role: "user", content: "ba" },
		],
		[
			{
				role: "user",
				content: [
					{ type: "text", text: "a" },
					{ type: "text", text: "b" },
				],
			},
			{ role: "user", content: "ab" },
		],
		[
			{ role: "user", content: [{ type: "file", data: new Uint8Array([1]), mediaType: "a" }] },
			{ role: "user", content: [{ type: "file", data: new Uint8Array([2]), mediaType: "a" }] },
		],
	])("differs between %o and %o", (left, right) => {
		expect(fingerprint(left)).not.toBe(fingerprint(right));
	});
});

test("a record puts every history that grows from it in the same place, by itself or through any view", async () => {
	const compactor = await createCompactor(
		{
			tokens: { window: 100_000 },
			strategy: [
				{ use: "clear-tool-results", keepLast: 6 },
				{ use: "summarize-older", keepLast: 5 },
			],
		},
		{ backend: namingBackend() },
	);
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 1e6 }),
			fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
			async (seed, growth) => {
				const random = seededRandom(seed);
				const whole = generateTranscript(seed, 24);
				const records: NonNullable<ReturnType<typeof foldRecord>>[] = [];
				let length = 10;
				let carried: readonly Message[] = whole.slice(0, length);
				for (const more of growth) {
					carried = [...carried, ...whole.slice(length, length + more)];
					length = Math.min(whole.length, length + more);
					const history = reloaded(whole.slice(0, length));
					const located = random() < 0.5 ? locate(carried, records) : locate(history, records);
					// The same place, whichever way it was reached.
					expect(locate(carried, records).view).toEqual(locate(history, records).view);
					const result = await compactor.compact(located.view as ModelMessage[]);
					if (result.status !== "compacted") continue;
					const record = foldRecord(located, result);
					expect(record).toBeDefined();
					if (record === undefined) continue;
					records.push(reloaded(record));
					expect(locate(history, records).view).toEqual(result.messages);
					if (random() < 0.6) carried = result.messages as readonly Message[];
				}
			},
		),
		{ numRuns: RUNS },
	);
});

test("a step without compaction adds less than a millisecond at 2000 messages, with a summary in place too", async () => {
	const compaction = await compactionFor(
		{
			tokens: { window: 1_000_000 },
			trigger: { use: "tokens", max: 120_000 },
			strategy: { use: "summarize-older", keepLast: 500 },
		},
		{ backend: namingBackend() },
	);
	const history = talk(2001);
	const { messages: first } = await compaction.prepareStep(step(history));
	expect(first?.length).toBeLessThan(600);
	const times: number[] = [];
	for (let index = 0; index < 60; index += 1) {
		history.push(...talk(1, "z"));
		const list = [...history];
		const begin = performance.now();
		await compaction.prepareStep(step(list));
		times.push(performance.now() - begin);
	}
	expect(times.sort((left, right) => left - right)[30]).toBeLessThan(1);
});
