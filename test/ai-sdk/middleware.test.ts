import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { realignPrompt } from "../../src/ai-sdk/align-prompt.ts";
import { openStream } from "../../src/ai-sdk/language-model.ts";
import { compactionFor, compactionMiddleware } from "../../src/ai-sdk.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { CONFIG, INSTRUCTIONS, WINDOW, withWarehouses } from "./support/start.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import { counted, countingBackend, totalOf } from "./support/warehouse.ts";

const start = withWarehouses();
const shelves = 60;
const marked = (messages: readonly Message[]): ModelMessage[] =>
	messages.map((message, index) =>
		index >= messages.length - 2
			? { ...message, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }
			: message,
	) as ModelMessage[];

describe.each(WAYS)("a wrapped model over %s, %s", (version, name, modelAt) => {
	const ai = VERSIONS[version];

	test("serves a host that sends the whole history each time, and pays once", async () => {
		const { baseURL, refused, taken } = await start({ shelves, window: WINDOW });
		const backend = countingBackend();
		const model = ai.wrapLanguageModel({
			model: modelAt(baseURL) as never,
			middleware: compactionMiddleware(CONFIG, { backend }),
		});
		// A loop of the host's own, which knows nothing of compaction.
		const { text } = await ai.generateText({
			model,
			tools: shelfTools(ai),
			system: INSTRUCTIONS,
			messages: counted(30) as ModelMessage[],
			stopWhen: ai.stepCountIs(40),
		});
		expect(text).toBe(`The total is ${totalOf(shelves)}.`);
		expect(refused).toEqual([]);
		expect(Math.max(...taken)).toBeLessThan(WINDOW);
		expect(backend.calls).toBe(taken.filter((tokens, index) => tokens < (taken[index - 1] ?? 0)).length);
	});

	test("streams untouched, and meets a refusal", async () => {
		const { baseURL, refused } = await start({ shelves, window: WINDOW });
		const backend = countingBackend();
		const model = ai.wrapLanguageModel({
			model: modelAt(baseURL) as never,
			middleware: compactionMiddleware({ ...CONFIG, tokens: { window: 100_000 } }, { backend }),
		});
		const result = ai.streamText({
			model,
			tools: shelfTools(ai),
			system: INSTRUCTIONS,
			messages: counted(shelves) as ModelMessage[],
		});
		let text = "";
		for await (const part of result.textStream) text += part;
		expect(text).toBe(`The total is ${totalOf(shelves)}.`);
		expect((await result.usage).inputTokens).toBeGreaterThan(0);
		expect(refused).toHaveLength(1);
		expect(backend.calls).toBe(1);
	});

	test("provider-options-01: cache marks of what is kept are sent, and none is added", async () => {
		const { baseURL, server, refused } = await start({ shelves, window: WINDOW });
		const model = ai.wrapLanguageModel({
			model: modelAt(baseURL) as never,
			middleware: compactionMiddleware(CONFIG, { backend: countingBackend() }),
		});
		await ai.generateText({ model, system: INSTRUCTIONS, messages: marked(counted(shelves)) });
		const sent = JSON.stringify(server.requests.at(-1)?.body);
		expect(sent).toContain("Counted shelves 1 to");
		expect(sent.match(/cache_control/g)?.length ?? 0).toBe(name === "anthropic messages" ? 2 : 0);
		expect(refused).toEqual([]);
	});
});

test("one middleware of a compaction shares its state with the agent's steps", async () => {
	const ai = VERSIONS["ai 7"];
	const { baseURL } = await start({ shelves, window: WINDOW });
	const backend = countingBackend();
	const compaction = await compactionFor(CONFIG, { backend });
	const model = WAYS[1]?.[2](baseURL);
	const wrapped = ai.wrapLanguageModel({ model: model as never, middleware: compaction.middleware });
	const messages = counted(shelves) as ModelMessage[];
	expect((await ai.generateText({ model: wrapped, messages })).text).toBe(
		`The total is ${totalOf(shelves)}.`,
	);
	expect(
		(await ai.generateText({ model: model as never, messages, prepareStep: compaction.prepareStep })).text,
	).toBe(`The total is ${totalOf(shelves)}.`);
	expect(backend.calls).toBe(1);
});

test("abort-01: the call's own signal ends the wait for a summary", async () => {
	const ai = VERSIONS["ai 7"];
	const { baseURL, server } = await start({ shelves, window: WINDOW });
	const controller = new AbortController();
	const middleware = compactionMiddleware(CONFIG, {
		backend: {
			async summarize() {
				controller.abort();
				return new Promise(() => undefined);
			},
		},
	});
	const model = ai.wrapLanguageModel({ model: WAYS[1]?.[2](baseURL) as never, middleware });
	const call = ai.generateText({
		model,
		messages: counted(shelves) as ModelMessage[],
		abortSignal: controller.signal,
	});
	await expect(call).rejects.toMatchObject({ name: "AbortError" });
	expect(server.requests).toEqual([]);
});

describe("a prompt that is made again of fewer messages", () => {
	const call = (id: string) => ({ type: "tool-call", toolCallId: id, toolName: "t", input: {} });
	const result = (id: string) => ({
		type: "tool-result",
		toolCallId: id,
		toolName: "t",
		output: { type: "text", value: id },
	});
	const image = { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2]) };
	const before: Message[] = [
		{ role: "user", content: [{ type: "image", image: "data:image/png;base64,AQI=" }] },
		{
			role: "assistant",
			content: [call("a"), call("b"), { type: "tool-approval-request", approvalId: "1", toolCallId: "b" }],
		},
		{ role: "tool", content: [result("a")] },
		{
			role: "tool",
			content: [{ type: "tool-approval-response", approvalId: "1", approved: true }, result("b")],
		},
		{ role: "assistant", content: "Done." },
	];
	const prompt: Message[] = [
		{ role: "system", content: "Rules." },
		{ role: "user", content: [image] },
		{ role: "assistant", content: [call("a"), call("b")] },
		{ role: "tool", content: [result("a"), result("b")] },
		{ role: "assistant", content: [{ type: "text", text: "Done." }] },
	];

	test("has what is kept as it was converted, instructions included", () => {
		expect(realignPrompt(before, before, prompt)).toEqual(prompt);
	});

	test("has what is new in a prompt's own form", () => {
		const summary: Message = { role: "user", content: "So far." };
		const shorter = [before[0], summary, before[4]] as Message[];
		expect(realignPrompt(before, shorter, prompt)).toEqual([
			prompt[0],
			prompt[1],
			{ role: "user", content: [{ type: "text", text: "So far." }] },
			prompt[4],
		]);
	});

	test("has tool messages in one, cleared ones in their new form", () => {
		const cleared: Message = {
			role: "tool",
			content: [{ ...result("a"), output: { type: "text", value: "[cleared]" } }],
		};
		const now = [before[0], before[1], cleared, before[3], before[4]] as Message[];
		const made = realignPrompt(before, now, prompt);
		expect(made?.[3]).toEqual({ role: "tool", content: [...cleared.content, result("b")] });
	});

	test("is not made where the prompt is of something else", () => {
		expect(realignPrompt(before, before, prompt.slice(0, 2))).toBeUndefined();
		expect(
			realignPrompt([{ role: "system", content: "x" }, ...before], before, prompt.slice(1)),
		).toBeUndefined();
	});
});

describe("a stream that is looked into", () => {
	const streamOf = (parts: readonly unknown[], seen: number[] = []): ReadableStream<unknown> => {
		let index = 0;
		return new ReadableStream(
			{
				pull(controller) {
					if (index >= parts.length) return controller.close();
					seen.push(index);
					controller.enqueue(parts[index]);
					index += 1;
				},
			},
			{ highWaterMark: 0 },
		);
	};
	const read = async (stream: ReadableStream<unknown>): Promise<unknown[]> => {
		const out: unknown[] = [];
		const reader = stream.getReader();
		for (let next = await reader.read(); !next.done; next = await reader.read()) out.push(next.value);
		return out;
	};
	const parts = [{ type: "stream-start" }, { type: "text-delta", delta: "a" }, { type: "finish", usage: 7 }];

	test("gives every part, the same object, in order, and reads no further than it must", async () => {
		const seen: number[] = [];
		const usages: unknown[] = [];
		const { refused, stream } = await openStream(streamOf(parts, seen), ({ usage }) => usages.push(usage));
		expect(refused).toBeUndefined();
		expect(seen).toEqual([0, 1]);
		const out = await read(stream);
		expect(out.every((part, index) => part === parts[index])).toBe(true);
		expect(out).toHaveLength(3);
		expect(usages).toEqual([undefined, undefined, 7]);
	});

	test("says what it opens with, if that is an error, and may be empty or cancelled", async () => {
		const error = new Error("too long");
		expect(
			(await openStream(streamOf([{ type: "stream-start" }, { type: "error", error }]), () => undefined))
				.refused,
		).toBe(error);
		expect(await read((await openStream(streamOf([]), () => undefined)).stream)).toEqual([]);
		await (await openStream(streamOf(parts), () => undefined)).stream.cancel();
	});
});
