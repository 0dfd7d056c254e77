import type { CompactionResult } from "../result/compaction-result.ts";
import type { PassFigures } from "./compact.ts";
import type { CompactionEvent } from "./create-compactor.ts";
import { startRecording } from "./open-telemetry.ts";

/** Hears what happens in passes. */
export type EventListener = (event: CompactionEvent) => void;

/** What a pass tells. Nothing that a listener or an exporter does can harm it. */
export interface PassTelemetry {
	/** Tells an event under way. */
	emit(event: CompactionEvent): void;
	/** Tells what was committed, or why nothing was. */
	finish(result: CompactionResult, figures: PassFigures): void;
	/** Tells that the pass failed. */
	fail(error: unknown): void;
}

/** The event of a pass. */
export const PASS_EVENT = "precis.compaction.pass";
/** The event of a template's section, one for each in a pass that committed a summary. */
export const SECTIONS_EVENT = "precis.compaction.structured.sections";

function safely(listener: EventListener | undefined): EventListener {
	return (event) => {
		try {
			// A listener may be async all the same; its rejection is its own affair.
			const returned: unknown = listener?.(event);
			if (returned instanceof Promise) returned.catch(() => undefined);
		} catch {
			// Telemetry never decides over a pass.
		}
	};
}

function sectionEvents(result: CompactionResult, figures: PassFigures): CompactionEvent[] {
	const { summary } = result;
	if (result.status !== "compacted" || summary === undefined) return [];
	return figures.sectionIds.map((section) => {
		const entries = Object.hasOwn(summary.sections, section) ? summary.sections[section] : undefined;
		return { name: SECTIONS_EVENT, section, state: (entries?.length ?? 0) > 0 ? "populated" : "empty" };
	});
}

function passEvent(
	result: CompactionResult,
	figures: PassFigures,
	sections: readonly CompactionEvent[],
): CompactionEvent {
	const { status, unchanged, reason, summary, tokens, usage, replaced } = result;
	return {
		name: PASS_EVENT,
		outcome: status,
		...(unchanged === undefined ? {} : { unchanged }),
		trigger: reason?.trigger ?? "manual",
		replaced,
		tokensBefore: tokens.before,
		tokensAfter: tokens.after,
		tokensTarget: tokens.target,
		...usage,
		...(summary === undefined
			? {}
			: {
					source: summary.source,
					retries: summary.retries,
					trimmed: summary.trimmed,
					empty: summary.empty,
					degraded: figures.degraded,
					populated: sections.filter(({ state }) => state === "populated").length,
					summaryBudget: tokens.summaryBudget,
				}),
	};
}

function failEvent(error: unknown): CompactionEvent {
	const { code, message, retryable } = (error ?? {}) as {
		readonly code?: unknown;
		readonly message?: unknown;
		readonly retryable?: unknown;
	};
	return {
		name: PASS_EVENT,
		outcome: code === "CANCELLED" ? "cancelled" : "failed",
		code: typeof code === "string" ? code : "UNKNOWN",
		message: typeof message === "string" ? message : String(error),
		retryable: retryable === true,
	};
}

/**
 * Opens the telemetry of one pass: events to the listener, and the same as OpenTelemetry counters and one span
 * where the host has registered a provider. Where neither is there, it costs nothing.
 */
export async function startPass(
	...listeners: readonly (EventListener | undefined)[]
): Promise<PassTelemetry> {
	const safe = listeners.map(safely);
	const tell: EventListener = (event) => {
		for (const listener of safe) listener(event);
	};
	const recording = await startRecording();
	return {
		emit: tell,
		finish(result, figures) {
			const sections = sectionEvents(result, figures);
			const pass = passEvent(result, figures, sections);
			for (const event of [...sections, pass]) tell(event);
			recording?.finish(sections, pass);
		},
		fail(error) {
			const pass = failEvent(error);
			tell(pass);
			recording?.fail(pass, error);
		},
	};
}
