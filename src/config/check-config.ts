import type { TemplateDefinition } from "../core/template/template.ts";
import { CompactionError, type Problem } from "../errors/compaction-error.ts";
import { loadValidator } from "../generated/validators.ts";
import type { Use } from "../strategy/contract.ts";
import { explainErrors, inOrder, problemAt, type Source } from "./explain.ts";
import { escapeSegment } from "./pointer.ts";

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
	const { copy, problems: lost } = copyPlain(value, source);
	const validate = await loadValidator("config");
	const valid = validate(copy) && lost.length === 0;
	const others = explainErrors(validate.errors ?? [], source).filter(
		// In the copy there is null in its place, and that is not what is wrong.
		({ pointer }) => !lost.some((one) => one.pointer === pointer),
	);
	const problems = [...lost, ...others];
	const readable =
		typeof copy === "object" && copy !== null && !Array.isArray(copy) && Object.hasOwn(copy, "strategy");
	return { config: valid || readable ? (copy as CheckedConfig) : undefined, problems };
}

/** Deeper configs are nobody's: the deepest that has a meaning is a tenth of it. */
const DEEPEST = 100;

/**
 * The value as JSON would carry it: configs made in code may hold fluent values with a `toJSON`.
 * @returns the copy, and a problem for each thing that JSON would leave out in silence
 */
function copyPlain(value: unknown, source: Source): { copy: unknown; problems: readonly Problem[] } {
	const problems: Problem[] = [];
	const copy = (given: unknown, pointer: string, depth: number): unknown => {
		if (depth > DEEPEST)
			throw new CompactionError(
				"CONFIG_INVALID",
				`Cannot use ${source.name}: it is nested more than ${DEEPEST} deep.`,
			);
		const { toJSON } = (given ?? {}) as { toJSON?: unknown };
		const one: unknown = typeof toJSON === "function" ? toJSON.call(given) : given;
		if (typeof one === "function" || typeof one === "symbol" || typeof one === "bigint") {
			problems.push(
				problemAt(source, pointer, `found a ${typeof one}; expected something that JSON can hold.`),
			);
			return null;
		}
		if (typeof one !== "object" || one === null) return one;
		if (Array.isArray(one))
			return one.map((item, index) => copy(item, `${pointer}/${index}`, depth + 1) ?? null);
		const entries = Object.entries(one).filter(([, inner]) => inner !== undefined);
		return Object.fromEntries(
			entries.map(([key, inner]) => [key, copy(inner, `${pointer}/${escapeSegment(key)}`, depth + 1)]),
		);
	};
	return { copy: copy(value ?? null, "", 0), problems };
}

/** Lines of one message; `problems` of the error has them all. */
const MOST_PRINTED = 20;

/** One error that reports all problems of a config, each on its own line. */
export function configError(name: string, problems: readonly Problem[]): CompactionError {
	const sorted = inOrder(problems);
	const count = sorted.length === 1 ? "1 problem" : `${sorted.length} problems`;
	const lines = sorted.slice(0, MOST_PRINTED).map(({ message }) => `  ${message}`);
	if (sorted.length > MOST_PRINTED) lines.push(`  … and ${sorted.length - MOST_PRINTED} more`);
	return new CompactionError("CONFIG_INVALID", `Cannot use ${name}: it has ${count}.\n${lines.join("\n")}`, {
		problems: sorted,
	});
}
