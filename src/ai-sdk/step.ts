import { checkGiven, type OptionShapes } from "../config/check-given.ts";
import type { Message } from "../core/transcript/message.ts";
import { realignPrompt } from "./align-prompt.ts";
import type { CompactionRecord } from "./compaction-state.ts";
import type { Ask, Engine, Prepared } from "./engine.ts";
import { guardCalls } from "./guard-calls.ts";
import { type CallableModel, type CallOptions, isCallableModel, withCalls } from "./language-model.ts";
import { liftMarks } from "./lift-marks.ts";
import { instructionTexts, overheadOfAgent, overheadOfCall } from "./overhead.ts";
import { idOfModel } from "./windows.ts";

/** What versions 6 and 7 of the AI SDK tell `prepareStep`, as far as it is looked at here. */
export interface StepOptions<Model = unknown, ModelMessages = unknown> {
	readonly model: Model;
	readonly steps: readonly unknown[];
	readonly stepNumber: number;
	readonly messages: ModelMessages;
	/** Told by version 7 only. */
	readonly instructions?: unknown;
}

/** What belongs to one call of an agent. */
export interface Binding {
	/** The conversation's name: what `load` and `save` are asked with, and events carry. */
	readonly id?: string;
	/** Ends the wait for a summary; neither version tells `prepareStep` the call's own signal at its first step. */
	readonly signal?: AbortSignal;
	/** The agent's tools and instructions, so that the first step counts them; later ones know them from the requests. */
	readonly tools?: Readonly<Record<string, unknown>>;
	readonly instructions?: unknown;
}

/** What a binding must be. */
export const BINDING: OptionShapes<Binding> = {
	id: "string",
	signal: "signal",
	tools: "object",
	instructions: "anything",
};

/** @throws CompactionError CONFIG_INVALID naming what is unknown or wrong */
export function checkBinding(binding: Binding): void {
	checkGiven<Binding>("bind the compaction to a call", binding, BINDING);
}

/** What is known of a run: the steps of one call of an agent. */
interface Run {
	signal?: AbortSignal | undefined;
	overheadTokens?: number;
	/** What stood in the last request. */
	sent?: { readonly record: CompactionRecord | undefined };
	/** How many steps there were when older messages were left out of a request: its usage says nothing of the rest. */
	trimmedAt?: number;
}

/** The steps of an agent, prepared. */
export class Steps {
	readonly #engine: Engine;
	readonly #runs = new WeakMap<readonly unknown[], Run>();
	/** What the last request of any run had beside its transcript: an agent's tools are the same in all its runs. */
	#overheadTokens: number | undefined;

	constructor(engine: Engine) {
		this.#engine = engine;
	}

	async prepare<Model, Messages>(
		options: StepOptions<Model, Messages>,
		binding: Binding,
	): Promise<{ messages?: Messages; model?: Model }> {
		const { steps, model } = options;
		const run = this.#runs.get(steps) ?? {};
		this.#runs.set(steps, run);
		const overheadTokens = await this.#overheadOf(options, binding, run);
		const messages = liftMarks([...(options.messages as readonly Message[])]);
		const ask: Ask = {
			messages,
			id: binding.id,
			isFirst: options.stepNumber === 0,
			model: idOfModel(model),
			overheadTokens,
			...(run.trimmedAt === steps.length ? {} : { steps }),
			...(run.sent === undefined ? {} : { sent: run.sent }),
			signal: binding.signal ?? run.signal,
		};
		const prepared = await this.#engine.prepare(ask);
		const note = ({ located, isTrimmed }: Prepared): void => {
			run.sent = { record: located.record };
			// The usage of this request is told when there is one step more.
			if (isTrimmed) run.trimmedAt = steps.length + 1;
			else delete run.trimmedAt;
		};
		note(prepared);
		const guarded = await this.#guarded(model, ask, prepared, run, note);
		return {
			...(prepared.messages === messages ? {} : { messages: [...prepared.messages] as Messages }),
			...(guarded === undefined ? {} : { model: guarded }),
		};
	}

	async #overheadOf(
		options: StepOptions,
		{ tools, instructions }: Binding,
		run: Run,
	): Promise<number | undefined> {
		if (run.overheadTokens !== undefined) return run.overheadTokens;
		const told = options.instructions ?? instructions;
		if (tools !== undefined || instructions !== undefined)
			return overheadOfAgent(this.#engine.compactor, tools ?? {}, told);
		if (this.#overheadTokens !== undefined) return this.#overheadTokens;
		return instructionTexts(told).length === 0
			? undefined
			: overheadOfAgent(this.#engine.compactor, {}, told);
	}

	/** The step's model, with what is refused as too long sent once more. */
	async #guarded<Model>(
		model: Model,
		ask: Ask,
		prepared: Prepared,
		run: Run,
		note: (prepared: Prepared) => void,
	): Promise<Model | undefined> {
		const callable: unknown = typeof model === "string" ? await modelByName(model) : model;
		if (!isCallableModel(callable)) return undefined;
		const engine = this.#engine;
		let sent = prepared.messages;
		const shorten = async (options: CallOptions, shorter: Prepared | undefined) => {
			if (shorter === undefined) return undefined;
			const prompt = realignPrompt(sent, shorter.messages, options.prompt);
			if (prompt === undefined) return undefined;
			sent = shorter.messages;
			note(shorter);
			return prompt;
		};
		const askNow = (options: CallOptions): Ask => ({
			...ask,
			overheadTokens: run.overheadTokens,
			signal: ask.signal ?? options.abortSignal,
		});
		return withCalls(
			callable,
			guardCalls(callable, {
				before: async (options) => {
					run.signal = options.abortSignal;
					if (run.overheadTokens !== undefined) return undefined;
					run.overheadTokens = overheadOfCall(engine.compactor, options, sent);
					this.#overheadTokens = run.overheadTokens;
					if (run.overheadTokens <= (ask.overheadTokens ?? 0)) return undefined;
					// The tools were not known when the step was prepared: with them it may be time for a summary.
					return shorten(options, await engine.prepare(askNow(options)));
				},
				used: (usage) => engine.learn(ask.model, sent, run.overheadTokens ?? 0, usage),
				rescue: async (options, overflow) =>
					shorten(
						options,
						await engine.rescue(askNow(options), overflow, options.maxOutputTokens ?? 0, sent),
					),
			}),
		) as Model;
	}
}

/** The model of a name, as the AI SDK would find it. */
async function modelByName(name: string): Promise<CallableModel | undefined> {
	try {
		const { gateway } = await import("ai");
		const chosen = (globalThis as unknown as { AI_SDK_DEFAULT_PROVIDER?: typeof gateway })
			.AI_SDK_DEFAULT_PROVIDER;
		const model: unknown = (chosen ?? gateway).languageModel(name);
		return isCallableModel(model) ? model : undefined;
	} catch {
		// The AI SDK says better than we could what is wrong with the name.
		return undefined;
	}
}
