import type { ModelMessage } from "ai";
import { checkGiven } from "../config/check-given.ts";
import type { Message } from "../core/transcript/message.ts";
import { isCompactionError } from "../errors/compaction-error.ts";
import { createCompactor } from "../flow/create-compactor.ts";
import { createRegistry } from "../flow/create-registry.ts";
import type { Config } from "../generated/types.ts";
import type { StrategyDefinition } from "../registry/contract.ts";
import type { CompactionResult } from "../result/compaction-result.ts";
import { deepFreeze, user } from "./builders.ts";
import { ensure, settle, type TestFunction, textOf } from "./check.ts";
import { generateTranscript } from "./generate-transcript.ts";

/** What the strategy contract is held against. */
export interface StrategyContractOptions {
	/** The runner's own `test`. */
	readonly test: TestFunction;
	readonly definition: StrategyDefinition;
	/** The strategy's options, as a config would write them. */
	readonly options?: Readonly<Record<string, unknown>>;
	/** How many generated transcripts it is run on; 50 by default. */
	readonly transcripts?: number;
}

/** Milliseconds that one pass may take in these tests. */
const DEADLINE = 10_000;

/**
 * Registers the tests that every strategy has to pass: its options, the laws on generated transcripts, the
 * identity of kept messages, untouched input, abort. It is run by whatever runner's `test` is handed in.
 */
export function strategyContract(suite: StrategyContractOptions): void {
	checkGiven<StrategyContractOptions>("make the contract suite", suite, {
		test: "function",
		definition: "object",
		options: "object",
		transcripts: "positive",
	});
	const { test, definition } = suite;
	const config = {
		strategy: { use: definition.name, ...suite.options },
		target: { tokens: 2000 },
	} as unknown as Config;
	const pass = async (messages: readonly Message[], signal?: AbortSignal): Promise<CompactionResult> => {
		const registry = createRegistry({
			plugins: [{ name: definition.name, apiVersion: 1, strategies: [definition] }],
		});
		const compactor = await createCompactor(config, { registry });
		return compactor.compact(messages as readonly ModelMessage[], signal === undefined ? {} : { signal });
	};
	const run = async (name: string, messages: readonly Message[]): Promise<CompactionResult> => {
		const before = JSON.stringify(messages);
		const outcome = await settle(() => pass(deepFreeze(messages)), DEADLINE);
		ensure(!("late" in outcome), `no plan within ${DEADLINE} ms on ${name}`);
		if ("error" in outcome) throw new Error(`on ${name}: ${textOf(outcome.error)}`, { cause: outcome.error });
		ensure(JSON.stringify(messages) === before, `it changed what it was given, on ${name}`);
		return outcome.value;
	};

	test(`${definition.name}: refuses an option that nobody knows`, async () => {
		const wrong = {
			...config,
			strategy: { ...(config.strategy as object), noSuchOptionAnywhere: 1 },
		} as unknown as Config;
		const registry = createRegistry({
			plugins: [{ name: definition.name, apiVersion: 1, strategies: [definition] }],
		});
		const outcome = await settle(() => createCompactor(wrong, { registry }), DEADLINE);
		ensure(
			"error" in outcome && isCompactionError(outcome.error) && outcome.error.code === "CONFIG_INVALID",
			'the schema accepts "noSuchOptionAnywhere": set "additionalProperties": false',
		);
	});

	test(`${definition.name}: keeps the laws on ${suite.transcripts ?? 50} generated transcripts, and kept messages as they are`, async () => {
		for (let seed = 1; seed <= (suite.transcripts ?? 50); seed += 1) {
			const messages = generateTranscript(seed);
			const result = await run(`the generated transcript ${seed}`, messages);
			for (const [index, from] of result.provenance.entries()) {
				if ("kept" in from)
					ensure(
						result.messages[index] === messages[from.kept],
						`message ${from.kept} of the generated transcript ${seed} is not the same object`,
					);
			}
			const size = result.tokens;
			ensure(
				size.after <= size.before,
				`the generated transcript ${seed} grew from ${size.before} to ${size.after} tokens`,
			);
		}
	});

	test(`${definition.name}: survives an empty transcript, one message, and ten thousand`, async () => {
		await run("an empty transcript", []);
		await run("one message", [user("Hello.")]);
		await run("ten thousand messages", generateTranscript(7, 2500));
	});

	test(`${definition.name}: plans the same twice`, async () => {
		const messages = generateTranscript(3);
		const [first, second] = [
			await run("a transcript", messages),
			await run("the same transcript again", messages),
		];
		ensure(
			JSON.stringify(first.provenance) === JSON.stringify(second.provenance),
			"two passes over the same transcript differ",
		);
	});

	test(`${definition.name}: stops when it is aborted`, async () => {
		const outcome = await settle(() => pass(generateTranscript(5), AbortSignal.abort()), 1000);
		ensure(
			"error" in outcome && isCompactionError(outcome.error) && outcome.error.code === "CANCELLED",
			"a pass with an aborted signal did not reject with CANCELLED",
		);
	});
}
