import type { ModelMessage } from "ai";
import type { CompactionReason } from "../backend/contract.ts";
import { statusOf } from "../backend/wrap-error.ts";
import { isCompactionError } from "../errors/compaction-error.ts";
import type { CompactionResult } from "../result/compaction-result.ts";
import type { ArchivedMessage } from "./archive.ts";
import type { CompactionRecord } from "./compaction-state.ts";
import type { Ask, Engine, Look } from "./engine.ts";
import { entryAt, foldRecord, type Located } from "./locate.ts";
import type { Conversation } from "./memory.ts";

/** What one pass in an agent is made of. */
export interface Attempt {
	readonly ask: Ask;
	readonly conversation: Conversation;
	readonly look: Look;
	readonly reason: CompactionReason;
	/** By the compactor's own count. */
	readonly targetTokens: number;
	readonly when: "now" | "ahead" | "rescue";
	readonly signal: AbortSignal;
}

/** What came of it: a result, with the record that was committed, or what it failed with. */
export interface Outcome {
	readonly result?: CompactionResult;
	readonly record?: CompactionRecord;
	readonly error?: unknown;
}

/** Answers that stay the same until somebody changes a key, a name or a plan. */
const LASTING = new Set([401, 402, 403, 404]);

/** Whether the same try fails again for sure: a key, a package or a setting is wrong, and no answer was. */
function isHopeless(error: unknown): boolean {
	if (!isCompactionError(error)) return false;
	const { code, cause, retryable } = error;
	if (code === "MISSING_BACKEND" || code === "CONFIG_INVALID" || code.startsWith("PLUGIN_")) return true;
	if (code !== "BACKEND_FAILED" || retryable) return false;
	if (cause === undefined) return true;
	return LASTING.has(statusOf(cause) ?? 0) || (cause instanceof Error && cause.name.startsWith("AI_Load"));
}

/** The originals among what a pass evicted; an earlier summary is none. */
function originalsOf(located: Located, result: CompactionResult, id: string | undefined): ArchivedMessage[] {
	const stays = new Set(result.provenance.flatMap((from) => ("kept" in from ? from.kept : [])));
	const found: ArchivedMessage[] = [];
	for (let index = located.head; index < located.view.length; index += 1) {
		if (stays.has(index)) continue;
		const entry = entryAt(located, index);
		const message = "kept" in entry ? located.at(entry.kept) : undefined;
		if (message === undefined || !("kept" in entry)) continue;
		found.push({ index: entry.kept, message, ...(id === undefined ? {} : { id }) });
	}
	return found;
}

async function archive(engine: Engine, { ask, look }: Attempt, result: CompactionResult): Promise<void> {
	try {
		await engine.options.archive?.add(originalsOf(look.located, result, ask.id));
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const event = { type: "failed", stage: "archive", code: "HOST_FAILED", message, error } as const;
		engine.tell({ ...event, action: "kept" }, ask.id);
	}
}

function tellFailure(engine: Engine, { ask, look }: Attempt, error: unknown, isCancelled: boolean): void {
	const { tokens, windowTokens } = look.assessment;
	const { onFailure } = engine.options;
	const isKept = onFailure === "keep" && tokens <= windowTokens;
	const action = isCancelled || onFailure === "throw" ? "thrown" : isKept ? "kept" : "trimmed";
	const code = isCancelled ? "CANCELLED" : isCompactionError(error) ? error.code : "UNKNOWN";
	const message = error instanceof Error ? error.message : String(error);
	engine.tell({ type: "failed", stage: "pass", code, message, error, action }, ask.id);
}

/**
 * Runs one pass for an agent: tells of it, commits its record, keeps the originals and the state. What fails is an
 * outcome, and backed off from; nothing is committed then. @throws only where the pass was stopped
 */
export async function attempt(engine: Engine, made: Attempt): Promise<Outcome> {
	const { ask, conversation, look, reason, when, signal } = made;
	const { located, assessment } = look;
	const { tokens, windowTokens, scale } = assessment;
	engine.tell({ type: "started", when, ...reason, tokens, windowTokens }, ask.id);
	let result: CompactionResult;
	try {
		result = await engine.compactor.compact(located.view as readonly ModelMessage[], {
			signal,
			reason,
			targetTokens: made.targetTokens,
			...(ask.overheadTokens === undefined ? {} : { overheadTokens: ask.overheadTokens }),
			...(engine.options.guidance === undefined ? {} : { guidance: engine.options.guidance }),
			onPassEvent: ({ name, ...detail }) => engine.tell({ type: "progress", name, detail }, ask.id),
		});
	} catch (error) {
		tellFailure(engine, made, error, signal.aborted);
		if (signal.aborted) throw error;
		conversation.backOff(located.first, located.length, isHopeless(error));
		await engine.memory.save(conversation);
		return { error };
	}
	const record = result.status === "compacted" ? foldRecord(located, result) : undefined;
	if (record !== undefined) conversation.commit(record);
	else conversation.backOff(located.first, located.length, false);
	if (result.status === "compacted") await archive(engine, made, result);
	await engine.memory.save(conversation);
	engine.tell(
		{
			type: "finished",
			status: result.status,
			...(result.unchanged === undefined ? {} : { unchanged: result.unchanged }),
			tokens: {
				before: tokens,
				after: result.status === "compacted" ? Math.round(result.tokens.after * scale) : tokens,
			},
			usage: result.usage,
			...(result.summary === undefined ? {} : { summary: result.summary.text }),
			evicted: originalsOf(located, result, ask.id).length,
		},
		ask.id,
	);
	return { result, ...(record === undefined ? {} : { record }) };
}
