import type {
	BackendDefinition,
	CounterDefinition,
	Plugin,
	StrategyDefinition,
	TriggerDefinition,
} from "./contract.ts";

/** Types a plugin; it is returned as it is. */
export function definePlugin<const P extends Plugin>(plugin: P): P {
	return plugin;
}

/** Types a backend by the options that its schema describes; it is returned as it is. */
export function defineBackend<Options>(definition: BackendDefinition<Options>): BackendDefinition<Options> {
	return definition;
}

/** Types a strategy by the options that its schema describes; it is returned as it is. */
export function defineStrategy<Options>(
	definition: StrategyDefinition<Options>,
): StrategyDefinition<Options> {
	return definition;
}

/** Types a trigger by the options that its schema describes; it is returned as it is. */
export function defineTrigger<Options>(definition: TriggerDefinition<Options>): TriggerDefinition<Options> {
	return definition;
}

/** Types a counter by the options that its schema describes; it is returned as it is. */
export function defineCounter<Options>(definition: CounterDefinition<Options>): CounterDefinition<Options> {
	return definition;
}
