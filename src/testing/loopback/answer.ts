/** The wire format of a request: OpenAI chat completions, OpenAI responses, Anthropic messages. */
export type LoopbackWire = "chat" | "responses" | "messages";

/** A request as it came in. */
export interface LoopbackRequest {
	readonly wire: LoopbackWire;
	readonly path: string;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	readonly body: Readonly<Record<string, unknown>>;
	/** Whether the client hung up before it was answered. */
	readonly aborted: boolean;
}

/** A tool call in an answer. */
export interface LoopbackToolCall {
	readonly toolCallId: string;
	readonly toolName: string;
	readonly input: unknown;
}

/** One scripted answer; absent fields get plain defaults. */
export interface LoopbackAnswer {
	readonly text?: string;
	/** As the AI SDK names it; written in the wire format's own words. */
	readonly finishReason?: "stop" | "length" | "content-filter" | "tool-calls";
	/** Thinking that is sent beside the text. */
	readonly reasoning?: string;
	readonly toolCalls?: readonly LoopbackToolCall[];
	/** Tokens; `input` holds what was read from or written to the cache, `output` holds the reasoning. */
	readonly usage?: {
		readonly input: number;
		readonly output: number;
		readonly cacheRead?: number;
		readonly cacheWrite?: number;
		readonly reasoning?: number;
	};
	/** The words with which the model refuses. */
	readonly refusal?: string;
	/** An HTTP status other than 200: an error is sent, in the wire format's own shape. */
	readonly status?: number;
	readonly error?: { readonly message: string; readonly code?: string; readonly type?: string };
	readonly headers?: Readonly<Record<string, string>>;
	/** Milliseconds before the answer; Infinity never answers. */
	readonly delayMs?: number;
	/** Cuts the connection: before the first byte of the answer, or in its middle. */
	readonly drop?: "before" | "middle";
}

/** A piece of a streamed answer: the event's name where the wire format has one, and its data. */
export interface LoopbackEvent {
	readonly event?: string;
	readonly data: unknown;
}

/** How one wire format writes answers. */
export interface WireFormat {
	whole(answer: LoopbackAnswer, body: LoopbackRequest["body"]): unknown;
	streamed(answer: LoopbackAnswer, body: LoopbackRequest["body"]): readonly LoopbackEvent[];
	error(error: NonNullable<LoopbackAnswer["error"]>): unknown;
}

/** What an answer costs where the script does not say. */
export const DEFAULT_USAGE: NonNullable<LoopbackAnswer["usage"]> = { input: 11, output: 7 };

/** A text in pieces of at most so many characters, as a model streams it. */
export function piecesOf(text: string): readonly string[] {
	return text.match(/.{1,16}/gsu) ?? [];
}
