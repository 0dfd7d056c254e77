import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoopbackAnswer, LoopbackRequest, LoopbackWire, WireFormat } from "./loopback/answer.ts";
import { chatWire } from "./loopback/chat-wire.ts";
import { messagesWire } from "./loopback/messages-wire.ts";
import { responsesWire } from "./loopback/responses-wire.ts";

export type { LoopbackAnswer, LoopbackRequest, LoopbackToolCall, LoopbackWire } from "./loopback/answer.ts";

/** An answer, or what makes one of the request. */
export type LoopbackScript = LoopbackAnswer | ((request: LoopbackRequest) => LoopbackAnswer);

/** How a loopback server behaves. */
export interface LoopbackOptions {
	/** Answers, one a request, in order; a request beyond the last is refused with status 400. */
	readonly answers?: readonly LoopbackScript[];
	/** Looks at each request first; the words it returns are sent as a refusal with status 400, and no answer is used up. */
	check?(request: LoopbackRequest): string | undefined;
}

/** A provider on loopback. */
export interface LoopbackProvider {
	/** Where it listens, without a path; "/v1" behind it is the base URL of all wire formats. */
	readonly url: string;
	/** All requests so far, in order. */
	readonly requests: readonly LoopbackRequest[];
	/** Adds answers to the script. */
	push(...answers: readonly LoopbackScript[]): void;
	/** Ends every connection and the server. */
	close(): Promise<void>;
}

const WIRES: readonly (readonly [end: string, wire: LoopbackWire, format: WireFormat])[] = [
	["/chat/completions", "chat", chatWire],
	["/responses", "responses", responsesWire],
	["/messages", "messages", messagesWire],
];

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}

/** Waits; false where the connection is gone by then. */
function pause(milliseconds: number, response: ServerResponse): Promise<boolean> {
	if (response.destroyed) return Promise.resolve(false);
	return new Promise((resolve) => {
		const timer = Number.isFinite(milliseconds) ? setTimeout(() => end(true), milliseconds) : undefined;
		const gone = (): void => end(false);
		function end(stays: boolean): void {
			clearTimeout(timer);
			response.off("close", gone);
			resolve(stays);
		}
		response.once("close", gone);
	});
}

function send(response: ServerResponse, answer: LoopbackAnswer, type: string, payload: string): void {
	if (answer.drop === "before") {
		response.destroy();
		return;
	}
	const bytes = Buffer.from(payload);
	response.writeHead(answer.status ?? 200, {
		"content-type": type,
		"content-length": String(bytes.length),
		...answer.headers,
	});
	if (answer.drop === undefined) {
		response.end(bytes);
		return;
	}
	// Only once the first half is out does cutting the connection cut the answer.
	response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}

function sendAnswer(
	response: ServerResponse,
	format: WireFormat,
	request: LoopbackRequest,
	answer: LoopbackAnswer,
): void {
	if (answer.status !== undefined && answer.status !== 200) {
		const error = answer.error ?? { message: `status ${answer.status}` };
		send(response, answer, "application/json", JSON.stringify(format.error(error)));
	} else if (request.body.stream === true) {
		const lines = format.streamed(answer, request.body).map(({ event, data }) => {
			const name = event === undefined ? "" : `event: ${event}\n`;
			return `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
		});
		send(response, answer, "text/event-stream", lines.join(""));
	} else {
		send(response, answer, "application/json", JSON.stringify(format.whole(answer, request.body)));
	}
}

/**
 * Starts a server on 127.0.0.1 that answers from a script as OpenAI (chat completions and responses) and Anthropic
 * do, whole and streamed; it keeps what it was asked.
 */
export async function loopbackProvider(options: LoopbackOptions = {}): Promise<LoopbackProvider> {
	const script = [...(options.answers ?? [])];
	const requests: LoopbackRequest[] = [];

	function nextAnswer(request: LoopbackRequest): LoopbackAnswer {
		const complaint = options.check?.(request);
		if (complaint !== undefined) return { status: 400, error: { message: complaint } };
		const next = script.shift();
		if (next === undefined)
			return { status: 400, error: { message: `no answer is left for request ${requests.length}` } };
		return typeof next === "function" ? next(request) : next;
	}

	async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = new URL(incoming.url ?? "/", "http://loopback").pathname;
		const text = await textOf(incoming);
		const found = WIRES.find(([end]) => path.endsWith(end));
		if (found === undefined) {
			response.writeHead(404, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message: `no wire format at "${path}"` } }));
			return;
		}
		const [, wire, format] = found;
		let aborted = false;
		response.once("close", () => {
			aborted = !response.writableEnded;
		});
		const request: LoopbackRequest = {
			wire,
			path,
			headers: incoming.headers,
			body: JSON.parse(text) as LoopbackRequest["body"],
			get aborted(): boolean {
				return aborted;
			},
		};
		requests.push(request);
		const answer = nextAnswer(request);
		if (answer.delayMs !== undefined && !(await pause(answer.delayMs, response))) return;
		sendAnswer(response, format, request, answer);
	}

	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((error: unknown) => {
			// A client that hangs up while it asks is no fault of the server's.
			if (!response.headersSent && !response.destroyed) response.writeHead(500);
			response.end(String(error));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		push: (...answers) => {
			script.push(...answers);
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
