import schema from "../../schemas/backends/ai-sdk.schema.json" with { type: "json" };
import {
	type BackendDefinition,
	CompactionError,
	defineBackend,
	type GenerateAnswer,
	type GenerateRequest,
	type GeneratingBackend,
	type Host,
	type ModelFacts,
	type ResolvedAiSdkBackendOptions as Options,
} from "../../src/plugin.ts";
import { explainError, nameOf } from "./ai-sdk/explain-error.ts";
import { secretsOf } from "./ai-sdk/hide-secrets.ts";
import {
	checkLanguageModel,
	hearWarnings,
	idOfLanguageModel,
	type LanguageModel,
	startQuietly,
} from "./ai-sdk/language-model.ts";
import { limitsOf } from "./ai-sdk/limits.ts";
import { loadPackage } from "./ai-sdk/load-package.ts";
import { createModel, findKey, type NamedModel, readModelName } from "./ai-sdk/providers.ts";
import { readUsage } from "./ai-sdk/read-usage.ts";

/** The model that is asked: an object of the caller's, or one to be made by name. */
type Source = { readonly id: string } & ({ readonly object: LanguageModel } | { readonly named: NamedModel });

/** What the AI SDK answers, and what it says where an answer fits no schema. */
interface Generated {
	readonly text?: unknown;
	readonly finishReason?: unknown;
	readonly usage?: unknown;
}

/** The part of `ai` that is used here; versions 6 and 7 agree on it. */
interface Sdk {
	generateText(options: object): Promise<Generated>;
	readonly Output: { object(options: { readonly schema: unknown }): unknown };
	jsonSchema(schema: object): unknown;
}

/** A model ready to be asked. */
interface Ready {
	readonly sdk: Sdk;
	readonly model: LanguageModel;
	readonly secrets: readonly string[];
}

/** @throws CompactionError CONFIG_INVALID where there is no model, or none that can be read */
function sourceOf(options: Options, host: Host): Source {
	const given = host.languageModel ?? options.model;
	if (given === undefined) {
		throw new CompactionError(
			"CONFIG_INVALID",
			'Cannot use the backend "ai-sdk": it has no model. Write "model": "provider/model", or hand a LanguageModel in.',
		);
	}
	if (typeof given === "string") return { id: given, named: readModelName(given, options) };
	const object = checkLanguageModel(given);
	return { id: idOfLanguageModel(object), object };
}

async function prepare(source: Source, options: Options, host: Host): Promise<Ready> {
	// The key first: nothing is loaded for a call that cannot be made.
	const key = "named" in source ? findKey(source.named, options, host) : undefined;
	const ai = await loadPackage("ai", source.id, host);
	const model = "named" in source ? await createModel(source.named, key, options, host, ai) : source.object;
	return { sdk: ai as unknown as Sdk, model, secrets: secretsOf(key, options, host) };
}

function callOptions(
	{ sdk, model }: Ready,
	request: GenerateRequest,
	options: Options,
	limit: number,
): object {
	const { temperature, headers, providerOptions, maxRetries } = options;
	return {
		model,
		// "instructions" is what version 7 calls it, and what 6 ignores.
		system: request.system,
		prompt: request.prompt,
		maxOutputTokens: limit,
		maxRetries,
		abortSignal: request.signal,
		...(temperature === undefined ? {} : { temperature }),
		...(headers === undefined ? {} : { headers }),
		...(providerOptions === undefined ? {} : { providerOptions }),
		...(request.schema === undefined
			? {}
			: { output: sdk.Output.object({ schema: sdk.jsonSchema(request.schema) }) }),
	};
}

function answerOf(
	{ text, finishReason, usage }: Generated,
	facts: ModelFacts | undefined,
	notes: readonly string[],
): GenerateAnswer {
	return {
		text: typeof text === "string" ? text : "",
		...(typeof finishReason === "string" ? { finishReason } : {}),
		usage: readUsage(usage, facts),
		...(notes.length === 0 ? {} : { notes }),
	};
}

/**
 * Any model of the Vercel AI SDK. It sees its own system prompt and the prompt, never the agent's instructions or
 * tools. Keys, packages and the model are looked for at the first call, so that a chain of backends can go on
 * without them.
 */
const aiSdk: BackendDefinition<Options> = defineBackend<Options>({
	name: "ai-sdk",
	schema,
	async create(options, host): Promise<GeneratingBackend> {
		const source = sourceOf(options, host);
		const facts = await host.model(source.id);
		const limits = limitsOf(options, facts);
		let preparing: Promise<Ready> | undefined;
		const ready = (): Promise<Ready> => {
			preparing ??= prepare(source, options, host);
			// A key or a package may be there at the next call.
			preparing.catch(() => {
				preparing = undefined;
			});
			return preparing;
		};
		return {
			structured: options.mode === "object",
			timeoutMs: options.timeoutMs,
			limits: limits.declared,
			async generate(request) {
				const made = await ready();
				request.signal.throwIfAborted();
				const notes: string[] = [];
				const model = hearWarnings(made.model, (words) => notes.push(words));
				const asked = callOptions(
					{ ...made, model },
					request,
					options,
					limits.outputFor(request.maxOutputTokens),
				);
				try {
					return answerOf(await startQuietly(() => made.sdk.generateText(asked)), facts, notes);
				} catch (error) {
					// What fits no schema was answered and paid for all the same; it may well be readable.
					if (nameOf(error) === "AI_NoObjectGeneratedError" && typeof (error as Generated).text === "string")
						return answerOf(error as Generated, facts, notes);
					throw explainError(error, source.id, made);
				}
			},
		};
	},
});

export default aiSdk;
