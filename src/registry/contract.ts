import type { Backend } from "../backend/contract.ts";
import type { Host } from "../backend/host.ts";
import type { TemplateDefinition } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";
import type { Strategy, Use } from "../strategy/contract.ts";

/** Estimates tokens. Figures may be fractions; totals are rounded down once. */
export interface Counter {
	/** Tokens of a text. */
	text(text: string): number;
	/** Tokens of a message with all its parts; absent means the sum over its parts by `text`. */
	message?(message: Message): number;
}

/** What a trigger sees. */
export interface TriggerState {
	readonly messages: readonly Message[];
	/** Size of the next request in tokens, overhead included; computed on first use. */
	readonly tokens: number;
	/** Size of the context window in tokens. */
	readonly windowTokens: number;
	/** Turns in the transcript (a turn starts at a user message that is no summary); computed on first use. */
	readonly turns: number;
}

/** A trigger of its own, or one made of others. */
export type Trigger =
	| {
			/** A sentence with figures if the transcript should be compacted now, else undefined. */
			check(state: TriggerState): string | undefined;
			/** The number of tokens at which it fires, if it is one. */
			thresholdTokens?(windowTokens: number): number;
			of?: undefined;
	  }
	| { readonly of: readonly Use[]; readonly mode: "any" | "all"; check?: undefined };

/** A thing that a plugin gives: found by name, its options checked by its schema, made by its factory. */
export interface Definition<Made, Options = Readonly<Record<string, unknown>>> {
	readonly name: string;
	/** JSON Schema (draft-07 or 2020-12) of the options; absent means that it takes none. */
	readonly schema?: object;
	create(options: Options, host: Host): Made | Promise<Made>;
}

// `never` options make definitions of any option type assignable to the list; they are only called checked.
export type BackendDefinition<Options = never> = Definition<Backend, Options>;
export type StrategyDefinition<Options = never> = Definition<Strategy, Options>;
export type TriggerDefinition<Options = never> = Definition<Trigger, Options>;
export type CounterDefinition<Options = never> = Definition<Counter, Options>;

/** A plugin: the default export of its module. */
export interface Plugin {
	readonly name: string;
	readonly apiVersion: 1;
	readonly backends?: readonly BackendDefinition[];
	readonly strategies?: readonly StrategyDefinition[];
	readonly triggers?: readonly TriggerDefinition[];
	readonly counters?: readonly CounterDefinition[];
	readonly templates?: Readonly<Record<string, TemplateDefinition>>;
}
