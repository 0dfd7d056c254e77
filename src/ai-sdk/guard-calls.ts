import type { Message } from "../core/transcript/message.ts";
import { type CallableModel, type CallOptions, openStream, type StreamResult } from "./language-model.ts";
import { type Overflow, readOverflow } from "./overflow.ts";

/** What stands by while a model is called. */
export interface Guard {
	/** Sees each call before it is sent; another prompt that it returns is sent instead. */
	before(options: CallOptions): Promise<readonly Message[] | undefined>;
	/** A shorter prompt, after the provider refused one as too long; undefined where there is none. */
	rescue(options: CallOptions, overflow: Overflow): Promise<readonly Message[] | undefined>;
	/** Sees the usage of a call that succeeded, as soon as it is told. */
	used?(usage: unknown): void;
}

/** What a call came to: a result, the refusal that it carries or was. */
interface Called<Result> {
	readonly result?: Result;
	readonly refused?: unknown;
	/** Lets go of a result that nobody reads. */
	readonly drop?: () => void;
}

async function once<Result>(
	options: CallOptions,
	guard: Guard,
	call: (options: CallOptions) => Promise<Called<Result>>,
): Promise<Result> {
	const other = await guard.before(options);
	const given = other === undefined ? options : { ...options, prompt: other };
	const first = await call(given).catch((refused: unknown): Called<Result> => ({ refused }));
	const overflow = first.refused === undefined ? undefined : readOverflow(first.refused);
	const prompt = overflow === undefined ? undefined : await guard.rescue(given, overflow);
	if (prompt === undefined) {
		// A stream that begins with an error is handed on as it is.
		if (first.result === undefined) throw first.refused;
		return first.result;
	}
	first.drop?.();
	const second = await call({ ...given, prompt });
	if (second.result === undefined) throw second.refused;
	return second.result;
}

/** The calls of a model under guard: a request that is refused as too long is sent once more, shorter. */
export function guardCalls(
	model: CallableModel,
	guard: Guard,
): Pick<CallableModel, "doGenerate" | "doStream"> {
	return {
		doGenerate: (options) =>
			once(options, guard, async (given) => {
				const result = await model.doGenerate(given);
				guard.used?.((result as { readonly usage?: unknown }).usage);
				return { result };
			}),
		doStream: (options) =>
			once<StreamResult>(options, guard, async (given) => {
				const result = await model.doStream(given);
				const { refused, stream } = await openStream(result.stream, (part) => {
					if (part.type === "finish") guard.used?.(part.usage);
				});
				return { result: { ...result, stream }, refused, drop: () => stream.cancel().catch(() => undefined) };
			}),
	};
}
