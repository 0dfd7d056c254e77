// A chat server in one file: `useChat` on the client, node:http here, no framework.
//
//   node examples/chat/server.mjs                       answers come from a model on loopback
//   OPENAI_BASE_URL=http://localhost:11434/v1 MODEL=qwen3 OPENAI_API_KEY=none node examples/chat/server.mjs
//
// The client sends the whole chat each time; the summary is made once and kept beside the chat, so that it survives
// a restart. An edited or branched chat is noticed, and the summary that no longer fits is left alone.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { convertToModelMessages, pipeUIMessageStreamToResponse, stepCountIs, streamText } from "ai";
import { compactionFor, fileArchive, recallTool } from "precis/ai-sdk";

/** Writes a file whole or not at all. */
async function write(path, value) {
	await writeFile(`${path}.new`, JSON.stringify(value));
	await rename(`${path}.new`, path);
}

async function read(path) {
	try {
		return JSON.parse(await readFile(path, "utf8"));
	} catch (error) {
		if (error.code === "ENOENT") return undefined;
		throw error;
	}
}

async function bodyOf(request) {
	let text = "";
	for await (const chunk of request.setEncoding("utf8")) text += chunk;
	return JSON.parse(text);
}

/** Starts the server. `folder` keeps chats and states; `config` is a précis config; `options` go to `compactionFor`. */
export async function startChat({ model, folder, config, options = {}, port = 0 }) {
	await mkdir(folder, { recursive: true });
	// Chats are named by their clients: a name is never a path.
	const fileOf = (kind, id) => join(folder, `${kind}-${encodeURIComponent(id)}.json`);
	const archive = fileArchive(join(folder, "archive.jsonl"));
	const compaction = await compactionFor(config, {
		archive,
		load: (id) => read(fileOf("state", id)),
		save: (id, state) => write(fileOf("state", id), state),
		...options,
	});

	const server = createServer(async (request, response) => {
		try {
			if (request.method !== "POST") return void response.writeHead(404).end();
			const { id, messages } = await bodyOf(request);
			const aborted = new AbortController();
			response.once("close", () => aborted.abort());
			const tools = { recall: recallTool(archive, { id }) };
			const { prepareStep } = compaction.forCall({ id, tools, signal: aborted.signal });
			const result = streamText({
				model,
				tools,
				messages: await convertToModelMessages(messages),
				stopWhen: stepCountIs(20),
				abortSignal: aborted.signal,
				prepareStep,
			});
			pipeUIMessageStreamToResponse({
				response,
				stream: result.toUIMessageStream({
					originalMessages: messages,
					generateMessageId: () => crypto.randomUUID(),
					onFinish: ({ messages: all }) => write(fileOf("chat", id), all),
				}),
			});
		} catch (error) {
			if (!response.headersSent) response.writeHead(400, { "content-type": "text/plain" });
			response.end(String(error.message));
		}
	});
	await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}/api/chat`,
		compaction,
		close: async () => {
			compaction.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A model on loopback that says how much it was sent. */
async function loopbackModel() {
	const { loopbackProvider } = await import("precis/testing");
	const answer = ({ body }) => ({
		text: `I was sent ${body.messages.length} messages, ${JSON.stringify(body.messages).length} characters. You said: ${String(body.messages.at(-1).content)}`,
		usage: { input: Math.ceil(JSON.stringify(body).length / 4), output: 20 },
	});
	const server = await loopbackProvider({
		check: () => {
			server.push(answer);
			return undefined;
		},
	});
	return createOpenAICompatible({ name: "loopback", baseURL: `${server.url}/v1`, includeUsage: true })(
		"echo",
	);
}

if (process.argv[1]?.endsWith("server.mjs")) {
	const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, MODEL: name, PORT } = process.env;
	const model = baseURL
		? createOpenAICompatible({ name: "server", baseURL, apiKey, includeUsage: true })(name ?? "default")
		: await loopbackModel();
	const chat = await startChat({
		model,
		folder: "chats",
		port: Number(PORT ?? 3000),
		config: {
			tokens: { window: Number(process.env.WINDOW ?? 8000) },
			strategy: { use: "summarize-older", keepLast: 8 },
			backend: baseURL ? [{ use: "ai-sdk" }, { use: "extractive" }] : { use: "extractive" },
		},
		options: {
			model,
			onEvent: ({ type, id, ...rest }) => {
				if (type !== "progress") console.error(type, id, JSON.stringify(rest).slice(0, 300));
			},
		},
	});
	console.error(`POST to ${chat.url}`);
}
