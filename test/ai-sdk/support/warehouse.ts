import type { SummarizingBackend } from "../../../src/backend/contract.ts";
import type { Message } from "../../../src/core/transcript/message.ts";
import {
	type LoopbackAnswer,
	type LoopbackProvider,
	type LoopbackRequest,
	loopbackProvider,
} from "../../../src/testing/loopback-provider.ts";
import { createStrictCheck } from "../../support/strict-provider.ts";

// An agent that counts shelves, one or several at a step. Its model knows only what stands in its request: it goes
// on behind the last shelf that it sees, and adds up what it sees. A lost or doubled message makes its answer wrong.

/** What a shelf holds. */
export const boxesOn = (shelf: number): number => ((shelf * 37) % 90) + 1;
/** The right answer. */
export const totalOf = (shelves: number): number =>
	Array.from({ length: shelves }, (_, index) => boxesOn(index + 1)).reduce((sum, boxes) => sum + boxes, 0);

const FILLER = "The labels were read from left to right, and every crate stood where the list says. ";

/** What the tool says of a shelf. */
export const reportOf = (shelf: number, padding = 4): string =>
	`shelf ${shelf} holds ${boxesOn(shelf)} boxes. ${FILLER.repeat(padding)}`;

/** What stands in a text: shelves counted in a summary, and those told one by one after it. */
export function readCount(text: string): {
	readonly upTo: number;
	readonly total: number;
	readonly isWhole: boolean;
} {
	const summary = [...text.matchAll(/Counted shelves 1 to (\d+), total (\d+)/g)].at(-1);
	let upTo = Number(summary?.[1] ?? 0);
	let total = Number(summary?.[2] ?? 0);
	const seen = new Map<number, number>();
	for (const [, shelf, boxes] of text.matchAll(/shelf (\d+) holds (\d+) boxes/g))
		seen.set(Number(shelf), Number(boxes));
	const later = [...seen].filter(([shelf]) => shelf > upTo).sort(([left], [right]) => left - right);
	for (const [shelf, boxes] of later) {
		if (shelf !== upTo + 1) return { upTo, total, isWhole: false };
		upTo = shelf;
		total += boxes;
	}
	return { upTo, total, isWhole: true };
}

/** A summarizer that knows how to count, and counts its own calls. */
export interface Counting extends SummarizingBackend {
	calls: number;
	/** Messages that it was shown, over all calls. */
	shown: number;
}

export function countingBackend(before: () => Promise<void> | void = () => undefined): Counting {
	const backend: Counting = {
		calls: 0,
		shown: 0,
		async summarize({ messages, previousSummary }) {
			backend.calls += 1;
			backend.shown += messages.length;
			await before();
			const { upTo, total, isWhole } = readCount(
				`${previousSummary?.text ?? ""} ${JSON.stringify(messages)}`,
			);
			const fact = isWhole ? `Counted shelves 1 to ${upTo}, total ${total}` : "The count is broken";
			return {
				sections: { key_facts: [fact], decisions: [], pending_tasks: ["Count the rest"], open_questions: [] },
				usage: { calls: 1, inputTokens: 100, outputTokens: 10, costUSD: 0.001 },
			};
		},
	};
	return backend;
}

/** Tokens as the server counts: not as we do. */
export function tokensOf({ body }: LoopbackRequest): number {
	const { messages, input, system, instructions, tools } = body;
	return Math.ceil(JSON.stringify([messages, input, system, instructions, tools]).length / 3.6);
}

export interface WarehouseOptions {
	readonly shelves: number;
	/** The window in tokens. */
	readonly window: number;
	/** Calls in one step. */
	readonly atOnce?: number;
	readonly reasoning?: boolean;
	/** The words of a refusal as too long. */
	readonly refusal?: (tokens: number, window: number) => string;
	/** Answers in another way, where it wants to. */
	readonly script?: (
		request: LoopbackRequest,
		count: ReturnType<typeof readCount>,
	) => LoopbackAnswer | undefined;
}

export interface Warehouse {
	readonly server: LoopbackProvider;
	readonly baseURL: string;
	/** Tokens of each request that was taken. */
	readonly taken: number[];
	/** Words of each refusal. */
	readonly refused: string[];
	/** Forgets which reasoning came with which item, for another conversation. */
	close(): Promise<void>;
}

export const openAiRefusal = (tokens: number, window: number): string =>
	`This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;

/** A strict server with the model of the agent: it refuses broken requests, and what is over its window. */
export async function warehouse(options: WarehouseOptions): Promise<Warehouse> {
	const strict = createStrictCheck();
	const taken: number[] = [];
	const refused: string[] = [];
	let calls = 0;
	const answer = (request: LoopbackRequest): LoopbackAnswer => {
		const { messages, input } = request.body;
		const count = readCount(JSON.stringify(messages ?? input));
		const usage = { input: tokensOf(request), output: 20 };
		const own = options.script?.(request, count);
		if (own !== undefined) return { usage, ...own };
		if (!count.isWhole) return { text: "I have lost count.", usage };
		if (count.upTo >= options.shelves) return { text: `The total is ${count.total}.`, usage };
		const next = Array.from({ length: options.atOnce ?? 1 }, (_, index) => count.upTo + 1 + index);
		const toolCalls = next
			.filter((shelf) => shelf <= options.shelves)
			.map((shelf) => {
				calls += 1;
				return {
					toolCallId: `call-${calls}`,
					toolName: shelf % 3 === 0 ? "countRack" : "countShelf",
					input: { shelf },
				};
			});
		return {
			toolCalls,
			usage,
			...(options.reasoning === true ? { reasoning: `Next is shelf ${next[0]}.` } : {}),
		};
	};
	const server: LoopbackProvider = await loopbackProvider({
		check(request) {
			const tokens = tokensOf(request);
			const fault =
				tokens > options.window
					? (options.refusal ?? openAiRefusal)(tokens, options.window)
					: strict(request.path, request.body);
			if (fault !== undefined) refused.push(fault);
			else {
				taken.push(tokens);
				server.push(answer);
			}
			return fault;
		},
	});
	return { server, baseURL: `${server.url}/v1`, taken, refused, close: () => server.close() };
}

/** A conversation that has counted so many shelves already. */
export function counted(shelves: number, padding = 4): Message[] {
	const messages: Message[] = [{ role: "user", content: "Count every shelf and tell me the total." }];
	for (let shelf = 1; shelf <= shelves; shelf += 1) {
		const toolCallId = `old-${shelf}`;
		messages.push(
			{
				role: "assistant",
				content: [{ type: "tool-call", toolCallId, toolName: "countShelf", input: { shelf } }],
			},
			{
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId,
						toolName: "countShelf",
						output: { type: "text", value: reportOf(shelf, padding) },
					},
				],
			},
		);
	}
	return messages;
}
