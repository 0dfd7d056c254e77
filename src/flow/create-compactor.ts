import type { ModelMessage } from "ai";
import type { Backend, CompactionReason, Guidance } from "../backend/contract.ts";
import type { NamedBackend } from "../backend/job.ts";
import { checkGiven, optionsFor } from "../config/check-given.ts";
import { createAccount } from "../core/transcript/account.ts";
import { checkTranscript } from "../core/transcript/check-transcript.ts";
import type { ReportedUsage } from "../core/transcript/usage.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { Config, StrategyUse } from "../generated/types.ts";
import { createHost } from "../platform/create-host.ts";
import { create } from "../registry/create.ts";
import type { Registry } from "../registry/registry.ts";
import type { CompactionPlan, CompactionResult } from "../result/compaction-result.ts";
import type { Use } from "../strategy/contract.ts";
import { type Assessment, createAssessor, type TriggerQuestion } from "./assess.ts";
import { compactPass, planPass } from "./compact.ts";
import { createRegistry } from "./create-registry.ts";
import { isolateBackend } from "./isolate.ts";
import { type LoadedConfig, sourceOf } from "./load-config.ts";
import { COMPACT_OPTIONS, COMPACTOR_OPTIONS, GUIDANCE, REASON, TRIGGER_QUESTION } from "./option-shapes.ts";
import type { PassInput } from "./pass.ts";
import { type ResolvedConfig, resolveConfig } from "./resolve-config.ts";
import { buildLadder, buildStrategy, type StrategyNode, summarizes } from "./strategy-tree.ts";
import { targetOf } from "./target.ts";
import { startPass } from "./telemetry.ts";
import { buildTrigger } from "./trigger-tree.ts";

/** Something that happened in a pass; names begin with "precis.compaction.". */
export interface CompactionEvent {
	readonly name: string;
	readonly [field: string]: unknown;
}

/** What code hands in beside the config. */
export interface CompactorOptions {
	/** Where strategies, backends and the rest are found; a new one with the built-ins by default. */
	readonly registry?: Registry;
	/** An AI SDK `LanguageModel` for the `ai-sdk` backend. */
	readonly model?: unknown;
	/** A backend that takes the place of the configured one. */
	readonly backend?: Backend;
	/** Hears what happens; what it throws is ignored. */
	readonly onEvent?: (event: CompactionEvent) => void;
	/** URL of the folder that plugins of a config made in code are looked up from; the working directory by default. */
	readonly baseUrl?: string;
}

/**
 * What one pass may be told. With what the provider reported (`usage` or `steps`, as {@link Compactor.shouldCompact}
 * takes them), the target is met as the provider counts, so that the figure that set a pass off is the one that it
 * brings down; the figures of its result stay the counter's own.
 */
export interface CompactOptions extends ReportedUsage {
	readonly signal?: AbortSignal;
	/** Why the pass runs; "manual" by default. */
	readonly reason?: CompactionReason;
	readonly guidance?: Guidance;
	/** The size in tokens to aim at, instead of the config's. */
	readonly targetTokens?: number;
	/** Handed to backends as it is. */
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** Tokens of tools and instructions that are sent beside the transcript, instead of the config's. */
	readonly overheadTokens?: number;
	/** Takes the place of the config's strategy in this pass; a list is a pipeline that stops when the target is met. */
	readonly strategy?: readonly StrategyUse[];
	/** Hears what happens in this pass, beside the compactor's own listener. */
	readonly onPassEvent?: (event: CompactionEvent) => void;
}

/** One config bound to the plugins that it names. It has no memory but its token account; calls may overlap. */
export interface Compactor {
	/** Size of the context window in tokens. */
	readonly windowTokens: number;
	/** Whether the config itself says how large the window is, or a model that it names, or nobody. */
	readonly windowSource: "window" | "model" | "default";
	/** The size in tokens that a pass aims at. */
	readonly targetTokens: number;
	/** Why the transcript should be compacted now, or undefined. Cheap enough to ask at every step. */
	shouldCompact(messages: readonly ModelMessage[], options?: TriggerQuestion): CompactionReason | undefined;
	/** What {@link shouldCompact} says, with the figures that it rests on. As cheap, however long the transcript is. */
	assess(messages: readonly ModelMessage[], options?: TriggerQuestion): Assessment;
	/**
	 * Makes the transcript shorter. The trigger is not asked and the input is never changed.
	 * @throws CompactionError and then nothing has changed anywhere
	 */
	compact(messages: readonly ModelMessage[], options?: CompactOptions): Promise<CompactionResult>;
	/** What {@link compact} would do, with no backend call. */
	plan(messages: readonly ModelMessage[], options?: CompactOptions): Promise<CompactionPlan>;
	/** Tokens of a transcript, overhead included. */
	countTokens(messages: readonly ModelMessage[]): number;
}

function missingBackend(): CompactionError {
	return new CompactionError(
		"MISSING_BACKEND",
		'Cannot compact: the strategy summarizes, and "backend" is null. Name a backend in the config.',
	);
}

const MANUAL: CompactionReason = { trigger: "manual", detail: "The caller asked for it." };

/** Creates the backends of a config on first use, so that checking one needs no key and no package. */
function lazyBackends(
	resolved: ResolvedConfig,
	host: ReturnType<typeof createHost>,
	given: Backend | undefined,
): () => Promise<readonly NamedBackend[]> {
	let made: Promise<readonly NamedBackend[]> | undefined;
	const written = resolved.config.backend === undefined ? { use: "extractive" } : resolved.config.backend;
	const make = async (): Promise<readonly NamedBackend[]> => {
		if (given !== undefined) return [{ name: "the backend handed in", backend: given }];
		if (written === null) throw missingBackend();
		const list = (Array.isArray(written) ? written : [written]) as readonly Use[];
		const out: NamedBackend[] = [];
		for (const [index, use] of list.entries()) {
			const pointer = Array.isArray(written) ? `/backend/${index}` : "/backend";
			const found = await resolved.use("backend", use, pointer);
			const backend = await create(found, host).catch((error: unknown): Backend => {
				// In a chain it is that backend's own failure, and the next one is asked.
				if (list.length === 1) throw error;
				return { generate: () => Promise.reject(error) };
			});
			out.push({ name: use.use, backend: found.registered.builtin ? backend : isolateBackend(backend) });
		}
		return out;
	};
	return () => {
		made ??= make();
		// A key or a package may be there at the next try.
		made.catch(() => {
			made = undefined;
		});
		return made;
	};
}

/**
 * Binds a config to the plugins that it names.
 * @param config a file's path, what {@link loadConfig} gave, or a config made in code
 * @throws CompactionError CONFIG_INVALID with all problems at once; PLUGIN_NOT_FOUND, PLUGIN_INVALID, PLUGIN_CONFLICT
 */
export async function createCompactor(
	config: string | Config | LoadedConfig,
	options: CompactorOptions = {},
): Promise<Compactor> {
	checkGiven<CompactorOptions>("make a compactor", options, COMPACTOR_OPTIONS);
	const from = await sourceOf(config, options.baseUrl);
	const host = createHost({ baseUrl: from.baseUrl, languageModel: options.model });
	const registry = (options.registry ?? createRegistry()).limitedTo(from.plugins);
	const resolved = await resolveConfig(from, registry, host);
	const written = resolved.config.tokens.counter;
	const counterUse = typeof written === "string" ? { use: written } : written;
	const counter = await create(await resolved.use("counter", counterUse, "/tokens/counter"), host);
	const trigger = await buildTrigger(resolved, host);
	const strategy = await buildStrategy(resolved, host);
	const account = createAccount(counter);
	const { windowTokens } = resolved;
	const targetTokens = targetOf(resolved.config, windowTokens, trigger.thresholds(windowTokens));
	const { overheadTokens } = resolved.config.tokens;
	const assessor = createAssessor(resolved.config, windowTokens, trigger, account);
	const backends = lazyBackends(resolved, host, options.backend);
	const hasNoBackend = resolved.config.backend === null && options.backend === undefined;

	function passInput(
		messages: readonly ModelMessage[],
		with_: CompactOptions,
		emit: PassInput["emit"],
	): PassInput {
		checkGiven<CompactOptions>("compact", with_, COMPACT_OPTIONS);
		checkGiven<CompactionReason>("take the reason", with_.reason, REASON);
		checkGiven<Guidance>("take the guidance", with_.guidance, GUIDANCE);
		if (hasNoBackend && with_.strategy === undefined && summarizes(strategy)) {
			throw missingBackend();
		}
		const target = with_.targetTokens ?? targetTokens;
		if (!Number.isFinite(target) || target <= 0) {
			throw new CompactionError(
				"CONFIG_INVALID",
				`Cannot compact: targetTokens is ${target}; expected a number above 0.`,
			);
		}
		const checked = checkTranscript(messages);
		const isTold = with_.usage !== undefined || with_.steps !== undefined;
		const scale = isTold ? assessor.scaleOf(messages, with_) : 1;
		return {
			messages: checked,
			reason: with_.reason ?? MANUAL,
			guidance: with_.guidance ?? {},
			metadata: with_.metadata ?? {},
			targetTokens: isTold ? Math.max(1, Math.floor(target / scale)) : target,
			overheadTokens: with_.overheadTokens ?? overheadTokens,
			minProgress: resolved.config.minProgress,
			signal: with_.signal ?? new AbortController().signal,
			account,
			countText: (text) => counter.text(text),
			templates: resolved.templates,
			backends,
			dryRun: false,
			emit,
		};
	}

	/** What is asked at every step is not looked through; but no list at all is told in words. */
	function listOf(messages: readonly ModelMessage[]): readonly ModelMessage[] {
		if (!Array.isArray(messages)) checkTranscript(messages);
		return messages;
	}

	const given = new WeakMap<readonly StrategyUse[], Promise<StrategyNode>>();
	async function strategyOf({ strategy: steps }: CompactOptions): Promise<StrategyNode> {
		if (steps === undefined) return strategy;
		const known = given.get(steps) ?? buildLadder(resolved, steps, host);
		given.set(steps, known);
		return known;
	}

	return {
		windowTokens,
		windowSource:
			resolved.config.tokens.window !== undefined
				? "window"
				: resolved.config.tokens.model !== undefined
					? "model"
					: "default",
		targetTokens,
		countTokens: (messages) => account.total(listOf(messages)) + overheadTokens,
		shouldCompact(messages, asked = {}) {
			checkGiven<TriggerQuestion>("ask the trigger", asked, TRIGGER_QUESTION);
			return assessor.reasonFor(listOf(messages), asked);
		},
		assess(messages, asked = {}) {
			checkGiven<TriggerQuestion>("ask the trigger", asked, TRIGGER_QUESTION);
			return assessor.assess(listOf(messages), asked);
		},
		async compact(messages, with_ = {}) {
			let emit: PassInput["emit"] = () => undefined;
			// Taken before the first wait: what the caller does to its array meanwhile must not reach the pass.
			const input = passInput(messages, with_, (event) => emit(event));
			const telemetry = await startPass(options.onEvent, with_.onPassEvent);
			emit = telemetry.emit;
			try {
				const { result, finished } = await compactPass(await strategyOf(with_), input);
				telemetry.finish(result, finished);
				return result;
			} catch (error) {
				telemetry.fail(error);
				throw error;
			}
		},
		async plan(messages, with_ = {}) {
			const input = passInput(messages, with_, () => undefined);
			return planPass(await strategyOf(with_), input);
		},
	};
}

/** Binds the config, runs one pass. */
export async function compactOnce(
	messages: readonly ModelMessage[],
	config: string | Config | LoadedConfig,
	options: CompactorOptions & CompactOptions,
): Promise<CompactionResult> {
	checkGiven<CompactorOptions & CompactOptions>("compact", options, {
		...COMPACTOR_OPTIONS,
		...COMPACT_OPTIONS,
	});
	const compactor = await createCompactor(config, optionsFor(options, COMPACTOR_OPTIONS));
	return compactor.compact(messages, optionsFor(options, COMPACT_OPTIONS));
}
