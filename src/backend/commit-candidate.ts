import { completeSections } from "../core/merge-sections.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";
import type { Sections } from "../core/template/template.ts";
import { trimSections } from "../core/trim/trim-summary.ts";
import { trimText } from "../core/trim/trim-text.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import type { SummaryJobOptions } from "./job.ts";
import type { Bounds, Candidate } from "./read-candidate.ts";

/** What is committed. */
export interface Committed {
	readonly text: string;
	readonly sections: Sections;
	readonly source: "json" | "headings" | "raw" | "backend";
	readonly trimmed: boolean;
	readonly empty: boolean;
	readonly degraded: boolean;
}

/** The better, the higher: read beats raw, and of each what needs no cut beats what does. */
function rank({ shape, fits, cutOff }: Candidate): number {
	return (shape === "raw" ? 0 : 2) + (fits && !cutOff ? 1 : 0);
}

/** @throws CompactionError BUDGET_TOO_SMALL where nothing of it can be cut to the budget */
export function commit(candidate: Candidate, bounds: Bounds): Committed {
	const { shape, source, text, fits, cutOff, empty } = candidate;
	const { template, budgetTokens, cutTokens = budgetTokens } = bounds;
	const rest = { source, empty, degraded: shape === "raw" };
	const complete = (sections: Sections): Sections =>
		shape === "body" ? {} : completeSections(template, sections);
	if (fits) {
		const marked = cutOff ? `${text}${CUT_MARK}` : text;
		return { text: marked, sections: complete(candidate.sections), trimmed: cutOff, ...rest };
	}
	// What broke off must carry the marker, so that it is measured with it even where it would fit without.
	const measure = (render: string): number =>
		bounds.measure(cutOff && !render.endsWith(CUT_MARK) ? `${render}${CUT_MARK}` : render);
	if (shape === "body")
		return { ...trimText(text, template.header, cutTokens, measure), sections: {}, ...rest };
	const trimmed = trimSections(candidate.sections, template, cutTokens, measure);
	return { ...trimmed, sections: complete(trimmed.sections), ...rest };
}

/**
 * Commits the best of the answers seen; of equals the later one.
 * @throws CompactionError MALFORMED_SUMMARY or BLANK_SUMMARY where the options refuse what there is, or where
 * there is nothing; BUDGET_TOO_SMALL where nothing of it can be cut to the budget
 */
export function commitBest(
	name: string,
	candidates: readonly Candidate[],
	options: SummaryJobOptions,
	bounds: Bounds,
): Committed {
	const full = candidates.filter(({ empty }) => !empty);
	const allowed = options.malformed === "fail" ? full.filter(({ shape }) => shape !== "raw") : full;
	// A stable sort: of equals, the later comes first.
	const best = [...allowed].reverse().sort((left, right) => rank(right) - rank(left));
	let tooSmall: unknown;
	for (const candidate of best) {
		try {
			return commit(candidate, bounds);
		} catch (error) {
			if (!isCompactionError(error) || error.code !== "BUDGET_TOO_SMALL") throw error;
			tooSmall ??= error;
		}
	}
	if (tooSmall !== undefined) throw tooSmall;
	if (full.length > 0) {
		throw new CompactionError(
			"MALFORMED_SUMMARY",
			`Cannot summarize: the backend "${name}" answered without any of the template's sections, twice. Set "malformed" to "raw" to keep the raw text.`,
			{ retryable: true },
		);
	}
	// A model that says only once that there is nothing to say is not believed: the messages would be lost.
	const confirmed = candidates.length > 1 ? candidates.at(-1) : undefined;
	if (confirmed !== undefined && options.empty === "accept") return commit(confirmed, bounds);
	throw new CompactionError(
		"BLANK_SUMMARY",
		candidates.length > 0
			? `Cannot summarize: the backend "${name}" answered with empty sections only.`
			: `Cannot summarize: the backend "${name}" answered with no usable text, twice.`,
		{ retryable: true },
	);
}
