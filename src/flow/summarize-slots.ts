import type { BackendEvent } from "../backend/contract.ts";
import { makeSummary } from "../backend/make-summary.ts";
import type { Slot } from "../core/edits/apply-edits.ts";
import { previousSummaryOf, summaryMessage } from "../core/render/envelope.ts";
import { type SummaryTokens, summaryBudget, summaryCeiling } from "../core/summary-budget.ts";
import { resolveTemplate } from "../core/template/resolve-template.ts";
import type { Template } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";
import { addUsage, inputIndices, type Pass, tokensOf } from "./pass.ts";

/** The options of a summary, resolved; strategies hand them on with their `summarize` edits. */
interface SummaryOptions {
	readonly template: string;
	readonly summaryTokens: SummaryTokens;
	readonly transcriptMaxTokens?: number;
	readonly parseOutput: boolean;
	readonly malformed: "raw" | "fail";
	readonly empty: "accept" | "fail";
	readonly summaryRole: "user" | "assistant";
	readonly ledger:
		| false
		| { readonly maxTokens?: number; readonly fraction?: number; readonly kinds?: readonly string[] };
}

/** What a strategy that says nothing of a summary asks for; the same figures as in the schema of the options. */
const DEFAULTS: SummaryOptions = {
	template: "default",
	summaryTokens: { fraction: 0.2, max: 6000 },
	parseOutput: true,
	malformed: "raw",
	empty: "accept",
	summaryRole: "user",
	ledger: {},
};

/** What is to be summarized; indices are the draft's. */
interface Gathered {
	readonly indices: readonly number[];
	readonly previous: readonly number[];
	readonly options: Readonly<Record<string, unknown>>;
}

const MARKER = "\n\n[trimmed]";

/**
 * Has the gathered messages summarized within the budget.
 * @returns the message to insert; "no-progress" where no summary could be smaller than what it replaces
 */
export async function summarizeSlots(
	step: string,
	draft: readonly Slot[],
	gathered: Gathered,
	pass: Pass,
): Promise<{ readonly message: Message; readonly indices: readonly number[] } | "no-progress"> {
	const options = { ...DEFAULTS, ...gathered.options } as SummaryOptions;
	const template = resolveTemplate(options.template, pass.templates);
	const indices = [...gathered.previous, ...gathered.indices].sort((left, right) => left - right);
	const messagesAt = (list: readonly number[]): Message[] =>
		list.flatMap((index) => draft[index]?.message ?? []);
	const replacedTokens = Math.floor(
		messagesAt(indices).reduce((sum, message) => sum + tokensOf(pass, message), 0),
	);
	const budgetTokens = summaryBudget(options.summaryTokens, pass.targetTokens, replacedTokens);
	const measure = (render: string): number =>
		Math.floor(pass.account.of(summaryMessage(render, template, options.summaryRole)));
	const note = (why: string): void => {
		pass.record.log.push({
			step,
			edit: "note",
			messages: indices.flatMap((index) => indexOf(draft, index)),
			tokens: replacedTokens,
			why,
		});
	};
	if (
		budgetTokens < summaryCeiling(options.summaryTokens, pass.targetTokens) &&
		measure(`${template.header}${MARKER}`) > budgetTokens
	) {
		note(`what would be summarized has ${replacedTokens} tokens: no summary could be half as large`);
		return "no-progress";
	}
	if (pass.dryRun) return standIn(template, options, budgetTokens, indices, pass);
	const previous = messagesAt(gathered.previous).flatMap(
		(message) => previousSummaryOf(message, template) ?? [],
	);
	const backends = await pass.backends();
	const outcome = await makeSummary(backends, {
		request: {
			messages: messagesAt(gathered.indices),
			template,
			budgetTokens,
			reason: pass.reason,
			metadata: pass.metadata,
			guidance: pass.guidance,
			...(previous.length === 0 ? {} : { previousSummary: join(previous) }),
		},
		options: {
			parseOutput: options.parseOutput,
			malformed: options.malformed,
			empty: options.empty,
			...(options.transcriptMaxTokens === undefined
				? {}
				: { transcriptMaxTokens: options.transcriptMaxTokens }),
		},
		measure,
		countTokens: pass.countText,
		signal: pass.signal,
		emit: (event: BackendEvent) => pass.emit(event),
	});
	pass.record.usage = addUsage(pass.record.usage, outcome.usage);
	pass.record.metadata = { ...pass.record.metadata, ...outcome.metadata };
	for (const why of outcome.notes) note(why);
	const message = summaryMessage(outcome.text, template, options.summaryRole);
	const { text, sections, source, retries, trimmed, empty, degraded } = outcome;
	pass.record.summaries.set(message, {
		summary: { text, sections, source, retries, trimmed, empty },
		budgetTokens,
		degraded,
		sectionIds: template.sections.map(({ id }) => id),
	});
	return { message, indices };
}

function indexOf(draft: readonly Slot[], index: number): readonly number[] {
	const slot = draft[index];
	return slot === undefined ? [] : inputIndices(slot.from);
}

/** Several earlier summaries, as transcripts that were joined have them, are handed on as one. */
function join(
	previous: readonly {
		readonly text: string;
		readonly sections: Readonly<Record<string, readonly string[]>>;
	}[],
): {
	text: string;
	sections: Record<string, readonly string[]>;
} {
	const sections: Record<string, readonly string[]> = {};
	for (const one of previous) {
		for (const [id, entries] of Object.entries(one.sections))
			sections[id] = [...new Set([...(sections[id] ?? []), ...entries])];
	}
	return { text: previous.map(({ text }) => text).join("\n\n"), sections };
}

/** In a plan, a message that counts for the whole budget. */
function standIn(
	template: Template,
	options: SummaryOptions,
	budgetTokens: number,
	indices: readonly number[],
	pass: Pass,
): { readonly message: Message; readonly indices: readonly number[] } {
	const message = summaryMessage(template.header, template, options.summaryRole);
	pass.record.summaries.set(message, {
		summary: {
			text: template.header,
			sections: {},
			source: "backend",
			retries: 0,
			trimmed: false,
			empty: false,
		},
		budgetTokens,
		degraded: false,
		sectionIds: [],
		standInTokens: budgetTokens,
	});
	return { message, indices };
}
