import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { afterAll, describe, expect, test } from "vitest";
import { WINDOW, withWarehouses } from "./support/start.ts";
import { namingBackend } from "./support/talk.ts";

interface Chat {
	readonly url: string;
	close(): Promise<void>;
}
const root = resolve(import.meta.dirname, "../..");
const { startChat } = (await import(join(root, "examples/chat/server.mjs"))) as {
	startChat(settings: object): Promise<Chat>;
};
const { runAgent, loopbackModel } = (await import(join(root, "examples/agent/agent.mjs"))) as {
	runAgent(settings: object): Promise<{ text: string; steps: unknown[]; passes: unknown[]; files: string[] }>;
	loopbackModel(window: number): Promise<{ model: unknown; close(): Promise<void> }>;
};

const folder = await mkdtemp(join(tmpdir(), "precis-chat-"));
afterAll(() => rm(folder, { recursive: true }));
const start = withWarehouses();

const FILLER = " The crates stand in the north of the hall, and the lamp above the ramp is on.".repeat(6);
const said = (id: string): UIMessage => ({
	id,
	role: "user",
	parts: [{ type: "text", text: `${id}:${FILLER}` }],
});

/** What `useChat` does with what was typed: it sends the chat, and shows the answer as it comes. */
async function send(chat: Chat, chatId: string, messages: UIMessage[]): Promise<UIMessage[]> {
	const transport = new DefaultChatTransport({ api: chat.url });
	const stream = await transport.sendMessages({
		chatId,
		messages,
		trigger: "submit-message",
		messageId: undefined,
		abortSignal: undefined,
	});
	let answer: UIMessage | undefined;
	for await (const message of readUIMessageStream({ stream })) answer = message;
	if (answer === undefined) throw new Error("there is no answer");
	return [...messages, answer];
}

describe("examples/chat", () => {
	const backend = namingBackend();
	const script = () => ({ text: `Noted.${FILLER}` });
	const settings = async () => {
		const { baseURL, refused, server } = await start({ shelves: 1, window: WINDOW, script });
		const model = createOpenAICompatible({ name: "local", baseURL, includeUsage: true })("local");
		const config = { tokens: { window: WINDOW }, strategy: { use: "summarize-older", keepLast: 4 } };
		return { settings: { model, folder, config, options: { backend } }, refused, server };
	};
	let messages: UIMessage[] = [];

	test("talks with useChat, beyond the window, and pays for a summary once", async () => {
		const { settings: given, refused } = await settings();
		const chat = await startChat(given);
		for (let turn = 0; turn < 30; turn += 1)
			messages = await send(chat, "one/../x", [...messages, said(`a${turn}`)]);
		await chat.close();
		expect(refused).toEqual([]);
		expect(messages).toHaveLength(60);
		expect(backend.shown).toHaveLength(1);
		expect((await readdir(folder)).sort()).toEqual([
			"archive.jsonl",
			"chat-one%2F..%2Fx.json",
			"state-one%2F..%2Fx.json",
		]);
		expect(JSON.parse(await readFile(join(folder, "chat-one%2F..%2Fx.json"), "utf8"))).toHaveLength(60);
	});

	test("survives a restart without paying again, an edit and a branch without mixing up what was said", async () => {
		const { settings: given, refused, server } = await settings();
		const chat = await startChat(given);
		messages = await send(chat, "one/../x", [...messages, said("a30")]);
		expect(backend.shown).toHaveLength(1);
		expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("Talked of a0: a1:");
		// Edited far back: what was said after it is gone, and so is the summary of it.
		const edited = [...messages.slice(0, 4), said("b0")];
		await send(chat, "one/../x", edited);
		expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("Talked of");
		// The branch that was left is there still, its summary too.
		await send(chat, "one/../x", [...messages, said("a31")]);
		expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("Talked of a0: a1:");
		expect(backend.shown).toHaveLength(1);
		await chat.close();
		expect(refused).toEqual([]);
	});
});

test("examples/agent reads more than its window holds, and answers right", async () => {
	const { model, close } = await loopbackModel(8000);
	const { text, steps, passes, files } = await runAgent({
		model,
		folder: join(root, "src/core"),
		window: 8000,
	});
	await close();
	expect(files.length).toBeGreaterThan(30);
	expect(text).toBe(`I have read ${files.length} files.`);
	expect(steps).toHaveLength(files.length + 2);
	expect(passes.length).toBeGreaterThan(2);
});
