// A model on loopback that speaks chat completions and answers from a script, one answer a request.
import { createServer } from "node:http";

/**
 * Starts the server.
 * @param {readonly { think?: string, say?: string, calls?: readonly [tool: string, input: object][] }[]} answers
 * @returns {Promise<{ baseURL: string, close(): Promise<void>, left(): number }>}
 */
export async function startLoopbackModel(answers) {
	let next = 0;
	let calls = 0;
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const asked = Buffer.concat(chunks).toString("utf8");
		const answer = answers[next];
		next += 1;
		if (answer === undefined) {
			response.writeHead(500).end(JSON.stringify({ error: { message: "the script has ended" } }));
			return;
		}
		const toolCalls = (answer.calls ?? []).map(([name, input]) => {
			calls += 1;
			const id = `call_${String(calls).padStart(3, "0")}`;
			return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
		});
		const message = {
			role: "assistant",
			content: answer.say ?? null,
			...(answer.think === undefined ? {} : { reasoning_content: answer.think }),
			...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
		};
		const prompt = Math.ceil(asked.length / 4);
		const completion = Math.ceil(JSON.stringify(message).length / 4);
		response.setHeader("content-type", "application/json");
		response.end(
			JSON.stringify({
				id: `chatcmpl-${next}`,
				object: "chat.completion",
				created: 0,
				model: "scripted",
				choices: [{ index: 0, message, finish_reason: toolCalls.length === 0 ? "stop" : "tool_calls" }],
				usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
			}),
		);
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		baseURL: `http://127.0.0.1:${server.address().port}/v1`,
		close: () => new Promise((resolve) => server.close(resolve)),
		left: () => answers.length - next,
	};
}
