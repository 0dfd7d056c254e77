import { kindOf } from "../transcript/kinds.ts";
import { type Message, type Part, partsOf } from "../transcript/message.ts";

/** Who speaks in a piece of a message. */
export type Voice = "system" | "user" | "assistant" | "reasoning" | "call" | "result" | "error" | "note";

/** A piece of a message as text. */
export interface Piece {
	readonly voice: Voice;
	readonly text: string;
}

/** The most characters that are read of one tool call or result: the halves from its two ends. */
const MOST_CALL = 12_000;
const MOST_RESULT = 24_000;
const MOST_DEPTH = 40;

/** The pieces of a message in order: what was said, called and returned; files and images give nothing. */
export function piecesOf(message: Message): readonly Piece[] {
	const kind = kindOf(message);
	const pieces: Piece[] = [];
	for (const part of partsOf(message)) {
		const voice = voiceOf(part, kind);
		if (voice === undefined) continue;
		const text = textOf(part, voice);
		if (text !== "") pieces.push({ voice, text });
	}
	return pieces;
}

function voiceOf(part: Part, kind: string): Voice | undefined {
	if (part.type === "tool-call") return "call";
	if (part.type === "tool-result") return isFailure(part.output) ? "error" : "result";
	if (part.type === "reasoning") return "reasoning";
	if (part.type !== "text" && part.filename === undefined) return undefined;
	if (kind === "user" || kind === "assistant" || kind === "system") return kind;
	return kind === "tool" ? "result" : "note";
}

function isFailure(output: unknown): boolean {
	const type =
		typeof output === "object" && output !== null ? (output as { type?: unknown }).type : undefined;
	return typeof type === "string" && (type.startsWith("error") || type === "execution-denied");
}

function textOf(part: Part, voice: Voice): string {
	if (voice === "call") return `${part.toolName ?? ""}\n${leavesOf(part.input, MOST_CALL)}`;
	if (part.type === "tool-result") return leavesOf(resultValue(part.output), MOST_RESULT);
	return typeof part.text === "string" ? part.text : (part.filename ?? "");
}

function resultValue(output: unknown): unknown {
	if (typeof output !== "object" || output === null) return output;
	return Object.hasOwn(output, "value") ? (output as { value: unknown }).value : output;
}

/** Head and tail of a long text. */
function ends(text: string, most: number): string {
	if (text.length <= most) return text;
	const half = most >> 1;
	return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** What a content item of a tool's output says; bytes say nothing. Undefined for other values. */
function contentOf(node: Readonly<Record<string, unknown>>): string | undefined {
	if (typeof node.type !== "string") return undefined;
	if (node.type === "text" && typeof node.text === "string") return node.text;
	if (!/^(?:image|file|media|audio)/.test(node.type)) return undefined;
	return typeof node.data === "string" ? String(node.filename ?? "") : undefined;
}

/** The strings, numbers and keys of a value, one a line, as far as they fit. */
export function leavesOf(value: unknown, most: number): string {
	if (typeof value === "string") return ends(value, most);
	const lines: string[] = [];
	let left = most;
	const visit = (node: unknown, key: string, depth: number): void => {
		if (left <= 0 || depth > MOST_DEPTH) return;
		if (typeof node === "object" && node !== null) {
			if (ArrayBuffer.isView(node)) return;
			if (Array.isArray(node)) {
				for (const item of node) {
					visit(item, key, depth + 1);
					if (left <= 0) return;
				}
				return;
			}
			const item = contentOf(node as Readonly<Record<string, unknown>>);
			if (item !== undefined) {
				visit(item, key, depth + 1);
				return;
			}
			for (const name of Object.keys(node)) {
				visit((node as Record<string, unknown>)[name], name, depth + 1);
				if (left <= 0) return;
			}
			return;
		}
		if (typeof node !== "string" && typeof node !== "number" && typeof node !== "boolean") return;
		if (node === "") return;
		const text = ends(String(node), left);
		const line = key === "" ? text : `${key}: ${text}`;
		lines.push(line);
		left -= line.length + 1;
	};
	visit(value, "", 0);
	return lines.join("\n");
}
