import { KINDS, type Kind, type Message } from "./message.ts";

function ownOptions(message: Message): Readonly<Record<string, unknown>> | undefined {
	const options = message.providerOptions;
	if (options === undefined || options === null || !Object.hasOwn(options, "precis")) return undefined;
	const own = options.precis;
	return typeof own === "object" && own !== null ? own : undefined;
}

/** What a message is to compaction: its role, unless `providerOptions.precis.kind` says otherwise. */
export function kindOf(message: Message): Kind {
	const named = ownOptions(message)?.kind;
	if (typeof named === "string" && (KINDS as readonly string[]).includes(named)) return named as Kind;
	return message.role as Kind;
}

/** Whether a message is pinned: never evicted, rewritten or summarized. */
export function isPinned(message: Message): boolean {
	return ownOptions(message)?.pin === true;
}

/** The mark that a summary inserted by this package carries. */
export interface SummaryMark {
	readonly v: 1;
	readonly template: string;
}

/** The mark of an inserted summary, or undefined where the message is none. */
export function summaryMarkOf(message: Message): SummaryMark | undefined {
	const mark = ownOptions(message)?.summary;
	if (typeof mark !== "object" || mark === null) return undefined;
	const { v, template } = mark as Record<string, unknown>;
	return v === 1 && typeof template === "string" ? { v, template } : undefined;
}

/** How many messages at the head are system messages; they are never evicted nor shown to a summarizer. */
export function leadingSystemCount(messages: readonly Message[]): number {
	let count = 0;
	while (messages[count]?.role === "system") count += 1;
	return count;
}
