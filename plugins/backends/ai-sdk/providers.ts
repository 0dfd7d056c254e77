import {
	CompactionError,
	type Host,
	type ResolvedAiSdkBackendOptions as Options,
	splitModelId,
} from "../../../src/plugin.ts";
import { checkLanguageModel, type LanguageModel } from "./language-model.ts";
import { type Exports, loadPackage } from "./load-package.ts";

/** A model by name, as the config writes it. */
export interface NamedModel {
	/** "provider/model". */
	readonly id: string;
	readonly provider: string;
	readonly model: string;
}

/** Where providers keep their keys, the first name being the one to tell; servers of one's own need none. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
	alibaba: ["ALIBABA_API_KEY"],
	anthropic: ["ANTHROPIC_API_KEY"],
	baseten: ["BASETEN_API_KEY"],
	cerebras: ["CEREBRAS_API_KEY"],
	cohere: ["COHERE_API_KEY"],
	deepinfra: ["DEEPINFRA_API_KEY"],
	deepseek: ["DEEPSEEK_API_KEY"],
	fireworks: ["FIREWORKS_API_KEY"],
	gateway: ["AI_GATEWAY_API_KEY"],
	google: ["GOOGLE_GENERATIVE_AI_API_KEY"],
	groq: ["GROQ_API_KEY"],
	huggingface: ["HUGGINGFACE_API_KEY"],
	mistral: ["MISTRAL_API_KEY"],
	moonshotai: ["MOONSHOT_API_KEY"],
	openai: ["OPENAI_API_KEY"],
	perplexity: ["PERPLEXITY_API_KEY"],
	togetherai: ["TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"],
	xai: ["XAI_API_KEY"],
};
const COMPATIBLE = "openai-compatible";
const GATEWAY = "gateway";
/** Factories whose names do not begin with the provider's. */
const FACTORIES: Readonly<Record<string, string>> = { "google-vertex": "createVertex" };

/** Reads "provider/model". @throws CompactionError CONFIG_INVALID */
export function readModelName(id: string, options: Options): NamedModel {
	const parts = splitModelId(id);
	if (parts === undefined) {
		throw new CompactionError(
			"CONFIG_INVALID",
			`Cannot use the model ${JSON.stringify(id)}: it names no provider; write "provider/model", for example "openai/gpt-5-mini".`,
		);
	}
	const { provider, model } = parts;
	if (provider === COMPATIBLE && options.baseURL === undefined) {
		throw new CompactionError(
			"CONFIG_INVALID",
			`Cannot use the model ${JSON.stringify(id)}: "baseURL" is missing; write where the server listens, for example "http://localhost:11434/v1".`,
		);
	}
	if (provider === GATEWAY && splitModelId(model) === undefined) {
		throw new CompactionError(
			"CONFIG_INVALID",
			`Cannot use the model ${JSON.stringify(id)}: behind the gateway a model is named with its creator, for example "gateway/openai/gpt-5-mini".`,
		);
	}
	return { id, provider, model };
}

function readKey(names: readonly string[], host: Host): string | undefined {
	// A line break behind a key would make the header that carries it, and the key, an error message.
	return names.map((name) => host.env(name)?.trim()).find((key) => key !== undefined && key !== "");
}

/**
 * The key of a model's provider from the environment; undefined where the provider's package looks for its own
 * credentials, or where none is needed.
 * @throws CompactionError BACKEND_FAILED naming the variable that is missing
 */
export function findKey({ id, provider }: NamedModel, options: Options, host: Host): string | undefined {
	const { apiKeyEnv } = options;
	if (apiKeyEnv === undefined && provider === COMPATIBLE) return undefined;
	const known = Object.hasOwn(KEYS, provider) ? KEYS[provider] : undefined;
	const guess = `${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`;
	const names = apiKeyEnv === undefined ? (known ?? [guess]) : [apiKeyEnv];
	const key = readKey(names, host);
	if (key !== undefined || (apiKeyEnv === undefined && known === undefined)) return key;
	// On Vercel the gateway takes the deployment's own token, which its package reads and renews.
	if (provider === GATEWAY && readKey(["VERCEL_OIDC_TOKEN"], host) !== undefined) return undefined;
	const other =
		provider === "openai" && options.baseURL !== undefined
			? ' For a server that needs no key write "openai-compatible/…".'
			: "";
	throw new CompactionError(
		"BACKEND_FAILED",
		`Cannot use the model "${id}": the environment variable "${names[0]}" is not set. Set it to the provider's key.${other}`,
	);
}

type Factory = (settings: object) => unknown;

function factoryOf(exports: Exports, provider: string): Factory | undefined {
	const names = Object.keys(exports).filter(
		(name) => name.startsWith("create") && typeof exports[name] === "function",
	);
	const plain = `create${provider.replaceAll("-", "")}`.toLowerCase();
	const found =
		names.find((name) => name === FACTORIES[provider]) ??
		names.find((name) => name.toLowerCase() === plain) ??
		names.find((name) => name.toLowerCase().startsWith(plain)) ??
		(names.length === 1 ? names[0] : undefined);
	return found === undefined ? undefined : (exports[found] as Factory);
}

function modelOf(provider: unknown, named: NamedModel, api: Options["api"]): unknown {
	const methods = provider as Readonly<Record<string, unknown>>;
	const way = api ?? "languageModel";
	const make = methods[way];
	if (typeof make === "function") return make.call(provider, named.model);
	if (api === undefined && typeof provider === "function") return provider(named.model);
	throw new CompactionError(
		"CONFIG_INVALID",
		`Cannot use the model "${named.id}": its provider has no "${way}"${api === undefined ? "" : '; leave out "api"'}.`,
	);
}

/**
 * Makes a model by name with its provider's package.
 * @throws CompactionError BACKEND_FAILED naming the package to install; CONFIG_INVALID
 */
export async function createModel(
	named: NamedModel,
	key: string | undefined,
	options: Options,
	host: Host,
	ai: Exports,
): Promise<LanguageModel> {
	const { id, provider } = named;
	const name = provider === GATEWAY ? "ai" : `@ai-sdk/${provider}`;
	const known = Object.hasOwn(KEYS, provider) || provider === COMPATIBLE;
	const hint = known
		? ""
		: ' If it is a server that speaks OpenAI\'s API, write "openai-compatible/…" with its "baseURL".';
	const exports = provider === GATEWAY ? ai : await loadPackage(name, id, host, hint);
	const create = factoryOf(exports, provider);
	if (create === undefined) {
		throw new CompactionError(
			"BACKEND_FAILED",
			`Cannot use the model "${id}": the package "${name}" has no function that creates a provider.`,
		);
	}
	const settings = {
		fetch: host.fetch,
		...(key === undefined ? {} : { apiKey: key }),
		...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
		// Servers that do not take a schema say so, and the summary is asked for as text.
		...(provider === COMPATIBLE ? { name: COMPATIBLE, supportsStructuredOutputs: true } : {}),
	};
	return checkLanguageModel(modelOf(create(settings), named, options.api));
}
