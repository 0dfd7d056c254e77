import type { Message } from "../core/transcript/message.ts";

/** What a call to a model is given, as far as it is looked at here; versions 2, 3 and 4 of the specification agree. */
export interface CallOptions {
	readonly prompt: readonly Message[];
	readonly tools?: readonly unknown[] | undefined;
	readonly maxOutputTokens?: number | undefined;
	readonly abortSignal?: AbortSignal | undefined;
	readonly [field: string]: unknown;
}

/** What a streamed call gives, as far as it is looked at here. */
export interface StreamResult {
	readonly stream: ReadableStream<unknown>;
	readonly [field: string]: unknown;
}

/** A model of the AI SDK, as far as it is used here. */
export interface CallableModel {
	readonly provider?: unknown;
	readonly modelId?: unknown;
	doGenerate(options: CallOptions): PromiseLike<object>;
	doStream(options: CallOptions): PromiseLike<StreamResult>;
}

export function isCallableModel(model: unknown): model is CallableModel {
	if (typeof model !== "object" || model === null) return false;
	const { doGenerate, doStream } = model as Partial<Record<keyof CallableModel, unknown>>;
	return typeof doGenerate === "function" && typeof doStream === "function";
}

/** Parts that come before a model has said anything. */
const PREAMBLE = new Set(["stream-start", "response-metadata", "raw"]);

/** A part of a stream, as far as it is looked at here. */
export interface StreamPart {
	readonly type?: string;
	readonly error?: unknown;
	readonly usage?: unknown;
}

/** The beginning of a stream: what it opens with, and the error that it opens with, if that is what it does. */
export interface OpenedStream {
	readonly refused: unknown;
	/** The whole stream, every part as it was. */
	readonly stream: ReadableStream<unknown>;
}

/**
 * Reads a stream up to the first part that says something, so that a refusal which comes as a part can be met.
 * Nothing is lost, changed or reordered, and no more than that is held back.
 * @param see looks at each part as it is read
 */
export async function openStream(
	stream: ReadableStream<unknown>,
	see: (part: StreamPart) => void,
): Promise<OpenedStream> {
	const reader = stream.getReader();
	const held: unknown[] = [];
	let refused: unknown;
	let isOver = false;
	for (;;) {
		const { done, value } = await reader.read();
		isOver = done;
		if (done) break;
		held.push(value);
		const part = value as StreamPart;
		const { type } = part;
		see(part);
		if (type === "error") refused = part.error ?? value;
		if (!PREAMBLE.has(type ?? "")) break;
	}
	return {
		refused,
		stream: new ReadableStream<unknown>(
			{
				async pull(controller) {
					const next = held.shift();
					if (next !== undefined) return controller.enqueue(next);
					if (isOver) return controller.close();
					const { done, value } = await reader.read();
					if (done) return controller.close();
					see(value as StreamPart);
					controller.enqueue(value);
				},
				cancel: (reason) => reader.cancel(reason),
			},
			{ highWaterMark: 0 },
		),
	};
}

/** The same model with other calls; everything else is the model's own. */
export function withCalls<Model extends CallableModel>(
	model: Model,
	calls: Pick<CallableModel, "doGenerate" | "doStream">,
): Model {
	return new Proxy(model, {
		get(target, key) {
			if (key === "doGenerate" || key === "doStream") return calls[key];
			// Getters and methods of classes may reach for private fields: they need the model itself.
			const value: unknown = Reflect.get(target, key, target);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
}
