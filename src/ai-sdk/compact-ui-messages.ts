import { checkGiven } from "../config/check-given.ts";
import { summaryMarkOf } from "../core/transcript/kinds.ts";
import { type Compaction, engineOf } from "./compaction-for.ts";
import type { Ask } from "./engine.ts";
import { entryAt } from "./locate.ts";
import { overheadOfAgent } from "./overhead.ts";
import { BINDING, type Binding } from "./step.ts";
import { readUi, type UiMessage } from "./ui-transcript.ts";
import { idOfModel } from "./windows.ts";
import { type ViewMessage, writeUi } from "./write-ui.ts";

/** How a chat is compacted. */
export interface CompactUIOptions extends Binding {
	/** The model that the chat is sent to, for its window: "provider/model", or the AI SDK's model. */
	readonly model?: unknown;
	/** Compacts though the trigger sees no need. */
	readonly force?: boolean;
}

/** A compacted chat. */
export interface CompactedUI<Chat> {
	readonly status: "compacted" | "unchanged";
	/** Kept messages are the very objects that came in. */
	readonly messages: Chat[];
	/** The originals of all messages that went, wholly or in part. */
	readonly evicted: Chat[];
	/** Tokens of the request, as far as they are known. */
	readonly tokens: { readonly before: number; readonly after: number };
}

/**
 * Compacts a chat's own messages (`useChat`, stored histories) under the same laws, where the trigger says so. Tool
 * parts in any state, data parts and metadata stay with the messages that stay; a message may lose its older steps.
 * The summary is a message with a part of type "data-precis-summary" to show, and the text that models read.
 * @throws the signal's reason; with `onFailure: "throw"` what the pass failed with
 */
export async function compactUIMessages<Chat extends { readonly id: string; readonly role: string }>(
	chat: readonly Chat[],
	compaction: Compaction,
	options: CompactUIOptions = {},
): Promise<CompactedUI<Chat>> {
	const engine = engineOf(compaction);
	checkGiven<CompactUIOptions>("compact the chat", options, {
		...BINDING,
		model: "anything",
		force: "boolean",
	});
	const messages = chat as unknown as readonly UiMessage[];
	const from = readUi(messages);
	const { tools, instructions, model } = options;
	const ask: Ask = {
		messages: from.messages,
		id: options.id,
		isFirst: true,
		model: idOfModel(model),
		overheadTokens:
			tools === undefined && instructions === undefined
				? undefined
				: await overheadOfAgent(engine.compactor, tools ?? {}, instructions),
		signal: options.signal,
		isStored: true,
		...(options.force === true ? { force: { trigger: "manual", detail: "The caller asked for it." } } : {}),
	};
	const { located, assessment } = await engine.prepare(ask);
	const overhead = ask.overheadTokens === undefined ? {} : { overheadTokens: ask.overheadTokens };
	const before = engine.compactor.assess(from.messages as never, overhead).tokens;
	const tokens = { before, after: assessment.tokens };
	if (located.view === from.messages)
		return { status: "unchanged", messages: [...chat], evicted: [], tokens: { before, after: before } };
	const view = located.view.map((message, index): ViewMessage => {
		const entry = entryAt(located, index);
		if (index < located.head || "kept" in entry) return { message, covers: 0 };
		const [only] = entry.of;
		const isSummary = summaryMarkOf(message) !== undefined;
		return {
			message,
			covers: isSummary ? entry.of.length : 0,
			original: isSummary || only === undefined ? undefined : located.at(only),
		};
	});
	const out = writeUi(messages, from, view) as unknown as Chat[];
	const stays = new Set(out);
	return { status: "compacted", messages: out, evicted: chat.filter((one) => !stays.has(one)), tokens };
}
