/** Providers that catalogues name otherwise than the AI SDK's packages do. */
const RENAMED: Readonly<Record<string, string>> = {
	"azure-openai": "azure",
	bedrock: "amazon-bedrock",
	"fireworks-ai": "fireworks",
	together: "togetherai",
	vercel: "gateway",
	"vercel-ai-gateway": "gateway",
	vertex: "google-vertex",
};
const SEPARATOR = /[/:]/;
/** How providers date a model: "-2026-04-23", "-20260423", "@20260423". */
const DATE = /[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6})(?=$|-v\d)/;

/** The two halves of "provider/model" or "provider:model"; undefined where there is no provider. */
export function splitModelId(id: string): { readonly provider: string; readonly model: string } | undefined {
	const at = id.search(SEPARATOR);
	const provider = id.slice(0, Math.max(0, at)).trim();
	const model = id.slice(at + 1).trim();
	return provider === "" || model === "" ? undefined : { provider, model };
}

/**
 * A model as "provider/model", the provider named as the AI SDK names it; undefined where no provider is named,
 * since models of one name differ between providers.
 */
export function modelId(id: string): string | undefined {
	const parts = splitModelId(id);
	if (parts === undefined) return undefined;
	const provider = parts.provider.toLowerCase();
	return `${Object.hasOwn(RENAMED, provider) ? RENAMED[provider] : provider}/${parts.model}`;
}

/** The key of a model in a catalogue, where case does not count. */
export function modelKey(id: string): string | undefined {
	return modelId(id)?.toLowerCase();
}

/**
 * The keys under which a model may be known, the most exact first: as written; without its date; behind the
 * gateway also as its creator's own.
 */
export function modelKeys(id: string): readonly string[] {
	const key = modelKey(id);
	if (key === undefined) return [];
	const behind = key.startsWith("gateway/") ? modelKey(key.slice("gateway/".length)) : undefined;
	const written = behind === undefined ? [key] : [key, behind];
	return [...new Set([...written, ...written.map((one) => one.replace(DATE, ""))])];
}
