import { mergeSections } from "../core/merge-sections.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";
import { renderSections } from "../core/render/render-summary.ts";
import type { Sections } from "../core/template/template.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { type Committed, commit } from "./commit-candidate.ts";
import type { SummaryJobOptions } from "./job.ts";
import type { Bounds, Candidate } from "./read-candidate.ts";
import type { Trail } from "./trail.ts";

/** The summary of one stretch. */
export interface Part {
	/** Its render, without a header. */
	readonly text: string;
	readonly sections: Sections;
	readonly source: Committed["source"];
	readonly degraded: boolean;
	/** Whether its end is missing; then the text says so on its last line. */
	readonly trimmed: boolean;
}

/** What a merge may use. */
export interface Merging {
	readonly name: string;
	readonly bounds: Bounds;
	readonly options: SummaryJobOptions;
	/** Tokens that one prompt has for summaries. */
	readonly roomTokens: number;
	countTokens(text: string): number;
	readonly trail: Trail;
	/** Has the model merge summaries: into the one that is committed, or into one that is merged further. */
	merge(text: string, final: boolean): Promise<Committed>;
}

/** The text of a part without the mark that it was cut. */
function textOf({ text }: Part): string {
	const trimmed = text.trim();
	return trimmed.endsWith(CUT_MARK.trim()) ? trimmed.slice(0, -CUT_MARK.trim().length).trimEnd() : trimmed;
}

/** All parts side by side, with no call: every entry once, in order. */
function sideBySide(parts: readonly Part[], bounds: Bounds): Candidate & { readonly tooMany: boolean } {
	const { template, parseOutput } = bounds;
	const sections = mergeSections(
		template,
		parts.map((part) => part.sections),
	);
	const empty = parseOutput && Object.keys(sections).length === 0;
	const text = parseOutput
		? renderSections(sections, template)
		: [template.header, ...parts.map(textOf)].join("\n\n");
	// What a part has lost is missing from all of it.
	const cutOff = parts.some((part) => part.trimmed);
	const source = parts.map((part) => part.source).findLast((one) => one === "json" || one === "headings");
	return {
		shape: parseOutput ? "sections" : "body",
		sections,
		source: source === "json" || source === "headings" ? source : "raw",
		text,
		fits: bounds.measure(cutOff ? `${text}${CUT_MARK}` : text) <= bounds.budgetTokens,
		cutOff,
		empty,
		tooMany: template.sections.some(({ id, maxItems }) => (sections[id]?.length ?? 0) > maxItems),
	};
}

/** Parts in groups, each of which fits one prompt. */
function inGroups(parts: readonly Part[], merging: Merging): Part[][] {
	const groups: Part[][] = [];
	let used = 0;
	for (const part of parts) {
		const tokens = Math.ceil(merging.countTokens(label(part, 0)));
		const last = groups.at(-1);
		if (last === undefined || used + tokens > merging.roomTokens) {
			groups.push([part]);
			used = tokens;
		} else {
			last.push(part);
			used += tokens;
		}
	}
	return groups;
}

function label(part: Part, index: number): string {
	return `Stretch ${index + 1}:\n${textOf(part)}\n\n`;
}

function isCancelled(error: unknown): boolean {
	return isCompactionError(error) && error.code === "CANCELLED";
}

function commitSideBySide(parts: readonly Part[], merging: Merging): Committed {
	const candidate = sideBySide(parts, merging.bounds);
	if (candidate.empty && merging.options.empty === "fail") {
		throw new CompactionError(
			"BLANK_SUMMARY",
			`Cannot summarize: the backend "${merging.name}" answered with empty sections only.`,
			{ retryable: true },
		);
	}
	const degraded = parts.some((part) => part.degraded);
	return { ...commit(candidate, merging.bounds), degraded };
}

/** One round: each group of parts becomes one part. */
async function mergeGroups(groups: readonly (readonly Part[])[], merging: Merging): Promise<Part[]> {
	const merged: Part[] = [];
	for (const group of groups) {
		const [only] = group;
		if (group.length === 1 && only !== undefined) merged.push(only);
		else merged.push(await merging.merge(group.map(label).join(""), false));
	}
	return merged;
}

/**
 * The summaries of stretches as one. Side by side where that fits the budget; else merged by the model, in rounds
 * where they do not fit one prompt; and where the model fails at that, side by side and trimmed.
 * @throws CompactionError CANCELLED; BLANK_SUMMARY or BUDGET_TOO_SMALL as for a single summary
 */
export async function mergeParts(parts: readonly Part[], merging: Merging): Promise<Committed> {
	let current = parts;
	for (;;) {
		const whole = sideBySide(current, merging.bounds);
		if (whole.empty || (whole.fits && !whole.tooMany)) return commitSideBySide(current, merging);
		const groups = inGroups(current, merging);
		try {
			if (groups.length === 1) return await merging.merge(current.map(label).join(""), true);
			// Summaries so large that no two fit one prompt cannot be merged by it.
			if (groups.length === current.length) return commitSideBySide(current, merging);
			current = await mergeGroups(groups, merging);
		} catch (error) {
			if (isCancelled(error)) throw error;
			merging.trail.note(
				`the parts could not be merged by "${merging.name}", so that they stand side by side, trimmed: ${error instanceof Error ? error.message : String(error)}`,
			);
			return commitSideBySide(current, merging);
		}
	}
}
