import type { Message, Part } from "./message.ts";

/** Whether a part is reasoning: text, or a file made while reasoning. */
export function isReasoning({ type }: Part): boolean {
	return type === "reasoning" || type === "reasoning-file";
}

/**
 * Whether reasoning carries what its provider checks when it is sent back: a signature, an item id, encrypted
 * or redacted content.
 */
export function isSigned({ providerOptions }: Part): boolean {
	return (
		providerOptions !== undefined && Object.keys(providerOptions).some((provider) => provider !== "precis")
	);
}

/** The items of providers' own that a part stands for (their "itemId"), each as "provider item". */
export function itemsOf({ providerOptions }: Part): readonly string[] {
	if (providerOptions === undefined) return [];
	return Object.entries(providerOptions).flatMap(([provider, options]) => {
		if (typeof options !== "object" || options === null || !Object.hasOwn(options, "itemId")) return [];
		return typeof options.itemId === "string" ? [`${provider} ${options.itemId}`] : [];
	});
}

/** The provider of an item. */
export function providerOf(item: string): string {
	return item.slice(0, item.indexOf(" "));
}

/**
 * Where the turn begins that still goes on, or the length where the last one is over: a turn that ends with
 * tool messages, or with calls that nothing answered, is not over, and its signed reasoning must stay.
 */
export function openTurnStart(messages: readonly Message[]): number {
	const { length } = messages;
	let last = length - 1;
	while (last >= 0 && messages[last]?.role === "system") last -= 1;
	const end = messages[last];
	const isOpen =
		end !== undefined &&
		(end.role === "tool" ||
			(end.role === "assistant" &&
				typeof end.content !== "string" &&
				end.content.some(({ type, providerExecuted }) => type === "tool-call" && providerExecuted !== true)));
	if (!isOpen) return length;
	while (last >= 0 && messages[last]?.role !== "user") last -= 1;
	return last + 1;
}
