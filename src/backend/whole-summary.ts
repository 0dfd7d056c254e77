import { renderTranscript } from "../core/prompt/render-transcript.ts";
import { renderSections } from "../core/render/render-summary.ts";
import type { Sections, Template } from "../core/template/template.ts";
import { wellFormed } from "../core/text/well-formed.ts";
import { type Message, partsOf } from "../core/transcript/message.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { ask } from "./ask.ts";
import { type Committed, commit } from "./commit-candidate.ts";
import type { SummarizingBackend, SummaryRequest } from "./contract.ts";
import { describe } from "./describe.ts";
import { mostTokens, type SummaryJob } from "./job.ts";
import { type Bounds, type Candidate, readCandidate } from "./read-candidate.ts";
import type { Trail } from "./trail.ts";
import { windowOf } from "./window.ts";

/** Of a window that nobody divides for us, the transcript gets this share, in percent. */
const TRANSCRIPT_PERCENT = 75;

function invalid(name: string, found: string): CompactionError {
	return new CompactionError(
		"PLUGIN_INVALID",
		`Cannot summarize: the backend "${name}" answered ${found}; expected exactly one of { messages }, { sections } and { text }.`,
	);
}

/** The request, whose `transcript` is rendered when it is first read: many backends want the messages only. */
function requestOf(name: string, backend: SummarizingBackend, job: SummaryJob): SummaryRequest {
	let transcript: string | undefined;
	return {
		...job.request,
		get transcript(): string {
			if (transcript === undefined) {
				const window = windowOf(name, backend.limits);
				const share = Math.floor((window.tokens * TRANSCRIPT_PERCENT) / 100);
				const maxTokens = Math.min(job.options.transcriptMaxTokens ?? share, share);
				transcript = renderTranscript(job.request.messages, { maxTokens, countTokens: job.countTokens });
			}
			return transcript;
		},
	};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checked sections: those of the template, with entries that say something. */
function checkSections(name: string, value: unknown, template: Template, trail: Trail): Sections {
	if (!isRecord(value)) throw invalid(name, `{ sections } with ${describe(value)}`);
	const sections: Record<string, readonly string[]> = {};
	const outside: string[] = [];
	for (const [id, entries] of Object.entries(value)) {
		if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === "string"))
			throw invalid(name, `{ sections } whose "${id}" is ${describe(entries)} and no list of strings`);
		const said = (entries as readonly string[])
			.map((entry) => wellFormed(entry).trim())
			.filter((entry) => entry !== "");
		if (said.length === 0) continue;
		const section = template.sections.find((one) => one.id === id);
		if (section === undefined) outside.push(id);
		else sections[id] = said.slice(0, section.maxItems);
	}
	if (outside.length > 0 && Object.keys(sections).length === 0) {
		throw invalid(
			name,
			`{ sections } with nothing but ${outside.map((id) => `"${id}"`).join(", ")}, which the template "${template.name}" does not have`,
		);
	}
	if (outside.length > 0)
		trail.note(`"${name}" filled sections that the template does not have: ${outside.join(", ")}`);
	return sections;
}

/** The texts of the messages that a backend answers, as one. */
function joinMessages(name: string, value: unknown): string {
	if (!Array.isArray(value)) throw invalid(name, `{ messages } with ${describe(value)}`);
	const texts: string[] = [];
	for (const message of value as readonly unknown[]) {
		const content = isRecord(message) ? message.content : undefined;
		if (typeof content !== "string" && !Array.isArray(content))
			throw invalid(name, `{ messages } with ${describe(message)} among them, which is no message`);
		const text = partsOf(message as Message)
			.map((part) =>
				isRecord(part) && part.type === "text" && typeof part.text === "string" ? part.text : "",
			)
			.join("");
		if (text.trim() !== "") texts.push(text.trim());
	}
	return texts.join("\n\n");
}

/** The candidate that a text or a list of messages makes. */
function fromText(text: string, bounds: Bounds): Candidate | undefined {
	return readCandidate({ text }, bounds).candidate;
}

function fromSections(sections: Sections, bounds: Bounds): Candidate | undefined {
	if (Object.keys(sections).length === 0) return undefined;
	const text = renderSections(sections, bounds.template);
	const fits = bounds.measure(text) <= bounds.budgetTokens;
	return { shape: "sections", sections, source: "headings", text, fits, cutOff: false, empty: false };
}

function candidateOf(name: string, answer: unknown, bounds: Bounds, trail: Trail): Candidate | undefined {
	if (!isRecord(answer)) throw invalid(name, describe(answer));
	const given = ["messages", "sections", "text"].filter(
		(key) => Object.hasOwn(answer, key) && answer[key] !== undefined,
	);
	if (given.length !== 1) throw invalid(name, describe(answer));
	if (given[0] === "sections")
		return fromSections(checkSections(name, answer.sections, bounds.template, trail), bounds);
	if (given[0] === "messages") return fromText(joinMessages(name, answer.messages), bounds);
	if (typeof answer.text !== "string") throw invalid(name, `{ text } with ${describe(answer.text)}`);
	return fromText(answer.text, bounds);
}

/** What a backend that does the whole job made, and what it says about it. */
export interface WholeSummary {
	readonly committed: Committed;
	readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * One summary by a backend that does the whole job: its answer is checked, rendered and trimmed.
 * @throws CompactionError of the call; PLUGIN_INVALID for an answer of the wrong form; BLANK_SUMMARY for one that
 * says nothing; MALFORMED_SUMMARY and BUDGET_TOO_SMALL as for a model's
 */
export async function summarizeWhole(
	name: string,
	backend: SummarizingBackend,
	job: SummaryJob,
	trail: Trail,
): Promise<WholeSummary> {
	const { template } = job.request;
	const budgetTokens = mostTokens(job);
	const { parseOutput, malformed } = job.options;
	const cutTokens = job.request.budgetTokens;
	const bounds = { template, budgetTokens, cutTokens, measure: job.measure, parseOutput, structured: false };
	trail.call(name, "transcript", undefined);
	const answer: unknown = await ask({
		name,
		timeoutMs: backend.timeoutMs,
		signal: job.signal,
		run: (signal) =>
			backend.summarize(requestOf(name, backend, job), {
				signal,
				countTokens: job.countTokens,
				emit: (event) => job.emit({ ...event, name: `${name}.${event.name}` }),
			}),
	}).catch((error: unknown) => {
		// A call that failed was made all the same.
		trail.spending.add(1, undefined);
		throw error;
	});
	const extras = isRecord(answer) ? answer : {};
	const usage = isRecord(extras.usage) ? extras.usage : undefined;
	trail.spending.add(typeof usage?.calls === "number" && usage.calls >= 0 ? usage.calls : 1, usage);
	const candidate = candidateOf(name, answer, bounds, trail);
	if (candidate === undefined || candidate.empty) {
		throw new CompactionError(
			"BLANK_SUMMARY",
			`Cannot summarize: the backend "${name}" gave nothing to put in the place of the messages.`,
			{ retryable: true },
		);
	}
	if (candidate.shape === "raw" && malformed === "fail") {
		throw new CompactionError(
			"MALFORMED_SUMMARY",
			`Cannot summarize: the backend "${name}" answered without any of the template's sections. Set "malformed" to "raw" to keep the raw text.`,
		);
	}
	return {
		committed: { ...commit(candidate, bounds), source: "backend" },
		metadata: isRecord(extras.metadata) ? extras.metadata : {},
	};
}
