import type { CompactionReason, Guidance } from "../backend/contract.ts";
import type { NamedBackend } from "../backend/job.ts";
import type { Draft } from "../core/edits/draft.ts";
import type { TemplateDefinition } from "../core/template/template.ts";
import type { TokenAccount } from "../core/transcript/account.ts";
import type { Message } from "../core/transcript/message.ts";
import type { CommittedSummary, LogEntry, PassUsage } from "../result/compaction-result.ts";

/** What a pass is given; it is the same for every step. */
export interface PassInput {
	readonly messages: readonly Message[];
	readonly reason: CompactionReason;
	readonly guidance: Guidance;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly targetTokens: number;
	/** Tokens of tools and instructions that are sent beside the transcript. */
	readonly overheadTokens: number;
	readonly minProgress: number;
	readonly signal: AbortSignal;
	readonly account: TokenAccount;
	/** Tokens of a text by the compactor's own counter. */
	countText(text: string): number;
	readonly templates: Readonly<Record<string, TemplateDefinition>>;
	/** The backends in the order in which they are tried; undefined means that nothing may be called (a plan). */
	backends(): Promise<readonly NamedBackend[]>;
	/** Whether summaries are only planned: a stand-in of the full budget takes their place. */
	readonly dryRun: boolean;
	emit(event: { readonly name: string; readonly [field: string]: unknown }): void;
}

/** What a pass has gathered so far. What a failed branch spent stays counted. */
export interface PassRecord {
	readonly log: LogEntry[];
	usage: PassUsage;
	metadata: Record<string, unknown>;
	/** By the message that carries it. */
	readonly summaries: Map<Message, SummaryRecord>;
}

/** A summary in the draft. */
export interface SummaryRecord {
	readonly summary: CommittedSummary;
	readonly budgetTokens: number;
	readonly degraded: boolean;
	/** The template's section ids, in its order. */
	readonly sectionIds: readonly string[];
	/** Tokens that a stand-in counts for; absent for real summaries. */
	readonly standInTokens?: number;
}

/** A pass under way. */
export interface Pass extends PassInput {
	readonly record: PassRecord;
}

/** Tokens that a message counts for in a plan instead of its own: those of a summary that is yet to be made. */
function standInTokens(pass: Pass, draft: Draft, index: number): number | undefined {
	const message = draft.messages[index];
	// Only inserted summaries can be stand-ins.
	return message === undefined || (draft.source[index] ?? 0) >= 0
		? undefined
		: pass.record.summaries.get(message)?.standInTokens;
}

/** Tokens of each message of a draft, overhead not among them. */
export function tokensOf(pass: Pass, draft: Draft): (index: number) => number {
	const tokens = pass.account.list(draft.messages);
	return (index) => standInTokens(pass, draft, index) ?? tokens[index] ?? 0;
}

/** Tokens of the messages at some indices, not rounded. */
export function sumTokens(indices: readonly number[], tokensAt: (index: number) => number): number {
	let sum = 0;
	for (const index of indices) sum += tokensAt(index);
	return sum;
}

/** Tokens of the whole draft, overhead included, rounded down once. */
export function draftTokens(pass: Pass, draft: Draft): number {
	if (!pass.dryRun || draft.summaries.length === 0)
		return pass.account.total(draft.messages) + pass.overheadTokens;
	let standIns = 0;
	const real = draft.messages.filter((_, index) => {
		const tokens = standInTokens(pass, draft, index);
		standIns += tokens ?? 0;
		return tokens === undefined;
	});
	return pass.account.total(real) + standIns + pass.overheadTokens;
}

/** Adds up what calls cost; a figure that nobody reported stays absent. */
export function addUsage(left: PassUsage, right: PassUsage): PassUsage {
	const sum = (a: number | undefined, b: number | undefined): number | undefined =>
		a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
	const inputTokens = sum(left.inputTokens, right.inputTokens);
	const outputTokens = sum(left.outputTokens, right.outputTokens);
	const costUSD = sum(left.costUSD, right.costUSD);
	return {
		calls: left.calls + right.calls,
		...(inputTokens === undefined ? {} : { inputTokens }),
		...(outputTokens === undefined ? {} : { outputTokens }),
		...(costUSD === undefined ? {} : { costUSD }),
	};
}
