import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { readUi } from "../../src/ai-sdk/ui-transcript.ts";
import { compactionFor, compactUIMessages, SUMMARY_PART } from "../../src/ai-sdk.ts";
import type { Config } from "../../src/generated/types.ts";
import { WINDOW, withWarehouses } from "./support/start.ts";
import { namingBackend, reloaded, step, TALK_CONFIG } from "./support/talk.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import { countingBackend, reportOf, totalOf } from "./support/warehouse.ts";

const start = withWarehouses();
const ai = VERSIONS["ai 7"];
const FILLER = " The crates stand in the north of the hall, and the lamp above the ramp is on.".repeat(4);
const deny = { id: "ap", approved: false as const, reason: "not now" };

/** A chat of turns, each with a call in another state, data and metadata. */
function chat(turns: number): UIMessage[] {
	const states: readonly object[] = [
		{ state: "output-available", input: { q: 1 }, output: { found: "x" } },
		{ state: "output-error", input: { q: 2 }, errorText: "no such shelf" },
		{ state: "output-denied", input: { q: 3 }, approval: deny },
		{ state: "output-available", input: { q: 4 }, output: "plain", approval: { id: "ok", approved: true } },
	];
	return Array.from({ length: turns }, (_, turn): UIMessage[] => [
		{
			id: `u${turn}`,
			role: "user",
			metadata: { turn },
			parts: [{ type: "text", text: `u${turn}:${FILLER}` }],
		},
		{
			id: `a${turn}`,
			role: "assistant",
			metadata: { turn },
			parts: [
				{ type: "step-start" },
				{ type: "reasoning", text: "hm" },
				{ type: "data-progress", id: `d${turn}`, data: { done: turn } },
				{
					type: turn % 2 ? "dynamic-tool" : "tool-find",
					toolName: "find",
					toolCallId: `c${turn}`,
					...states[turn % 4],
				},
				{ type: "step-start" },
				{ type: "text", text: `a${turn}:${FILLER}` },
			] as UIMessage["parts"],
		},
	]).flat();
}

const config: Config = { ...TALK_CONFIG, strategy: { use: "summarize-older", keepLast: 6 } };

describe("a chat's messages", () => {
	test("are read as the AI SDK itself reads them", async () => {
		const messages = chat(8);
		const strip = (value: unknown): unknown =>
			JSON.parse(JSON.stringify(value).replaceAll(/"reason":"[^"]*",?/g, ""));
		const own = readUi(messages).messages.map(({ role, content }) => [
			role,
			(content as { type: string }[]).map(({ type }) => type),
		]);
		const theirs = (await ai.convertToModelMessages(messages)).map(({ role, content }) => [
			role,
			(content as { type: string }[]).map(({ type }) => type),
		]);
		expect(strip(own)).toEqual(strip(theirs));
	});

	test("stay the very objects, with data parts and metadata, behind a message that shows the summary", async () => {
		const compaction = await compactionFor(config, { backend: namingBackend() });
		const messages = chat(12);
		const { status, messages: out, evicted, tokens } = await compactUIMessages(messages, compaction);
		expect(status).toBe("compacted");
		const [summary, ...rest] = out;
		expect(summary?.parts.map(({ type }) => type)).toEqual([SUMMARY_PART, "text"]);
		expect(summary?.parts[0]).toMatchObject({
			data: { text: expect.stringContaining("## Conversation summary") },
		});
		expect(rest.at(-1)).toBe(messages.at(-1));
		expect(rest.slice(1)).toEqual(messages.slice(-rest.length + 1));
		expect(evicted.length + rest.length).toBeGreaterThanOrEqual(messages.length);
		expect(tokens.after).toBeLessThan(tokens.before / 2);
		// What is made of it is a transcript that the AI SDK takes, pairs whole.
		expect(await ai.convertToModelMessages(out)).toHaveLength(readUi(out).messages.length);
	});

	test("below the trigger, are handed back as they are; forced, they are compacted all the same", async () => {
		const backend = namingBackend();
		const compaction = await compactionFor(config, { backend });
		const messages = chat(5);
		expect(await compactUIMessages(messages, compaction)).toMatchObject({
			status: "unchanged",
			messages,
			evicted: [],
		});
		expect(backend.shown).toEqual([]);
		expect((await compactUIMessages(messages, compaction, { force: true })).status).toBe("compacted");
	});

	test("compacted before, carry their summary on: it is folded in, never nested", async () => {
		const backend = namingBackend();
		const compaction = await compactionFor(config, { backend });
		const first = reloaded((await compactUIMessages(chat(12), compaction)).messages);
		const again = await compactionFor(config, { backend });
		const longer = [...first, ...chat(24).slice(24)];
		const { messages: out } = await compactUIMessages(longer, again);
		expect(out.filter(({ parts }) => parts.some(({ type }) => type === SUMMARY_PART))).toHaveLength(1);
		expect(backend.folded[1]).toEqual(backend.shown[0]);
	});

	test("compacted, are known for what they are by the steps of the agent", async () => {
		const backend = namingBackend();
		const compaction = await compactionFor(config, { backend });
		const { messages: stored } = await compactUIMessages(chat(12), compaction);
		const longer = [...reloaded(stored), ...chat(24).slice(24)];
		await compaction.prepareStep(step(await ai.convertToModelMessages(longer)));
		expect(backend.folded[1]).toEqual(backend.shown[0]);
	});

	test("the whole chat again is not paid for again", async () => {
		const backend = namingBackend();
		const compaction = await compactionFor(config, { backend });
		const first = await compactUIMessages(chat(12), compaction);
		const second = await compactUIMessages(reloaded(chat(12)), compaction);
		expect(second.messages).toEqual(first.messages);
		expect(backend.shown).toHaveLength(1);
	});

	test("that wait for an approval or a result are never parted from their call", async () => {
		const compaction = await compactionFor(config, { backend: namingBackend() });
		const waiting: UIMessage = {
			id: "w",
			role: "assistant",
			parts: [
				{ type: "step-start" },
				{
					type: "tool-find",
					toolCallId: "w1",
					state: "approval-requested",
					input: {},
					approval: { id: "ap9" },
				},
				{ type: "tool-find", toolCallId: "w2", state: "input-available", input: {} },
				{ type: "tool-find", toolCallId: "w3", state: "input-streaming", input: undefined },
			] as UIMessage["parts"],
		};
		const { messages: out } = await compactUIMessages([...chat(12), waiting], compaction);
		expect(out.at(-1)).toBe(waiting);
	});

	test("a failed pass leaves the chat alone, however large it is", async () => {
		const compaction = await compactionFor(config, {
			backend: { summarize: () => Promise.reject(new Error("down")) },
		});
		const messages = chat(40);
		expect((await compactUIMessages(messages, compaction)).messages).toEqual(messages);
	});
});

test("one message of many steps loses its older steps, and the task still ends right", async () => {
	const done = 45;
	const parts = Array.from({ length: done }, (_, index) => [
		{ type: "step-start" },
		{
			type: "tool-countShelf",
			toolCallId: `c${index}`,
			state: "output-available",
			input: { shelf: index + 1 },
			output: reportOf(index + 1),
		},
		{ type: "data-shelf", data: index + 1 },
	]).flat();
	const messages = [
		{ id: "u", role: "user", parts: [{ type: "text", text: "Count every shelf and tell me the total." }] },
		{ id: "a", role: "assistant", parts },
	] as UIMessage[];
	const { baseURL, refused } = await start({ shelves: 50, window: WINDOW });
	const compaction = await compactionFor(
		{ tokens: { window: WINDOW }, strategy: { use: "summarize-older", keepLast: 6 } },
		{ backend: countingBackend() },
	);
	const { messages: out } = await compactUIMessages(messages, compaction, { force: true });
	const last = out.at(-1);
	expect(out.map(({ id }) => id).filter((id) => !id.startsWith("precis"))).toEqual(["u", "a"]);
	expect(last?.parts.filter(({ type }) => type === "data-shelf")).toHaveLength(3);
	const { text } = await ai.generateText({
		model: WAYS[1]?.[2](baseURL) as never,
		tools: shelfTools(ai),
		messages: await ai.convertToModelMessages(out),
		stopWhen: ai.stepCountIs(20),
	});
	expect(text).toBe(`The total is ${totalOf(50)}.`);
	expect(refused).toEqual([]);
});

test("cleared results show in their parts; calls and states stay", async () => {
	const compaction = await compactionFor({
		...TALK_CONFIG,
		strategy: { use: "clear-tool-results", keepLast: 4 },
	});
	const messages = chat(12).map((message) => ({
		...message,
		parts: message.parts.map((part) =>
			"output" in part && part.output ? { ...part, output: `long ${FILLER.repeat(3)}` } : part,
		),
	})) as UIMessage[];
	const { messages: out } = await compactUIMessages(messages, compaction, { force: true });
	const before = messages[1]?.parts[3] as { output: string };
	const after = out[1]?.parts[3] as { state: string; output: string };
	expect(out).toHaveLength(messages.length);
	expect(after.state).toBe("output-available");
	expect(after.output.length).toBeLessThan(before.output.length / 4);
	expect(out.at(-1)).toBe(messages.at(-1));
});
