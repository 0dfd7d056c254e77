import type { TemplateDefinition } from "../core/template/template.ts";
import { CompactionError, type Problem } from "../errors/compaction-error.ts";
import { loadValidator } from "../generated/validators.ts";
import type { Use } from "../strategy/contract.ts";
import { explainErrors, inOrder, type Source } from "./explain.ts";

/** A config with its defaults filled in; the options of plugged-in things are as they were written. */
export interface CheckedConfig {
	readonly plugins: readonly string[];
	readonly templates: Readonly<Record<string, TemplateDefinition>>;
	readonly tokens: {
		readonly counter: string | Use;
		readonly model?: string;
		readonly window?: number;
		readonly overheadTokens: number;
	};
	readonly trigger?: Use;
	readonly target?: { readonly percent: number } | { readonly tokens: number };
	readonly strategy: Use | readonly Use[];
	readonly backend?: Use | readonly Use[] | null;
	readonly minProgress: number;
}

/**
 * Checks the shape of a config, everything but the options of plugged-in things.
 * @returns the config and, instead of throwing, every problem, so that later checks can add theirs
 */
export async function checkConfig(
	value: unknown,
	source: Source,
): Promise<{ config: CheckedConfig | undefined; problems: readonly Problem[] }> {
	// Defaults are filled in place.
	const copy: unknown = toPlain(value, source);
	const validate = await loadValidator("config");
	const valid = validate(copy);
	const problems = valid ? [] : explainErrors(validate.errors ?? [], source);
	const readable =
		typeof copy === "object" && copy !== null && !Array.isArray(copy) && Object.hasOwn(copy, "strategy");
	return { config: valid || readable ? (copy as CheckedConfig) : undefined, problems };
}

/** The value as JSON would carry it: configs made in code may hold fluent values with a `toJSON`. */
function toPlain(value: unknown, source: Source): unknown {
	try {
		return JSON.parse(JSON.stringify(value ?? null));
	} catch (cause) {
		throw new CompactionError("CONFIG_INVALID", `Cannot use ${source.name}: it cannot be written as JSON.`, {
			cause,
		});
	}
}

/** One error that reports all problems of a config, each on its own line. */
export function configError(name: string, problems: readonly Problem[]): CompactionError {
	const sorted = inOrder(problems);
	const count = sorted.length === 1 ? "1 problem" : `${sorted.length} problems`;
	const lines = sorted.map(({ message }) => `  ${message}`);
	return new CompactionError("CONFIG_INVALID", `Cannot use ${name}: it has ${count}.\n${lines.join("\n")}`, {
		problems: sorted,
	});
}
