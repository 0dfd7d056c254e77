import { jsonTokens } from "./json-tokens.ts";
import { mediaTokens } from "./media-tokens.ts";
import type { Message, Part } from "./message.ts";

/** Counts the tokens of a text. */
type CountText = (text: string) => number;

/** What a message costs beside its texts; a counter may have figures of its own. */
export interface PartCosts {
	/** Tokens of the frame of a message, its role included. */
	readonly message: number;
	/** Tokens of the frame of a tool call, a result or an approval. */
	readonly frame: number;
	/** Tokens of an image; absent means what providers charge. */
	readonly image?: number;
	/** Tokens of a value that is sent as JSON; absent means a walk that does not write it. */
	json?(value: unknown, text: CountText): number;
}

/** OpenAI's chat format has 3 or 4 tokens around a message; names and ids of tools cost about as much again. */
const COSTS: PartCosts = { message: 4, frame: 4 };
/** What a part of an unknown type counts at most: it may hold bytes or be no business of the model. */
const UNKNOWN_MAX = 4000;

interface ContentItem {
	readonly type?: unknown;
	readonly text?: unknown;
	readonly data?: unknown;
	readonly url?: unknown;
	readonly mediaType?: unknown;
	readonly providerOptions?: unknown;
}

const isImage = (mediaType: unknown): boolean =>
	typeof mediaType === "string" && (mediaType === "image" || mediaType.startsWith("image/"));

function mediaOf(
	mediaType: unknown,
	data: unknown,
	options: unknown,
	text: CountText,
	costs: PartCosts,
): number {
	if (costs.image !== undefined && isImage(mediaType)) return costs.image;
	return mediaTokens(mediaType, data, options, text);
}

function jsonOf(value: unknown, text: CountText, costs: PartCosts): number {
	return costs.json === undefined ? jsonTokens(value, text) : costs.json(value, text);
}

function contentItemTokens(item: ContentItem, text: CountText, costs: PartCosts): number {
	const { type, mediaType, providerOptions } = item;
	if (type === "text" && typeof item.text === "string") return text(item.text);
	if (typeof type === "string") {
		// "image-data", "image-url" and "image-file-id" need not say which kind of image.
		if (type.startsWith("image")) return mediaOf("image", item.data, providerOptions, text, costs);
		if (type === "media" || type.startsWith("file"))
			return mediaOf(mediaType, item.data ?? item.url, providerOptions, text, costs);
	}
	return Math.min(UNKNOWN_MAX, jsonTokens(item, text));
}

function outputTokens(output: unknown, text: CountText, costs: PartCosts): number {
	if (typeof output === "string") return text(output);
	if (typeof output !== "object" || output === null) return 0;
	const { type, value, reason } = output as Readonly<Record<string, unknown>>;
	if (typeof value === "string") return text(value);
	if (type === "content" && Array.isArray(value)) {
		let tokens = 0;
		for (const item of value as readonly unknown[]) {
			if (typeof item === "object" && item !== null) tokens += contentItemTokens(item, text, costs);
		}
		return tokens;
	}
	if (type === "execution-denied") return typeof reason === "string" ? text(reason) : 0;
	return jsonOf(value === undefined ? output : value, text, costs);
}

function partTokens(part: Part, text: CountText, costs: PartCosts): number {
	switch (part.type) {
		case "text":
		case "reasoning":
			return typeof part.text === "string" ? text(part.text) : 0;
		case "tool-call":
			return costs.frame + text(part.toolName ?? "") + jsonOf(part.input, text, costs);
		case "tool-result":
			return costs.frame + outputTokens(part.output, text, costs);
		case "tool-approval-request":
		case "tool-approval-response":
			return costs.frame;
		case "image":
			return mediaOf("image", part.image, part.providerOptions, text, costs);
		case "file":
		case "reasoning-file":
			return mediaOf(part.mediaType, part.data, part.providerOptions, text, costs);
		default:
			return Math.min(UNKNOWN_MAX, jsonTokens(part, text));
	}
}

/**
 * Tokens of a message: text and reasoning, calls with their JSON input, results, and media at what providers
 * charge for them, never the length of their base64 text. Not rounded.
 * @param text tokens of a text
 * @throws CompactionError TRANSCRIPT_INVALID where an input or output contains itself
 */
export function messageTokens(message: Message, text: CountText, costs: PartCosts = COSTS): number {
	const { content } = message;
	if (typeof content === "string") return costs.message + text(content);
	let tokens = costs.message;
	for (const part of content) tokens += partTokens(part, text, costs);
	return tokens;
}
