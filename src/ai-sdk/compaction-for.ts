import { optionsFor } from "../config/check-given.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { Compactor, CompactorOptions } from "../flow/create-compactor.ts";
import { createCompactor } from "../flow/entry.ts";
import type { LoadedConfig } from "../flow/load-config.ts";
import { COMPACTOR_OPTIONS } from "../flow/option-shapes.ts";
import type { Config } from "../generated/types.ts";
import { type CompactionOptions, checkCompactionOptions } from "./compaction-options.ts";
import type { CompactionState } from "./compaction-state.ts";
import { Engine } from "./engine.ts";
import { type CompactionMiddleware, createMiddleware } from "./middleware.ts";
import { type Binding, checkBinding, type StepOptions, Steps } from "./step.ts";

/** What `prepareStep` returns; both versions of the AI SDK take it. */
export type StepResult<Model, Messages> = { messages?: Messages; model?: Model };

/** A compaction bound to one call. */
export interface BoundCompaction {
	/**
	 * For `ToolLoopAgent`, `generateText` and `streamText`, versions 6 and 7: the messages to send in this step, if they
	 * are others, and the step's model with refusals of too long requests met.
	 */
	readonly prepareStep: <Model, Messages>(
		options: StepOptions<Model, Messages>,
	) => Promise<StepResult<Model, Messages>>;
	/** The same after a `prepareStep` of the host's own: what that one chooses is what is prepared. */
	readonly compose: <Options extends StepOptions, Result extends object | undefined>(
		own: (options: Options) => Result | PromiseLike<Result>,
	) => (options: Options) => Promise<Exclude<Result, undefined>>;
	/** For `wrapLanguageModel`, in hosts that own no loop. */
	readonly middleware: CompactionMiddleware;
}

/** Compaction for agents: one for all calls of an agent, in as many conversations as there are. */
export interface Compaction extends BoundCompaction {
	readonly compactor: Compactor;
	/** The same for one call: its conversation, signal, tools. */
	forCall(binding: Binding): BoundCompaction;
	/** What was done to a conversation; plain JSON. */
	state(id?: string): Promise<CompactionState>;
	/** Settles when no summary is made in the background any more. */
	idle(): Promise<void>;
	/** Ends what runs in the background; nothing of it is kept. */
	close(): void;
}

const engines = new WeakMap<Compaction, Engine>();

/** The engine of a compaction. */
export function engineOf(compaction: Compaction): Engine {
	const engine = engines.get(compaction);
	if (engine === undefined)
		throw new CompactionError(
			"CONFIG_INVALID",
			'Cannot use the compaction: it was not made by this copy\'s "compactionFor".',
		);
	return engine;
}

function bind(engine: Engine, steps: Steps, binding: Binding): BoundCompaction {
	const prepareStep: BoundCompaction["prepareStep"] = (options) => steps.prepare(options, binding);
	return {
		prepareStep,
		compose: (own) => async (options) => {
			const chosen = await own(options);
			const { model = options.model, messages = options.messages } = (chosen ?? {}) as Partial<StepOptions>;
			const instructions = (chosen as Partial<StepOptions> | undefined)?.instructions ?? options.instructions;
			const prepared = await prepareStep({ ...options, model, messages, instructions });
			return { ...chosen, ...prepared } as never;
		},
		middleware: createMiddleware(async () => engine, binding),
	};
}

/**
 * Binds a config for agents: `new ToolLoopAgent({ model, tools, prepareStep: compaction.prepareStep })`.
 * @throws CompactionError as `createCompactor` does
 */
export async function compactionFor(
	config: string | Config | LoadedConfig,
	options: CompactionOptions = {},
): Promise<Compaction> {
	checkCompactionOptions(options);
	const { aheadAt = 0.75, onFailure = "keep", when = "now", onEvent } = options;
	const { onEvent: _, ...forCompactor } = optionsFor<CompactorOptions>(options, COMPACTOR_OPTIONS);
	const compactor = await createCompactor(config, forCompactor);
	const engine = new Engine(compactor, {
		onFailure,
		when,
		aheadAt,
		archive: options.archive,
		guidance: options.guidance,
		onEvent,
		...(options.load === undefined ? {} : { load: (id) => options.load?.(id) }),
		...(options.save === undefined ? {} : { save: (id, state) => options.save?.(id, state) }),
	});
	const steps = new Steps(engine);
	const compaction: Compaction = {
		...bind(engine, steps, {}),
		compactor,
		forCall(binding) {
			checkBinding(binding);
			return bind(engine, steps, binding);
		},
		state: async (id) => (await engine.memory.open(id, true)).state,
		idle: () => engine.idle(),
		close: () => engine.close(),
	};
	engines.set(compaction, engine);
	return compaction;
}
