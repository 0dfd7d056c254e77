import schema from "../../schemas/strategies/drop-reasoning.schema.json" with { type: "json" };
import {
	defineStrategy,
	isBlank,
	isReasoning,
	isSigned,
	itemsOf,
	type Message,
	openTurnStart,
	type Part,
	providerOf,
	type ResolvedDropReasoningStrategyOptions,
	type StrategyDefinition,
} from "../../src/plugin.ts";
import { findFixed, partEdits, withParts } from "./rewrite.ts";

/** A part that no longer names an item of some providers: an item whose reasoning is gone is refused. */
function withoutItem(part: Part, providers: ReadonlySet<string>): Part {
	if (!itemsOf(part).some((item) => providers.has(providerOf(item)))) return part;
	const providerOptions = Object.fromEntries(
		Object.entries(part.providerOptions ?? {}).flatMap(([provider, options]) => {
			if (!providers.has(provider)) return [[provider, options]];
			const { itemId: _, ...rest } = options;
			return Object.keys(rest).length === 0 ? [] : [[provider, rest]];
		}),
	);
	const { providerOptions: _, ...rest } = part;
	return Object.keys(providerOptions).length === 0 ? rest : { ...rest, providerOptions };
}

/** The parts that are left, or undefined where none is reasoning that may go. */
function strip({ content }: Message, mayGo: (part: Part) => boolean): readonly Part[] | undefined {
	if (typeof content === "string" || !content.some((part) => isReasoning(part) && mayGo(part)))
		return undefined;
	const left: Part[] = [];
	let providers = new Set<string>();
	let isRun = false;
	for (const part of content) {
		if (!isReasoning(part)) {
			isRun = false;
			left.push(withoutItem(part, providers));
			continue;
		}
		if (!isRun) providers = new Set();
		isRun = true;
		if (!mayGo(part)) left.push(part);
		else for (const item of itemsOf(part)) providers.add(providerOf(item));
	}
	return left;
}

/** Removes reasoning, but never what a provider checks in the turn that still goes on. */
const definition: StrategyDefinition<ResolvedDropReasoningStrategyOptions> = defineStrategy({
	name: "drop-reasoning",
	schema,
	create: ({ dropEmptyMessages }) => ({
		plan(transcript, context) {
			const open = openTurnStart(transcript);
			const fixed = findFixed(transcript, context);
			const parts = new Map<number, readonly Part[]>();
			for (const [index, message] of transcript.entries()) {
				if (message.role !== "assistant" || fixed[index] === 1) continue;
				const left = strip(message, (part) => index < open || !isSigned(part));
				if (left === undefined) continue;
				if (!dropEmptyMessages && isBlank(withParts(message, left))) continue;
				parts.set(index, left);
			}
			return partEdits(transcript, parts, "reasoning of a turn that is over, or that no provider checks");
		},
	}),
});

export default definition;
