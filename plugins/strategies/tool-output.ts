import { CALL, findTies, type Message, type Part, RESULT } from "../../src/plugin.ts";

/** What a tool gave, as the AI SDK carries it; values are checked where they are read. */
export interface ToolOutput {
	readonly type: string;
	readonly value?: unknown;
}

/** The output of a tool result. */
export function outputOf(part: Part): ToolOutput {
	return part.output as ToolOutput;
}

/** Whether a result says that the call failed. A denied call did not fail: the user decided. */
export function isFailed(part: Part): boolean {
	const { type } = outputOf(part);
	return type === "error-text" || type === "error-json";
}

/** The text of an output: what it says, or its JSON; of a list of contents the texts alone. */
export function outputText({ type, value }: ToolOutput): string {
	if (typeof value === "string" && (type === "text" || type === "error-text")) return value;
	if (type === "content" && Array.isArray(value)) return value.map(contentText).join("\n");
	return value === undefined ? "" : (JSON.stringify(value) ?? "");
}

function contentText(item: unknown): string {
	return typeof item === "object" && item !== null && "text" in item && typeof item.text === "string"
		? item.text
		: "";
}

/** The same output with a text in place of what it said; that it failed stays said. */
export function withText(part: Part, text: string): Part {
	const { type } = outputOf(part);
	const textType = type === "error-text" || type === "error-json" ? "error-text" : "text";
	return { ...part, output: { type: textType, value: text } };
}

/**
 * Finds the results that a host's own tools gave: what a provider executed itself is checked by it when it
 * comes back, and a denial is no output.
 */
export function findHostResults(transcript: readonly Message[]): Map<number, number[]> {
	const ties = findTies(transcript);
	const partAt = (entry: number): Part | undefined => {
		const content = transcript[ties.message[entry] ?? -1]?.content;
		return typeof content === "string" ? undefined : content?.[ties.part[entry] ?? -1];
	};
	const found = new Map<number, number[]>();
	for (let entry = 0; entry < ties.count; entry += 1) {
		if (ties.kind[entry] !== RESULT) continue;
		const index = ties.message[entry] ?? -1;
		const part = partAt(entry);
		if (part === undefined || transcript[index]?.role !== "tool") continue;
		if (outputOf(part).type === "execution-denied") continue;
		const call = ties.call[entry] ?? -1;
		if (call >= 0 && ties.kind[call] === CALL && partAt(call)?.providerExecuted === true) continue;
		const parts = found.get(index);
		if (parts === undefined) found.set(index, [ties.part[entry] ?? 0]);
		else parts.push(ties.part[entry] ?? 0);
	}
	return found;
}
