import { renderOf } from "../core/render/envelope.ts";
import { summaryMarkOf } from "../core/transcript/kinds.ts";
import { type Message, type Part, partsOf } from "../core/transcript/message.ts";
import { fingerprint } from "./fingerprint.ts";
import {
	isToolPart,
	type UiMessage,
	type UiOrigin,
	type UiPart,
	type UiTranscript,
} from "./ui-transcript.ts";

/** The type of the part in which a summary shows; its data is a {@link UiSummary}. */
export const SUMMARY_PART = "data-precis-summary";

/** What a user interface can show of a summary. */
export interface UiSummary {
	/** Headings and entries, without the lines that are for the model. */
	readonly text: string;
	/** Messages of the history that it stands for. */
	readonly covers: number;
}

/** A message of the compacted view. */
export interface ViewMessage {
	readonly message: Message;
	/** What it was before it was rewritten, where it was. */
	readonly original?: Message | undefined;
	/** Messages that it stands for, where it is a summary. */
	readonly covers: number;
}

function summaryMessage(message: Message, covers: number): UiMessage {
	const [text = { type: "text", text: "" }] = partsOf(message);
	const precis = message.providerOptions?.precis ?? {};
	const data: UiSummary = { text: renderOf(message) ?? text.text ?? "", covers };
	return {
		id: `precis-${fingerprint(message)}`,
		role: message.role,
		parts: [
			{ type: SUMMARY_PART, data },
			{ type: "text", text: text.text ?? "", providerMetadata: { precis } },
		],
	};
}

/** What became of a part: its new form, itself, or undefined where it went. */
function counterpart(part: Part, index: number, now: Message): Part | undefined {
	const parts = partsOf(now);
	if (parts[index] === part) return part;
	if (part.toolCallId !== undefined)
		return parts.find(({ type, toolCallId }) => type === part.type && toolCallId === part.toolCallId);
	if (part.approvalId !== undefined)
		return parts.find(({ type, approvalId }) => type === part.type && approvalId === part.approvalId);
	const text = JSON.stringify(part);
	return parts.find((other) => other === part || JSON.stringify(other) === text);
}

/** A tool part with another output. */
function withOutput(part: UiPart, output: unknown): UiPart {
	const { value } = (output ?? {}) as { readonly value?: unknown };
	return part.state === "output-error" ? { ...part, errorText: String(value) } : { ...part, output: value };
}

/** Parts of one chat message that stay, by position, in the form that they have now. */
class Kept {
	readonly parts = new Map<number, UiPart>();
	readonly blocks = new Set<number>();
	readonly #chat: UiMessage;

	constructor(chat: UiMessage) {
		this.#chat = chat;
	}

	add(origin: UiOrigin, was: Message, now: Message): void {
		this.blocks.add(origin.block);
		const before = partsOf(was);
		for (const [index, position] of origin.parts.entries()) {
			const part = before[index];
			const ui = this.#chat.parts[position];
			if (part === undefined || ui === undefined) continue;
			const stays = was === now ? part : counterpart(part, index, now);
			if (stays === undefined) {
				// A call that went takes its part with it; an approval alone does not.
				if (part.type === "tool-call" || !isToolPart(ui)) this.parts.delete(position);
				continue;
			}
			const known = this.parts.get(position) ?? ui;
			this.parts.set(
				position,
				part.type === "tool-result" && stays !== part ? withOutput(known, stays.output) : known,
			);
		}
	}

	/** The chat message as it is now: the very object where nothing of it went. */
	message(isWhole: boolean, id: string): UiMessage {
		if (isWhole) return this.#chat;
		let block = 0;
		const parts = this.#chat.parts.flatMap((part, position) => {
			if (part.type === "step-start") block = position;
			// What no model sees stays with the steps that it stands among.
			if (part.type === "step-start" || part.type.startsWith("data-"))
				return this.blocks.has(block) ? part : [];
			return this.parts.get(position) ?? [];
		});
		return { ...this.#chat, id, parts };
	}
}

/** Writes a compacted view as a chat: kept messages are the very objects that came in. */
export function writeUi(
	chat: readonly UiMessage[],
	from: UiTranscript,
	view: readonly ViewMessage[],
): UiMessage[] {
	const places = new Map<Message, number>();
	const byContent = new Map<string, number>();
	const whole = new Map<number, number>();
	for (const [index, message] of from.messages.entries()) {
		places.set(message, index);
		byContent.set(fingerprint(message), index);
		const ui = from.origins[index]?.ui ?? -1;
		whole.set(ui, (whole.get(ui) ?? 0) + 1);
	}
	const out: UiMessage[] = [];
	const used = new Map<number, number>();
	let open: { readonly ui: number; readonly kept: Kept; count: number; isSame: boolean } | undefined;
	const close = (): void => {
		if (open === undefined) return;
		const { ui, kept, count, isSame } = open;
		const before = used.get(ui) ?? 0;
		used.set(ui, before + 1);
		const id = chat[ui]?.id ?? "";
		out.push(kept.message(isSame && count === whole.get(ui), before === 0 ? id : `${id}-${before + 1}`));
		open = undefined;
	};
	for (const { message, original, covers } of view) {
		const place =
			places.get(message) ??
			(original === undefined ? undefined : places.get(original)) ??
			byContent.get(fingerprint(message));
		const origin = place === undefined ? undefined : from.origins[place];
		const was = place === undefined ? undefined : from.messages[place];
		const ui = origin === undefined ? undefined : chat[origin.ui];
		if (origin === undefined || was === undefined || ui === undefined) {
			close();
			if (summaryMarkOf(message) !== undefined) out.push(summaryMessage(message, covers));
			continue;
		}
		if (open?.ui !== origin.ui) {
			close();
			open = { ui: origin.ui, kept: new Kept(ui), count: 0, isSame: true };
		}
		open.kept.add(origin, was, message);
		open.count += 1;
		open.isSame &&= was === message || fingerprint(was) === fingerprint(message);
	}
	close();
	return out;
}
