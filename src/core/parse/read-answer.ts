import { ENDING, OPENING } from "../render/fixed-lines.ts";
import type { Sections, SummarySection, Template } from "../template/template.ts";
import { wellFormed } from "../text/well-formed.ts";
import { settle } from "./gathered.ts";
import { isToolCall } from "./is-tool-call.ts";
import { knownSections } from "./known-sections.ts";
import { parseStrict } from "./lenient-json.ts";
import { readHeadings } from "./read-headings.ts";
import { type JsonSummary, readJson } from "./read-json.ts";
import { readRender } from "./read-render.ts";
import type { HeadingSummary } from "./section-lists.ts";
import { isBlankText, visibleText } from "./visible-text.ts";

/** What a model's answer is. */
export type Answer =
	| {
			readonly kind: "summary";
			readonly sections: Sections;
			readonly source: "json" | "headings";
			/** Whether it says, in good form, that there is nothing to say. */
			readonly empty: boolean;
			/** The section whose last entry is the last of the answer, which a cut-off leaves unfinished. */
			readonly lastEntry?: SummarySection;
	  }
	/** Nothing to read: white space, thinking, a tool call. */
	| { readonly kind: "blank" }
	/** No section is recognized. `text` is the answer without what its reader is not meant to see. */
	| { readonly kind: "malformed"; readonly text: string };

/** Whether the JSON is the answer, and not something that an answer with headings quotes. */
function isAnswer(json: JsonSummary, headings: HeadingSummary): boolean {
	const { first, last } = headings;
	return first === undefined || last === undefined || (first >= json.start && last < json.end);
}

function withoutEnvelope(text: string): string {
	const bare = text.trim();
	if (!bare.startsWith(OPENING)) return text;
	const inner = bare.slice(OPENING.length, bare.endsWith(ENDING) ? -ENDING.length : undefined);
	return inner.replace(/^\n\n/, "").replace(/\n\n$/, "");
}

const FENCED = /^```\w{0,20}\n([\s\S]*)\n```$/;

/** The text of an answer that is an object with one text in it: { "summary": "### Key facts …" }. */
function wrappedText(text: string): string | undefined {
	const trimmed = text.trim();
	const bare = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
	if (!bare.startsWith("{") || !bare.endsWith("}")) return undefined;
	const [only, ...others] = Object.values((parseStrict(bare) ?? {}) as object);
	return typeof only === "string" && others.length === 0 ? only : undefined;
}

/** Reads what a model answered: JSON first, then headings. It never throws, and takes linear time. */
export function readAnswer(answer: string, template: Template): Answer {
	const known = knownSections(template);
	const plain = wellFormed(answer).replace(/\r\n?/g, "\n");
	const text = withoutEnvelope(visibleText(plain, known));
	// First as it stands: a tag that an entry of a render quotes hides nothing.
	const rendered = readRender(withoutEnvelope(plain), known) ?? readRender(text, known);
	if (rendered !== undefined) {
		const settled = settle(rendered, known, true);
		if (!settled.filled || settled.fits) {
			const last = [...rendered.keys()].at(-1);
			return summary(settled.sections, "headings", !settled.filled, last);
		}
	}
	if (isBlankText(text)) return { kind: "blank" };

	const headings = readHeadings(text, known);
	const brace = text.indexOf("{");
	if (brace !== -1 && (headings.first === undefined || headings.first > brace)) {
		const json = readJson(text, known);
		if (json !== undefined && isAnswer(json, headings)) {
			const settled = settle(json.lists, known, false);
			if (!settled.filled || settled.fits)
				return summary(settled.sections, "json", !settled.filled, json.cutOff ? json.last : undefined);
		}
	}
	const settled = settle(headings.lists, known, false);
	const hadEntries = headings.first !== undefined;
	if (settled.fits || (headings.recognized && !settled.filled && (hadEntries || !headings.hasRemarks)))
		return summary(settled.sections, "headings", !settled.filled, headings.lastSection);
	const inner = wrappedText(text);
	const read = inner === undefined ? undefined : readAnswer(inner, template);
	if (read?.kind === "summary") return read;
	return isToolCall(text) ? { kind: "blank" } : { kind: "malformed", text: text.trim() };
}

function summary(
	sections: Sections,
	source: "json" | "headings",
	empty: boolean,
	last: SummarySection | undefined,
): Answer {
	return { kind: "summary", sections, source, empty, ...(last === undefined ? {} : { lastEntry: last }) };
}
