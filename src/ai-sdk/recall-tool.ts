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

/** Messages by how many of the words they have, then how often, then how late they are; and where the first word is. */
function search(messages: readonly ArchivedMessage[], words: readonly string[]) {
	return messages
		.map((one) => {
			const text = textOf(one.message);
			const lower = text.toLowerCase();
			const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
			const hits = words.reduce((sum, word) => sum + lower.split(word).length - 1, 0);
			return { one, text, found: places.length, hits, place: Math.min(...places) };
		})
		.filter(({ found }) => found > 0)
		.sort(
			(left, right) => right.found - left.found || right.hits - left.hits || right.one.index - left.one.index,
		);
}

/**
 * A tool with which an agent finds what was taken out of its context: by words, or by a message's number.
 * @param archive the one that `compactionFor` was given
 */
export function recallTool(archive: Archive, options: RecallOptions = {}): RecallTool {
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
			const found = search(messages, wanted);
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
