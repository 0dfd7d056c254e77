import { optionsFor } from "../config/check-given.ts";
import type { Message } from "../core/transcript/message.ts";
import type { LoadedConfig } from "../flow/load-config.ts";
import type { Config } from "../generated/types.ts";
import { type CompactionOptions, checkCompactionOptions } from "./compaction-options.ts";
import type { CompactionRecord } from "./compaction-state.ts";
import type { Ask, Engine } from "./engine.ts";
import { guardCalls } from "./guard-calls.ts";
import type { CallableModel, CallOptions } from "./language-model.ts";
import { liftMarks } from "./lift-marks.ts";
import { overheadOfCall } from "./overhead.ts";
import { BINDING, type Binding, checkBinding } from "./step.ts";
import { idOfModel } from "./windows.ts";

/** What `wrapLanguageModel` is given; versions 6 and 7 name their specification differently and check neither. */
export interface CompactionMiddleware {
	readonly specificationVersion: never;
	readonly wrapGenerate: <Call, Result>(call: Call) => Promise<Result>;
	readonly wrapStream: <Call, Result>(call: Call) => Promise<Result>;
}

/** A call as `wrapLanguageModel` hands it over. */
interface WrappedCall {
	readonly params: CallOptions;
	readonly model: CallableModel;
}

/** The last request of a conversation. */
interface Sent {
	record: CompactionRecord | undefined;
	readonly length: number;
	usage?: unknown;
}

/** Conversations whose last usage is remembered. */
const MAX_SENT = 500;

/** Makes the middleware of an engine. A prompt is a transcript as it is: its leading system messages stay in front. */
export function createMiddleware(engineOnce: () => Promise<Engine>, binding: Binding): CompactionMiddleware {
	const requests = new Map<string, Sent>();

	async function callsOf({ model }: WrappedCall): Promise<Pick<CallableModel, "doGenerate" | "doStream">> {
		const engine = await engineOnce();
		let last: { readonly ask: Ask; readonly sent: Sent; readonly messages: readonly Message[] } | undefined;
		return guardCalls(model, {
			before: async (options) => {
				const prompt = liftMarks(options.prompt);
				const overheadTokens = overheadOfCall(engine.compactor, options, prompt);
				const base = { messages: prompt, id: binding.id, model: idOfModel(model), overheadTokens };
				const conversation = await engine.memory.open(binding.id, true);
				const windowTokens = await engine.windows.of(base.model, conversation);
				const ask: Ask = { ...base, isFirst: false, signal: binding.signal ?? options.abortSignal };
				const { first, length } = engine.look(ask, conversation, windowTokens).located;
				const before = requests.get(first);
				// Only what was told of the beginning of this prompt says something of it.
				const isGrown = before !== undefined && before.usage !== undefined && before.length < length;
				const told = isGrown ? { ...ask, usage: before.usage, sent: { record: before.record } } : ask;
				const prepared = await engine.prepare(told);
				const sent: Sent = { record: prepared.located.record, length };
				if (!prepared.isTrimmed) {
					requests.delete(first);
					requests.set(first, sent);
					const [oldest] = requests.keys();
					if (requests.size > MAX_SENT && oldest !== undefined) requests.delete(oldest);
				}
				last = { ask: told, sent, messages: prepared.messages };
				return prepared.messages === prompt ? undefined : prepared.messages;
			},
			rescue: async (options, overflow) => {
				if (last === undefined) return undefined;
				const { ask, messages } = last;
				const output = options.maxOutputTokens ?? 0;
				const shorter = await engine.rescue(ask, overflow, output, messages);
				if (shorter === undefined) return undefined;
				last.sent.record = shorter.located.record;
				last = { ...last, messages: shorter.messages };
				return shorter.messages;
			},
			used: (usage) => {
				if (last === undefined) return;
				last.sent.usage = usage;
				engine.learn(last.ask.model, last.messages, last.ask.overheadTokens ?? 0, usage);
			},
		});
	}

	const generate = async (call: WrappedCall): Promise<object> =>
		(await callsOf(call)).doGenerate(call.params);
	const stream = async (call: WrappedCall): Promise<object> => (await callsOf(call)).doStream(call.params);
	// The two versions type a call in ways that exclude each other; what is read of one they have in common.
	return {
		specificationVersion: "v4" as never,
		wrapGenerate: generate as unknown as CompactionMiddleware["wrapGenerate"],
		wrapStream: stream as unknown as CompactionMiddleware["wrapStream"],
	};
}

/**
 * Compaction for hosts that own no loop: `wrapLanguageModel({ model, middleware: compactionMiddleware(config) })`.
 * The config is bound at the first call.
 */
export function compactionMiddleware(
	config: string | Config | LoadedConfig,
	options: CompactionOptions & Binding = {},
): CompactionMiddleware {
	let made: Promise<Engine> | undefined;
	const { id, signal, tools, instructions, ...rest } = options;
	// Now, and not at the first call of a model: that may be in production.
	checkCompactionOptions(rest);
	checkBinding(optionsFor<Binding>(options, BINDING));
	const engineOnce = (): Promise<Engine> => {
		made ??= import("./compaction-for.ts").then(async ({ compactionFor, engineOf }) =>
			engineOf(await compactionFor(config, rest)),
		);
		made.catch(() => {
			made = undefined;
		});
		return made;
	};
	return createMiddleware(engineOnce, {
		...(id === undefined ? {} : { id }),
		...(signal === undefined ? {} : { signal }),
	});
}
