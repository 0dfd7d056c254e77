import { splitText, transcriptChunks } from "../core/prompt/render-transcript.ts";
import type { PromptSubject } from "../core/prompt/system-prompt.ts";
import type { UserPromptInput } from "../core/prompt/user-prompt.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { Committed } from "./commit-candidate.ts";
import type { GeneratingBackend, PreviousSummary } from "./contract.ts";
import { mostTokens, type SummaryJob } from "./job.ts";
import { mergeParts, type Part } from "./merge-parts.ts";
import type { Bounds } from "./read-candidate.ts";
import type { Trail } from "./trail.ts";
import { summarizeInTwoCalls } from "./two-calls.ts";
import { frameTokens, LEAST_ROOM, outputTokens, roomIn, type Window, windowOf } from "./window.ts";
import { isOverflow } from "./wrap-error.ts";

/** How often a window that turns out to be smaller than thought is halved. */
const MOST_HALVINGS = 6;
/** A stretch's summary may take this share of its text at most: three of them then fit one prompt. */
const PART_SHARE = 3;
const LEAST_PART = 64;

/** A model at work on one job. Its window shrinks when a prompt turns out to be too large for it. */
interface Work {
	readonly name: string;
	readonly backend: GeneratingBackend;
	readonly job: SummaryJob;
	readonly trail: Trail;
	readonly frames: Readonly<Record<PromptSubject, number>>;
	window: Window;
	halvings: number;
}

type Words = Omit<UserPromptInput, "rescue" | "text" | "subject">;

function wordsOf(job: SummaryJob, previous: PreviousSummary | undefined): Words {
	const { instructions, context } = job.request.guidance;
	return {
		...(instructions === undefined ? {} : { instructions }),
		...(context === undefined ? {} : { context }),
		...(previous === undefined ? {} : { previousSummary: previous.text }),
	};
}

/** Tokens of the prompts for each subject, without the text; a transcript's has an earlier summary beside it. */
function framesOf(
	backend: GeneratingBackend,
	job: SummaryJob,
	beside: PreviousSummary | undefined,
): Readonly<Record<PromptSubject, number>> {
	const { template } = job.request;
	const structured = backend.structured === true;
	const tokens = (subject: PromptSubject, previous?: PreviousSummary): number =>
		frameTokens({ template, subject, structured, prompt: wordsOf(job, previous) }, job.countTokens);
	return {
		transcript: tokens("transcript", beside),
		part: tokens("part"),
		summaries: tokens("summaries"),
	};
}

/** Tokens that one prompt has for text. */
function room({ window, job, frames }: Work, subject: PromptSubject): number {
	return roomIn(window, outputTokens(window, job.request.budgetTokens), frames[subject]);
}

/** Tokens of evicted messages that one prompt shows. */
function shownAtOnce(work: Work): number {
	const most = work.job.options.transcriptMaxTokens ?? Number.POSITIVE_INFINITY;
	// A transcript that does not fit as a whole is shown in parts, whose prompt is a little longer.
	return Math.min(most, room(work, "part"), room(work, "transcript"));
}

/** Asks for one summary: the one that is committed, or one that is merged further. */
async function call(
	work: Work,
	subject: PromptSubject,
	text: string,
	final: boolean,
	previous?: PreviousSummary,
): Promise<Committed> {
	const { name, backend, job, trail, window } = work;
	const budgetTokens = final ? job.request.budgetTokens : partBudget(work);
	const maxOutputTokens = outputTokens(window, budgetTokens);
	return summarizeInTwoCalls({
		name,
		backend,
		// Whether nothing at all is enough is judged on the whole, not on a stretch of it.
		options: final ? job.options : { ...job.options, empty: "accept" },
		signal: job.signal,
		bounds: final ? finalBounds(job) : partBounds(job, budgetTokens),
		figureTokens: Math.min(budgetTokens, maxOutputTokens),
		maxOutputTokens,
		prompt: { subject, text, ...wordsOf(job, previous) },
		trail,
	});
}

function finalBounds(job: SummaryJob): Omit<Bounds, "structured"> {
	const { template } = job.request;
	const budgetTokens = mostTokens(job);
	const cutTokens = job.request.budgetTokens;
	return { template, budgetTokens, cutTokens, measure: job.measure, parseOutput: job.options.parseOutput };
}

function partBounds(job: SummaryJob, budgetTokens: number): Omit<Bounds, "structured"> {
	const template = { ...job.request.template, header: "" };
	return { template, budgetTokens, measure: job.countTokens, parseOutput: job.options.parseOutput };
}

/** Takes the window for half as large; false where that is no way out. */
function shrink(work: Work): boolean {
	if (work.halvings >= MOST_HALVINGS) return false;
	const tokens = Math.floor(work.window.tokens / 2);
	const window = windowOf(work.name, {
		windowTokens: Math.max(1, tokens),
		maxOutputTokens: work.window.maxOutputTokens,
	});
	if (room({ ...work, window }, "part") < LEAST_ROOM) return false;
	work.window = window;
	work.halvings += 1;
	work.trail.note(
		`a prompt was too large for the model of "${work.name}": its window is taken for ${tokens} tokens`,
	);
	return true;
}

function* after(first: string, second: string, rest: Iterable<string>): Generator<string> {
	yield first;
	yield second;
	yield* rest;
}

/** A text that was cut for a larger window, cut anew; itself where it fits, or cannot be cut. */
function recut(work: Work, text: string): readonly string[] {
	const { countTokens } = work.job;
	const maxTokens = shownAtOnce(work);
	if (work.halvings === 0 || countTokens(text) <= maxTokens) return [text];
	return [...splitText(text, { maxTokens, countTokens })].map((piece) => piece.text);
}

/** The summaries of all stretches, in order. */
async function summarizeParts(work: Work, chunks: Iterable<string>): Promise<Part[]> {
	const parts: Part[] = [];
	for (const chunk of chunks) {
		const waiting = [...recut(work, chunk)];
		for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
			try {
				const part = await call(work, "part", text, false);
				if (part.trimmed) work.trail.note(`the summary of part ${parts.length + 1} was trimmed`);
				parts.push(part);
			} catch (error) {
				if (!isOverflow(error) || !shrink(work)) throw error;
				waiting.splice(0, waiting.length, ...[text, ...waiting].flatMap((one) => recut(work, one)));
			}
		}
	}
	return parts;
}

function partBudget(work: Work): number {
	const share = Math.floor(shownAtOnce(work) / PART_SHARE);
	return Math.min(work.job.request.budgetTokens, Math.max(LEAST_PART, share));
}

function partOf(previous: PreviousSummary, job: SummaryJob): Part {
	const first = job.request.template.sections[0]?.id ?? "";
	const known = Object.values(previous.sections).some((entries) => entries.length > 0);
	return {
		text: previous.text,
		sections: known ? previous.sections : { [first]: [previous.text] },
		source: "headings",
		degraded: false,
		trimmed: false,
	};
}

/**
 * One summary by a model: in one prompt where its window takes the messages, else in as many as needed, merged.
 * @throws CompactionError of the calls; BACKEND_FAILED where the window has no room for any text
 */
export async function summarizeByModel(
	name: string,
	backend: GeneratingBackend,
	job: SummaryJob,
	trail: Trail,
): Promise<Committed> {
	const { messages, previousSummary } = job.request;
	const window = windowOf(name, backend.limits);
	const workWith = (beside: PreviousSummary | undefined): Work => {
		const frames = framesOf(backend, job, beside);
		return { name, backend, job, trail, frames, window, halvings: 0 };
	};
	let beside = previousSummary;
	let work = workWith(beside);
	if (room(work, "transcript") < LEAST_ROOM && previousSummary !== undefined) {
		// An earlier summary that would fill the window alone is merged afterwards.
		beside = undefined;
		work = workWith(undefined);
	}
	if (room(work, "part") < LEAST_ROOM) {
		throw new CompactionError(
			"BACKEND_FAILED",
			`Cannot summarize: the window of the backend "${name}" (${window.tokens} tokens) has no room for messages beside the prompt and the answer. Use a model with a larger window, or less guidance.`,
		);
	}
	const shown = {
		get maxTokens(): number {
			return shownAtOnce(work);
		},
		countTokens: job.countTokens,
	};
	const chunks = transcriptChunks(messages, shown);
	const first = chunks.next().value ?? "";
	const second = chunks.next();
	if (second.done === true && beside === previousSummary) {
		try {
			return await call(work, "transcript", first, true, beside);
		} catch (error) {
			if (!isOverflow(error) || !shrink(work)) throw error;
		}
	}
	const parts = await summarizeParts(
		work,
		second.done === true ? [first] : after(first, second.value, chunks),
	);
	trail.note(`the evicted messages were shown to "${name}" in ${parts.length} parts`);
	return mergeParts(previousSummary === undefined ? parts : [partOf(previousSummary, job), ...parts], {
		name,
		bounds: { ...finalBounds(job), structured: false },
		options: job.options,
		roomTokens: room(work, "summaries"),
		countTokens: job.countTokens,
		trail,
		merge: (text, final) => call(work, "summaries", text, final),
	});
}
