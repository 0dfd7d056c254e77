import type { ModelMessage } from "ai";
import type { SummarizingBackend } from "../../../src/backend/contract.ts";
import type { Config } from "../../../src/generated/types.ts";

/** A window that a talk of some 23 messages fills. */
export const TALK_CONFIG: Config = {
	tokens: { window: 1800 },
	strategy: { use: "summarize-older", keepLast: 4 },
};

const FILLER = " The crates stand in the north of the hall, and the lamp above the ramp is on.";

/** A talk of so many messages, of the user and the assistant in turn; the last is the user's where it is odd. */
export function talk(count: number, name = "a"): ModelMessage[] {
	return Array.from({ length: count }, (_, index) => ({
		role: index % 2 === 0 ? "user" : "assistant",
		content: `${name}${index}:${FILLER.repeat(4)}`,
	}));
}

/** A copy as it comes out of a database: equal, and no object is the same. */
export const reloaded = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** A summarizer that says what it was shown: the messages' own names. */
export interface Naming extends SummarizingBackend {
	/** For each call, the names of the messages that it was shown. */
	readonly shown: string[][];
	/** For each call, the names in the earlier summary. */
	readonly folded: string[][];
}

const namesIn = (text: string): string[] => text.match(/\b[a-z]\d+(?=:)/g) ?? [];

export function namingBackend(
	before: (signal: AbortSignal) => Promise<void> | void = () => undefined,
): Naming {
	const backend: Naming = {
		shown: [],
		folded: [],
		async summarize({ messages, previousSummary }, { signal }) {
			const folded = namesIn(previousSummary?.text ?? "");
			const shown = namesIn(JSON.stringify(messages));
			backend.shown.push(shown);
			backend.folded.push(folded);
			await before(signal);
			return {
				text: `Talked of ${[...folded, ...shown].map((name) => `${name}:`).join(" ")}`,
				usage: { calls: 1, inputTokens: 100, outputTokens: 20, costUSD: 0.002 },
			};
		},
	};
	return backend;
}

/** A step as either version of the AI SDK asks for it, outside of a loop. */
export function step<Messages>(messages: Messages, model: unknown = undefined) {
	return { model, messages, steps: [] as unknown[], stepNumber: 0 };
}
