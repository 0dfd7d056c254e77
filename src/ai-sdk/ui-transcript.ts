import type { Message, Part, ProviderOptions } from "../core/transcript/message.ts";
import { liftMarks } from "./lift-marks.ts";

/** A part of a chat's message, seen structurally: every part of both versions of the AI SDK fits. */
export interface UiPart {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** A chat's message, seen structurally: every `UIMessage` is one. */
export interface UiMessage {
	readonly id: string;
	readonly role: string;
	readonly metadata?: unknown;
	readonly parts: readonly UiPart[];
}

/** Which parts of which chat message a message was made of. */
export interface UiOrigin {
	readonly ui: number;
	/** The position in `parts`, for each part of the message. */
	readonly parts: readonly number[];
	/** Which stretch between step starts it is of. */
	readonly block: number;
}

/** A chat as a transcript, and where each of its messages came from. */
export interface UiTranscript {
	readonly messages: readonly Message[];
	readonly origins: readonly UiOrigin[];
}

/** Tool parts that the model has been told of: their input is complete. */
export function isToolPart({ type }: UiPart): boolean {
	return type === "dynamic-tool" || type.startsWith("tool-");
}

function options(metadata: unknown): { readonly providerOptions?: ProviderOptions } {
	return typeof metadata === "object" && metadata !== null
		? { providerOptions: metadata as ProviderOptions }
		: {};
}

function approvalOf(
	part: UiPart,
): { readonly id: string; readonly approved?: unknown; readonly reason?: unknown } | undefined {
	const { approval } = part;
	if (typeof approval !== "object" || approval === null) return undefined;
	return typeof (approval as { id?: unknown }).id === "string" ? (approval as { id: string }) : undefined;
}

function callOf(
	part: UiPart,
): Pick<Part, "toolCallId" | "toolName"> & { toolCallId: string; toolName: string } {
	const toolName = part.type === "dynamic-tool" ? String(part.toolName) : part.type.slice("tool-".length);
	return { toolCallId: String(part.toolCallId), toolName };
}

function outputOf(part: UiPart): unknown {
	switch (part.state) {
		case "output-available":
			return typeof part.output === "string"
				? { type: "text", value: part.output }
				: { type: "json", value: part.output ?? null };
		case "output-error":
			return { type: "error-text", value: String(part.errorText ?? "") };
		case "output-denied":
			return { type: "execution-denied", reason: approvalOf(part)?.reason };
		default:
			return undefined;
	}
}

/** A part of a model's turn; tool parts also have an answer in the message behind it. */
function turnParts(part: UiPart): { readonly said: readonly Part[]; readonly answered: readonly Part[] } {
	if (part.type === "text" || part.type === "reasoning")
		return {
			said: [{ type: part.type, text: String(part.text ?? ""), ...options(part.providerMetadata) }],
			answered: [],
		};
	if (part.type === "file" || part.type === "reasoning-file") return { said: [fileOf(part)], answered: [] };
	if (!isToolPart(part) || part.state === "input-streaming") return { said: [], answered: [] };
	const call = callOf(part);
	const isProviders = part.providerExecuted === true;
	const approval = approvalOf(part);
	const said: Part[] = [
		{
			type: "tool-call",
			...call,
			input: part.input ?? part.rawInput,
			...(isProviders ? { providerExecuted: true } : {}),
			...options(part.callProviderMetadata),
		},
	];
	const answered: Part[] = [];
	if (approval !== undefined) {
		said.push({ type: "tool-approval-request", approvalId: approval.id, toolCallId: call.toolCallId });
		if (typeof approval.approved === "boolean")
			answered.push({ type: "tool-approval-response", approvalId: approval.id, approved: approval.approved });
	}
	const output = outputOf(part);
	if (output !== undefined) (isProviders ? said : answered).push({ type: "tool-result", ...call, output });
	return { said, answered };
}

function fileOf(part: UiPart): Part {
	return {
		type: part.type,
		mediaType: String(part.mediaType ?? ""),
		data: part.url,
		...options(part.providerMetadata),
	};
}

/** Reads a chat as the AI SDK sends it to a model. Parts that no model sees, data parts for example, cost nothing. */
export function readUi(chat: readonly UiMessage[]): UiTranscript {
	const messages: Message[] = [];
	const origins: UiOrigin[] = [];
	const push = (
		role: string,
		ui: number,
		block: number,
		parts: readonly (readonly [Part, number])[],
	): void => {
		if (parts.length === 0) return;
		messages.push({ role, content: parts.map(([part]) => part) });
		origins.push({ ui, block, parts: parts.map(([, position]) => position) });
	};
	for (const [ui, { role, parts }] of chat.entries()) {
		if (role === "system") {
			const texts = parts.filter(({ type }) => type === "text").map(({ text }) => String(text ?? ""));
			messages.push({ role, content: texts.join("") });
			origins.push({ ui, block: 0, parts: [] });
			continue;
		}
		let block = 0;
		let said: (readonly [Part, number])[] = [];
		let answered: (readonly [Part, number])[] = [];
		const end = (): void => {
			push(role, ui, block, said);
			push("tool", ui, block, answered);
			said = [];
			answered = [];
		};
		for (const [position, part] of parts.entries()) {
			if (part.type === "step-start") {
				end();
				block = position;
				continue;
			}
			const made = turnParts(part);
			said.push(...made.said.map((one) => [one, position] as const));
			answered.push(...made.answered.map((one) => [one, position] as const));
		}
		end();
	}
	return { messages: liftMarks(messages), origins };
}
