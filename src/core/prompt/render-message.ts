import { shortenMiddle } from "../text/shorten.ts";
import { kindOf } from "../transcript/kinds.ts";
import { type Message, type Part, partsOf } from "../transcript/message.ts";
import { compactJson } from "./compact-json.ts";

/** Characters of a tool's output that the summarizer is shown. */
export const OUTPUT_LENGTH = 2000;
/** Characters of a tool call's input. */
export const INPUT_LENGTH = 1000;
/** Characters of a block of reasoning. */
export const REASONING_LENGTH = 2000;
const NAME_LENGTH = 200;

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

function named(value: unknown): string {
	return shortenMiddle(textOf(value), NAME_LENGTH);
}

/** A place that may be named: never the content itself, which data URLs and base64 are. */
function addressOf(value: unknown): string {
	const text = value instanceof URL ? value.href : textOf(value);
	return /^https?:\/\//i.test(text.slice(0, 8)) ? shortenMiddle(text, NAME_LENGTH) : "";
}

function media(part: Readonly<Record<string, unknown>>): string {
	const kind = named(part.type) || "file";
	const words = [
		kind,
		named(part.filename),
		named(part.mediaType),
		addressOf(part.url) || addressOf(part.image) || addressOf(part.data),
	];
	return `[${words.filter((word) => word !== "").join(" ")}]`;
}

function contentOutput(value: unknown): string {
	if (!Array.isArray(value)) return compactJson(value, OUTPUT_LENGTH);
	const pieces: string[] = [];
	let length = 0;
	for (const item of value as readonly unknown[]) {
		if (typeof item !== "object" || item === null) continue;
		const part = item as Readonly<Record<string, unknown>>;
		const piece = part.type === "text" ? textOf(part.text) : media(part);
		pieces.push(piece);
		length += piece.length;
		// More than this is cut in any case; the tail of a list of pieces is seldom what matters.
		if (length > 20 * OUTPUT_LENGTH) break;
	}
	return shortenMiddle(pieces.join("\n"), OUTPUT_LENGTH);
}

/** What came of a tool call: "ok", "error" or "denied", and the shortened output. */
function outputOf(output: unknown): { readonly status: string; readonly text: string } {
	if (typeof output === "string") return { status: "ok", text: shortenMiddle(output, OUTPUT_LENGTH) };
	if (typeof output !== "object" || output === null)
		return { status: "ok", text: compactJson(output, OUTPUT_LENGTH) };
	const { type, value, reason } = output as Readonly<Record<string, unknown>>;
	if (type === "text") return { status: "ok", text: shortenMiddle(textOf(value), OUTPUT_LENGTH) };
	if (type === "error-text") return { status: "error", text: shortenMiddle(textOf(value), OUTPUT_LENGTH) };
	if (type === "json") return { status: "ok", text: compactJson(value, OUTPUT_LENGTH) };
	if (type === "error-json") return { status: "error", text: compactJson(value, OUTPUT_LENGTH) };
	if (type === "execution-denied")
		return { status: "denied", text: shortenMiddle(textOf(reason), OUTPUT_LENGTH) };
	if (type === "content") return { status: "ok", text: contentOutput(value) };
	return { status: "ok", text: compactJson(output, OUTPUT_LENGTH) };
}

function renderPart(part: Part): string {
	switch (part.type) {
		case "reasoning": {
			const text = textOf(part.text);
			return text.trim() === "" ? "" : `(thinking) ${shortenMiddle(text, REASONING_LENGTH)}`;
		}
		case "tool-call":
			return `(call) ${named(part.toolName)}(${part.input === undefined ? "" : compactJson(part.input, INPUT_LENGTH)})`;
		case "tool-result": {
			const { status, text } = outputOf(part.output);
			return `(result of ${named(part.toolName)}, ${status}) ${text}`;
		}
		case "tool-approval-request":
			return "(asks for approval of the call)";
		case "tool-approval-response": {
			const reason = named((part as { readonly reason?: unknown }).reason);
			return `(call ${part.approved === true ? "approved" : "denied"}${reason === "" ? "" : `: ${reason}`})`;
		}
		default:
			return media(part as unknown as Readonly<Record<string, unknown>>);
	}
}

function labelOf(message: Message): string {
	const kind = kindOf(message);
	return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}:`;
}

/**
 * A message as text for a summarizer, with a line break at its end: its role, its texts in full, and of the rest
 * what matters in short. Files are named, never inlined; what providers attach to parts is left out.
 */
export function renderMessage(message: Message): string {
	if (typeof message.content === "string") return `${labelOf(message)} ${message.content}\n`;
	let out = labelOf(message);
	let last: "label" | "text" | "other" = "label";
	for (const part of partsOf(message)) {
		if (part.type === "text") {
			const text = textOf(part.text);
			if (text === "") continue;
			// Text parts that follow each other are one text.
			out += `${{ label: " ", text: "", other: "\n" }[last]}${text}`;
			last = "text";
			continue;
		}
		const text = renderPart(part);
		if (text === "") continue;
		out += `\n  ${text}`;
		last = "other";
	}
	const ended = `${out}\n`;
	// Looked at first: what is trimmed and put together again is copied twice.
	const hasBlankEnd = ended.charAt(ended.length - 2).trim() === "";
	return hasBlankEnd ? `${ended.trimEnd()}\n` : ended;
}
