import type { TokenAccount } from "./account.ts";
import type { Message } from "./message.ts";

/** What a caller may tell of what a provider reported. Anything may stand here; what makes no sense is ignored. */
export interface ReportedUsage {
	/** The usage of the last step: `{ inputTokens }`. Never the total over all steps. */
	readonly usage?: unknown;
	/** The steps so far, the AI SDK's own or `{ inputTokens }` each; the last one counts, and wins over `usage`. */
	readonly steps?: readonly unknown[];
}

/** The size of the next request, and how far the counter was off. */
export interface CorrectedTokens {
	/** Tokens of the next request, overhead included, rounded down. */
	readonly tokens: number;
	/** What to multiply estimates by to get tokens as the provider counts them; 1 where nothing usable was reported. */
	readonly scale: number;
}

/** Corrects estimates by what providers reported. */
export interface UsageMemory {
	/**
	 * @param overheadTokens of tools and instructions that are sent beside the transcript; a report includes them
	 * @param transcriptTokens the account's figure for the messages; its running total by default
	 */
	correct(
		messages: readonly Message[],
		overheadTokens: number,
		reported: ReportedUsage,
		transcriptTokens?: number,
	): CorrectedTokens;
}

/**
 * An estimate that is off by more is not the counter's fault: the report is of something else, or nearly all of it
 * is overhead that nobody named.
 */
const MAX_SCALE = 8;
const MIN_SCALE = 1 / 4;
/** How far a report may stretch messages that it says nothing of: those that came after it. */
const MAX_NEW_SCALE = 2;

/** A report and the estimate of what was sent when it was first seen. */
interface Report {
	readonly inputTokens: number;
	readonly estimate: number;
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

function own(value: unknown, key: string): unknown {
	if (typeof value !== "object" || value === null) return undefined;
	// Steps of the AI SDK are objects of a class whose fields may be getters.
	return key in value ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

/** The input tokens of a usage record, flat or with details; undefined where it is no number above 0. */
function inputTokensOf(usage: unknown): number | undefined {
	const flat = own(usage, "inputTokens");
	const tokens = typeof flat === "object" ? own(flat, "total") : flat;
	return typeof tokens === "number" && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
}

/**
 * The real input tokens of the last step that reported any; undefined where none did, or where they make no sense.
 * Steps that reported nothing are passed over: an older figure is nearer to the truth than none.
 */
export function reportedInputTokens({ usage, steps }: ReportedUsage): number | undefined {
	if (steps === undefined || steps.length === 0) return inputTokensOf(usage);
	for (let index = steps.length - 1; index >= 0; index -= 1) {
		const tokens = inputTokensOf(own(steps[index], "usage")) ?? inputTokensOf(steps[index]);
		if (tokens !== undefined) return tokens;
	}
	return undefined;
}

/** How many messages the last request had: what an assistant answered, and what came after, was not in it. */
function lastAnswer(messages: readonly Message[]): number {
	for (let index = messages.length - 1; index >= 0; index -= 1) {
		if (messages[index]?.role === "assistant") return index;
	}
	return messages.length;
}

/**
 * Makes a memory of reports. A report is bound to the answer that it came with, and is remembered with it, weakly:
 * when a transcript is made shorter, the old report says how far the counter is off, and no longer how full the
 * window is, so that a pass is not asked for again on a stale figure.
 */
export function createUsageMemory(account: TokenAccount): UsageMemory {
	const reports = new WeakMap<Message, Report>();

	function reportFor(answer: Message | undefined, inputTokens: number, estimate: number): Report {
		const known = answer === undefined ? undefined : reports.get(answer);
		if (known?.inputTokens === inputTokens) return known;
		const report = { inputTokens, estimate };
		if (answer !== undefined) reports.set(answer, report);
		return report;
	}

	return {
		correct(messages, overheadTokens, reported, transcriptTokens = account.running(messages)) {
			const inputTokens = reportedInputTokens(reported);
			const all = transcriptTokens + overheadTokens;
			if (inputTokens === undefined || all <= 0) return { tokens: Math.floor(all), scale: 1 };
			const answered = lastAnswer(messages);
			let added = 0;
			for (let index = answered; index < messages.length; index += 1) {
				const message = messages[index];
				if (message !== undefined) added += account.of(message);
			}
			const sent = Math.max(1, all - added);
			const report = reportFor(messages[answered], inputTokens, sent);
			const off = report.inputTokens / report.estimate;
			// Nothing was taken away since: the report itself is the size of what was sent.
			const base = sent >= report.estimate ? report.inputTokens + (sent - report.estimate) : sent * off;
			const tokens = Math.floor(base + added * clamp(off, 1 / MAX_NEW_SCALE, MAX_NEW_SCALE));
			return { tokens, scale: clamp(tokens / all, MIN_SCALE, MAX_SCALE) };
		},
	};
}
