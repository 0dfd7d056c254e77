import { knownSections } from "../core/parse/known-sections.ts";
import { readAnswer } from "../core/parse/parse-summary.ts";
import { visibleText } from "../core/parse/visible-text.ts";
import { continuesTranscript } from "../core/prompt/continues-transcript.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";
import { renderSections } from "../core/render/render-summary.ts";
import type { Sections, Template } from "../core/template/template.ts";
import type { GenerateAnswer } from "./contract.ts";
import type { Fault } from "./job.ts";

/** What an answer is held to. */
export interface Bounds {
	readonly template: Template;
	/** The most that a render may measure. */
	readonly budgetTokens: number;
	/** What a render that is over that is cut to, where it is less. */
	readonly cutTokens?: number;
	measure(render: string): number;
	readonly parseOutput: boolean;
	/** Whether the answer was asked for by a schema. */
	readonly structured: boolean;
}

/** An answer that could be committed, perhaps after a cut. */
export interface Candidate {
	/** Read into sections; carried raw as one entry; or carried as it is below the header. */
	readonly shape: "sections" | "raw" | "body";
	readonly sections: Sections;
	readonly source: "json" | "headings" | "raw";
	/** The render. */
	readonly text: string;
	readonly fits: boolean;
	/** Whether its end is missing. */
	readonly cutOff: boolean;
	/** Whether it says, in good form, that there is nothing to say. */
	readonly empty: boolean;
}

/** An answer as it was read: what is wrong with it, and what could be committed of it. */
export interface Reading {
	readonly fault?: Fault;
	readonly candidate?: Candidate;
}

function hasEntries(sections: Sections): boolean {
	return Object.values(sections).some((entries) => entries.length > 0);
}

/** Sections without the entry at which a cut-off answer ended, which nobody can tell to be whole. */
function withoutLastEntry(sections: Sections, last: string): Sections {
	return { ...sections, [last]: (sections[last] ?? []).slice(0, -1) };
}

/** A raw text that broke off, up to where its last line or sentence ended. */
function withoutLastSentence(text: string): string {
	const line = text.trimEnd().lastIndexOf("\n");
	if (line > 0) return text.slice(0, line).trimEnd();
	const ends = [". ", "! ", "? ", "。", "！", "？"].map((end) => text.lastIndexOf(end));
	const last = Math.max(...ends);
	return last > 0 ? text.slice(0, last + 1) : text;
}

/** A raw text without the header that it repeats: carried below the header, one would be added in every pass. */
function withoutHeader(text: string, header: string): string {
	const title = header.trim();
	let rest = text.trim();
	while (title !== "" && rest.startsWith(title)) rest = rest.slice(title.length).trimStart();
	return rest;
}

function body(text: string, bounds: Bounds): string {
	return `${bounds.template.header}\n\n${text}`;
}

function makeCandidate(
	parts: Pick<Candidate, "shape" | "sections" | "source" | "cutOff" | "empty">,
	text: string,
	bounds: Bounds,
): Candidate {
	const fits = bounds.measure(parts.cutOff ? `${text}${CUT_MARK}` : text) <= bounds.budgetTokens;
	return { ...parts, text, fits };
}

function faultOf(candidate: Candidate, otherwise: Fault | undefined): { fault?: Fault } {
	if (candidate.cutOff) return { fault: "cut-off" };
	if (!candidate.fits) return { fault: "over-budget" };
	return otherwise === undefined ? {} : { fault: otherwise };
}

/** Reads a model's answer: what is wrong with it, and what could be committed of it. */
export function readCandidate(answer: GenerateAnswer, bounds: Bounds): Reading {
	if (answer.finishReason === "content-filter") return { fault: "blank" };
	const cutOff = answer.finishReason === "length" || answer.finishReason === "error";
	const { template } = bounds;
	const read = readAnswer(answer.text, template);
	if (read.kind === "blank") return { fault: "blank" };
	if (read.kind === "malformed" && continuesTranscript(read.text)) return { fault: "blank" };
	if (!bounds.parseOutput) {
		const text = withoutHeader(visibleText(answer.text, knownSections(template)), template.header);
		if (text === "") return { fault: "blank" };
		const candidate = makeCandidate(
			{ shape: "body", sections: {}, source: "raw", cutOff, empty: false },
			body(cutOff ? withoutLastSentence(text) : text, bounds),
			bounds,
		);
		return { candidate, ...faultOf(candidate, undefined) };
	}
	if (read.kind === "malformed") {
		const first = template.sections[0]?.id ?? "";
		const text = withoutHeader(read.text, template.header);
		if (text === "") return { fault: "blank" };
		const sections = { [first]: [cutOff ? withoutLastSentence(text) : text] };
		const candidate = makeCandidate(
			{ shape: "raw", sections, source: "raw", cutOff, empty: false },
			renderSections(sections, template),
			bounds,
		);
		return { candidate, ...faultOf(candidate, bounds.structured ? "unstructured" : "malformed") };
	}
	// JSON that is complete has lost nothing, whatever the output limit says.
	const unfinished = cutOff && (read.source === "headings" || read.lastEntry !== undefined);
	const { lastEntry } = read;
	const sections =
		unfinished && lastEntry !== undefined ? withoutLastEntry(read.sections, lastEntry) : read.sections;
	const empty = read.empty || !hasEntries(sections);
	if (empty && unfinished) return { fault: "cut-off" };
	const candidate = makeCandidate(
		{ shape: "sections", sections, source: read.source, cutOff: unfinished, empty },
		renderSections(sections, template),
		bounds,
	);
	return { candidate, ...faultOf(candidate, empty ? "empty" : undefined) };
}
