import { usageError } from "./cli-error.ts";
import type { TranscriptFlags } from "./flags.ts";

type Json = Readonly<Record<string, unknown>>;

/** The option by which each built-in strategy keeps its newest messages. */
const KEEPS: Readonly<Record<string, string>> = {
	"keep-recent": "keepLast",
	structured: "preserveRecent",
	"summarize-older": "keepLast",
};

function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Applies a change to a use or to each use of a list. */
function mapUses(value: unknown, change: (use: Json) => Json): unknown {
	if (Array.isArray(value)) return value.map((item) => mapUses(item, change));
	return isObject(value) ? change(value) : value;
}

function withKeepLast(strategy: unknown, keepLast: number): unknown {
	let isTaken = false;
	const change = (use: Json): Json => {
		const name = String(use.use);
		const option = Object.hasOwn(KEEPS, name) ? KEEPS[name] : undefined;
		if (option !== undefined) {
			isTaken = true;
			return { ...use, [option]: keepLast };
		}
		return Object.hasOwn(use, "steps") ? { ...use, steps: mapUses(use.steps, change) } : use;
	};
	const changed = mapUses(strategy, change);
	// What is no strategy at all is left to the check.
	if (isTaken || typeof strategy !== "object") return changed;
	throw usageError(
		`Cannot apply "--keep-last ${keepLast}": no strategy of the config takes it. Those that do: ${Object.keys(KEEPS).join(", ")}.`,
	);
}

/** The model takes the place of the one in the config's `ai-sdk` backend, whose other options stay. */
function withModel(backend: unknown, model: string): unknown {
	const isAiSdk = (use: unknown): boolean => isObject(use) && use.use === "ai-sdk";
	const change = (use: Json): Json => (isAiSdk(use) ? { ...use, model } : use);
	const list = Array.isArray(backend) ? backend : [backend];
	return list.some(isAiSdk) ? mapUses(backend, change) : { use: "ai-sdk", model };
}

/**
 * A config as the flags have it: they win over the file. What is no config is left to the check.
 * @throws CliError where no strategy takes a flag
 */
export function overrideConfig(config: unknown, { keepLast, model }: TranscriptFlags): unknown {
	if (!isObject(config) || !Object.hasOwn(config, "strategy")) return config;
	let changed = config;
	if (keepLast !== undefined) changed = { ...changed, strategy: withKeepLast(changed.strategy, keepLast) };
	if (model !== undefined) {
		const backend = Object.hasOwn(changed, "backend") ? changed.backend : undefined;
		changed = { ...changed, backend: withModel(backend, model) };
	}
	return changed;
}
