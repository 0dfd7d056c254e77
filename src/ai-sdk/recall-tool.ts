import { checkGiven } from "../config/check-given.ts";
import { cutBefore } from "../core/text/shorten.ts";
import { type Message, type Part, partsOf } from "../core/transcript/message.ts";
import type { Archive, ArchivedMessage } from "./archive.ts";

/** What an agent may ask its archive. */
export interface RecallInput {
	readonly words?: string;
	readonly index?: number;
	readonly offset?: number;
}

/** How the tool answers. */
export interface RecallOptions {
	/** The conversation that is searched; all of the archive by default. */
	readonly id?: string;
	/** Messages in one answer; 5 by default. */
	readonly maxResults?: number;
	/** Characters of one answer; 6000 by default. */
	readonly maxCharacters?: number;
}

/** What `tools` of an agent take; both versions of the AI SDK read it. */
export interface RecallTool {
	readonly description: string;
	readonly inputSchema: never;
	readonly execute: (input: RecallInput) => Promise<string>;
}

const INPUT_SCHEMA = {
	type: "object",
	properties: {
		words: { type: "string", description: "Words to look for; messages with most of them come first." },
		index: { type: "number", description: "The number of one message, as an earlier answer names it." },
		offset: { type: "number", description: "With index: the character to read on from." },
	},
	additionalProperties: false,
};

function partText(part: Part): string {
	if (part.type === "text" || part.type === "reasoning") return part.text ?? "";
	if (part.type === "tool-call") return `${part.toolName}(${JSON.stringify(part.input) ?? ""})`;
	if (part.type !== "tool-result") return `[${part.type}]`;
	const { value } = (part.output ?? {}) as { readonly value?: unknown };
	const text = typeof value === "string" ? value : (JSON.stringify(value ?? part.output) ?? "");
	return `${part.toolName}: ${text}`;
}

const textOf = (message: Message): string => partsOf(message).map(partText).join("\n");

function slice(text: string, from: number, length: number): string {
	const start = Math.max(0, Math.min(text.length, from));
	const end = cutBefore(text, Math.min(text.length, start + length));
	const before = start > 0 ? "…" : "";
	return end < text.length
		? `${before}${text.slice(start, end)}… (go on with offset ${end})`
		: `${before}${text.slice(start)}`;
}

const heading = ({ index, message }: ArchivedMessage): string => `Message ${index} (${message.role}):`;

interface Found {
	readonly one: ArchivedMessage;
	readonly text: string;
	/** Where the words stand, or the first of them. */
	readonly place: number;
	/** What is compared, the weightiest first. */
	readonly rank: readonly number[];
}

/** The words as they were written come first; then messages with most of them, as whole words, often, and late. */
function search(
	messages: readonly ArchivedMessage[],
	asked: string,
	words: readonly string[],
): readonly Found[] {
	const phrase = asked.trim().toLowerCase();
	const found: Found[] = [];
	for (const one of messages) {
		const text = textOf(one.message);
		const lower = text.toLowerCase();
		const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
		if (places.length === 0) continue;
		const whole = new Set(lower.match(/[\p{L}\p{N}_]+/gu));
		const hits = words.reduce((sum, word) => sum + lower.split(word).length - 1, 0);
		const at = lower.indexOf(phrase);
		const rank = [
			at < 0 ? 0 : 1,
			words.filter((word) => whole.has(word)).length,
			places.length,
			hits,
			one.index,
		];
		found.push({ one, text, place: at < 0 ? Math.min(...places) : at, rank });
	}
	return found.sort((left, right) => {
		const differs = left.rank.findIndex((value, index) => value !== right.rank[index]);
		return differs < 0 ? 0 : (right.rank[differs] ?? 0) - (left.rank[differs] ?? 0);
	});
}

/**
 * A tool with which an agent finds what was taken out of its context: by words, or by a message's number.
 * @param archive the one that `compactionFor` was given
 */
export function recallTool(archive: Archive, options: RecallOptions = {}): RecallTool {
	checkGiven<RecallOptions>("make the recall tool", options, {
		id: "string",
		maxResults: "positive",
		maxCharacters: "positive",
	});
	const { id, maxResults = 5, maxCharacters = 6000 } = options;
	return {
		description:
			"Finds earlier messages of this conversation that were replaced by a summary, in their original words. Ask by words, or by the number of a message.",
		// What `jsonSchema` of the AI SDK makes, without loading it.
		inputSchema: {
			[Symbol.for("vercel.ai.schema")]: true,
			jsonSchema: INPUT_SCHEMA,
			validate: undefined,
		} as never,
		async execute({ words = "", index, offset = 0 }) {
			const messages = await archive.list(id);
			if (index !== undefined) {
				const found = messages.filter((one) => one.index === index);
				if (found.length === 0)
					return `There is no message ${index} in the archive; it has ${messages.length}.`;
				const each = Math.floor(maxCharacters / found.length);
				return found
					.map((one) => `${heading(one)}\n${slice(textOf(one.message), offset, each)}`)
					.join("\n\n");
			}
			const wanted = [...new Set(words.toLowerCase().split(/\s+/).filter(Boolean))];
			if (wanted.length === 0) return "Name words to look for, or the index of a message.";
			const found = search(messages, words, wanted);
			if (found.length === 0) return `Nothing in the archive has any of: ${wanted.join(", ")}.`;
			const shown = found.slice(0, maxResults);
			const each = Math.floor(maxCharacters / shown.length);
			const texts = shown.map(({ one, text, place }) => {
				const from = text.length <= each ? 0 : Math.max(0, place - Math.floor(each / 4));
				return `${heading(one)}\n${slice(text, cutBefore(text, from), each)}`;
			});
			const more = found.length - shown.length;
			return [...texts, ...(more > 0 ? [`${more} more have some of these words.`] : [])].join("\n\n");
		},
	};
}
