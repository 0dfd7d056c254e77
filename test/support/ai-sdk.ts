import { afterEach, beforeEach } from "vitest";
import aiSdk from "../../plugins/backends/ai-sdk.ts";
import type { GenerateRequest, GeneratingBackend } from "../../src/backend/contract.ts";
import type { Host, ModelFacts } from "../../src/backend/host.ts";
import type { ResolvedAiSdkBackendOptions } from "../../src/generated/types.ts";
import { createHost } from "../../src/platform/create-host.ts";
import { type LoopbackProvider, loopbackProvider } from "../../src/testing/loopback-provider.ts";

export const KEY = "loopback-key-1234567890";

/** What differs from the machine's own host. */
export interface Setting {
	readonly options?: Partial<ResolvedAiSdkBackendOptions>;
	readonly env?: Readonly<Record<string, string>>;
	readonly languageModel?: unknown;
	readonly facts?: Partial<ModelFacts>;
	readonly importModule?: Host["importModule"];
	readonly fetch?: Host["fetch"];
}

const ENV = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY };

export function hostOf({ env = ENV, languageModel, facts, importModule, fetch }: Setting = {}): Host {
	const machine = createHost();
	return {
		...machine,
		languageModel,
		fetch: fetch ?? machine.fetch,
		env: (name) => env[name],
		importModule: importModule ?? machine.importModule,
		model: async (id) => (facts === undefined ? undefined : { id, source: "test", ...facts }),
	};
}

/** The backend as a compactor makes it, its options' defaults filled in. */
export async function createBackend(setting: Setting = {}): Promise<GeneratingBackend> {
	const options: ResolvedAiSdkBackendOptions = {
		mode: "text",
		maxRetries: 0,
		timeoutMs: 20_000,
		...setting.options,
	};
	return (await aiSdk.create(options as never, hostOf(setting))) as GeneratingBackend;
}

export function requestOf(over: Partial<GenerateRequest> = {}): GenerateRequest {
	return {
		system: "You condense.",
		prompt: "Condense this.",
		maxOutputTokens: 500,
		signal: new AbortController().signal,
		...over,
	};
}

/** A loopback server for each test. */
export function withLoopback(): { readonly server: LoopbackProvider; readonly baseURL: string } {
	let server: LoopbackProvider | undefined;
	beforeEach(async () => {
		server = await loopbackProvider();
	});
	afterEach(() => server?.close());
	return {
		get server(): LoopbackProvider {
			if (server === undefined) throw new Error("no test runs");
			return server;
		},
		get baseURL(): string {
			return `${this.server.url}/v1`;
		},
	};
}

/** The packages of version 6 in the place of those of version 7. */
export const importVersion6: Host["importModule"] = (specifier) => {
	const names: Readonly<Record<string, string>> = {
		ai: "ai6",
		"@ai-sdk/openai-compatible": "@ai-sdk/openai-compatible6",
	};
	return createHost().importModule(names[specifier] ?? specifier);
};

/** Every way of asking a model through a real provider package: the config's words, and the version of the AI SDK. */
export const WAYS: Readonly<Record<string, Setting>> = {
	"openai chat, ai 7": { options: { model: "openai/gpt-4.1-mini", api: "chat" } },
	"openai responses, ai 7": { options: { model: "openai/gpt-4.1-mini", api: "responses" } },
	"anthropic messages, ai 7": { options: { model: "anthropic/claude-sonnet-4-5" } },
	"openai-compatible, ai 7": { options: { model: "openai-compatible/local" } },
	"openai-compatible, ai 6": {
		options: { model: "openai-compatible/local" },
		importModule: importVersion6,
	},
};
