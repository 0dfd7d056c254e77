// An agent that reads the files of a folder, one after the other, and never runs out of context.
//
//   node examples/agent/agent.mjs [FOLDER]              a scripted model on loopback
//   OPENAI_BASE_URL=http://localhost:11434/v1 MODEL=qwen3 OPENAI_API_KEY=none WINDOW=8000 node examples/agent/agent.mjs src
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, stepCountIs, ToolLoopAgent, tool } from "ai";
import { compactionFor, memoryArchive, recallTool } from "precis/ai-sdk";

const object = (properties) =>
	jsonSchema({ type: "object", properties, required: Object.keys(properties), additionalProperties: false });

/** Runs the agent; gives its answer and what compaction did. */
export async function runAgent({ model, folder, window, backend = { use: "extractive" }, log = () => {} }) {
	const archive = memoryArchive();
	const passes = [];
	const compaction = await compactionFor(
		{ tokens: { window }, strategy: { use: "summarize-older", keepLast: 6 }, backend },
		{
			model,
			archive,
			onEvent: (event) => {
				if (event.type === "progress") return;
				log(`  [${event.type}] ${event.detail ?? event.message ?? JSON.stringify(event.tokens)}`);
				if (event.type === "finished") passes.push(event);
			},
		},
	);
	const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	const agent = new ToolLoopAgent({
		model,
		instructions: "Read each file once, in order, then tell how many you have read.",
		tools: {
			listFiles: tool({
				description: "Lists the files.",
				inputSchema: object({}),
				execute: async () => files,
			}),
			readFile: tool({
				description: "Reads one of the files.",
				inputSchema: object({ path: { type: "string" } }),
				execute: async ({ path }) =>
					files.includes(path) ? (await readFile(path, "utf8")).slice(0, 4000) : "There is no such file.",
			}),
			recall: recallTool(archive),
		},
		stopWhen: stepCountIs(files.length + 10),
		prepareStep: compaction.prepareStep,
		onStepFinish: ({ toolCalls, usage }) =>
			log(
				`${toolCalls.map(({ toolName, input }) => `${toolName} ${input.path ?? ""}`).join(", ")} (${usage.inputTokens} tokens)`,
			),
	});
	const { text, steps } = await agent.generate({ prompt: "Read the files." });
	return { text, steps, passes, files };
}

/** A scripted model that reads one file at each step; it refuses what is larger than its window, as real ones do. */
export async function loopbackModel(window) {
	const { loopbackProvider } = await import("precis/testing");
	const sizeOf = (body) => Math.ceil(JSON.stringify(body).length / 4);
	let files;
	let next = 0;
	const answer = ({ body }) => {
		const usage = { input: sizeOf(body), output: 20 };
		const last = body.messages.at(-1);
		if (files === undefined && last.role === "tool") files = JSON.parse(last.content);
		if (files === undefined)
			return { usage, toolCalls: [{ toolCallId: "list", toolName: "listFiles", input: {} }] };
		if (next >= files.length) return { usage, text: `I have read ${files.length} files.` };
		next += 1;
		return {
			usage,
			toolCalls: [{ toolCallId: `read-${next}`, toolName: "readFile", input: { path: files[next - 1] } }],
		};
	};
	const server = await loopbackProvider({
		check: ({ body }) => {
			if (sizeOf(body) > window)
				return `This model's maximum context length is ${window} tokens. However, your messages resulted in ${sizeOf(body)} tokens.`;
			server.push(answer);
			return undefined;
		},
	});
	const model = createOpenAICompatible({ name: "loopback", baseURL: `${server.url}/v1` })("scripted");
	return { model, close: () => server.close() };
}

if (process.argv[1]?.endsWith("agent.mjs")) {
	const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, MODEL: name } = process.env;
	const window = Number(process.env.WINDOW ?? 8000);
	const folder = process.argv[2] ?? "docs";
	const scripted = baseURL ? undefined : await loopbackModel(window);
	const model =
		scripted?.model ??
		createOpenAICompatible({ name: "server", baseURL, apiKey, includeUsage: true })(name ?? "default");
	const backend = baseURL ? [{ use: "ai-sdk" }, { use: "extractive" }] : { use: "extractive" };
	const { text, steps, passes } = await runAgent({ model, folder, window, backend, log: console.error });
	console.log(`${text}\n${steps.length} steps, ${passes.length} summaries, window ${window} tokens.`);
	await scripted?.close();
}
