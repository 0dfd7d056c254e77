import type { BackendEvent, PreviousSummary } from "../backend/contract.ts";
import type { SummaryJob } from "../backend/job.ts";
import { makeSummary } from "../backend/make-summary.ts";
import { explainErrors } from "../config/explain.ts";
import type { GatheredSummary } from "../core/edits/apply-edits.ts";
import type { Draft } from "../core/edits/draft.ts";
import { type LedgerOptions, ledgerTokens, planLedger } from "../core/ledger/build-ledger.ts";
import { LEDGER_SECTION, takesLedger, withLedgerSection } from "../core/ledger/ledger-section.ts";
import { previousSummaryOf, summaryMessage } from "../core/render/envelope.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";
import { renderSections } from "../core/render/render-summary.ts";
import { type SummaryTokens, summaryBudget, summaryCeiling } from "../core/summary-budget.ts";
import { resolveTemplate } from "../core/template/resolve-template.ts";
import type { Sections, Template } from "../core/template/template.ts";
import type { Message } from "../core/transcript/message.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { loadValidator } from "../generated/validators.ts";
import type { PassUsage } from "../result/compaction-result.ts";
import { addUsage, type Pass, sumTokens } from "./pass.ts";
import { summaryRole } from "./summary-role.ts";
import { writeLedger } from "./write-ledger.ts";

/** The options of a summary, resolved; strategies hand them on with their `summarize` edits. */
interface SummaryOptions {
	readonly template: string;
	readonly summaryTokens: SummaryTokens;
	readonly transcriptMaxTokens?: number;
	readonly parseOutput: boolean;
	readonly malformed: "raw" | "fail";
	readonly empty: "accept" | "fail";
	readonly summaryRole: "user" | "assistant";
	readonly ledger: false | LedgerOptions;
}

/** The message to insert, the draft's indices that it replaces, and its size. */
export interface MadeSummary {
	readonly message: Message;
	readonly indices: readonly number[];
	readonly tokens: number;
	readonly budgetTokens: number;
}

/**
 * Has the gathered messages summarized within the budget.
 * @returns the message to insert; "no-progress" where no summary could be smaller than what it replaces
 */
export async function summarizeSlots(
	step: string,
	draft: Draft,
	gathered: GatheredSummary,
	pass: Pass,
	tokensAt: (index: number) => number,
): Promise<MadeSummary | "no-progress"> {
	const options = await summaryOptions(step, gathered.options);
	const template = resolveTemplate(options.template, pass.templates);
	const indices =
		gathered.previous.length === 0
			? gathered.indices
			: [...gathered.previous, ...gathered.indices].sort((left, right) => left - right);
	const messagesAt = (list: readonly number[]): Message[] =>
		list.flatMap((index) => draft.messages[index] ?? []);
	const replacedTokens = Math.floor(sumTokens(indices, tokensAt));
	const budgetTokens = summaryBudget(options.summaryTokens, pass.targetTokens, replacedTokens);
	const role = summaryRole(options.summaryRole, draft.messages, indices);
	const carry = (render: string): Message => summaryMessage(render, template, role);
	const measure = (render: string): number => Math.floor(pass.account.of(carry(render)));
	const note = (why: string): void => {
		pass.record.log.push({
			step,
			edit: "note",
			messages: draft.inputsOf(indices),
			tokens: replacedTokens,
			why,
		});
	};
	if (role !== options.summaryRole)
		note("the summary is the user's: it stands before an assistant's reasoning");
	const ceiling = summaryCeiling(options.summaryTokens, pass.targetTokens);
	const headTokens = measure(`${template.header}${CUT_MARK}`);
	// A header that no transcript makes room for is a fault of the config, which must be told.
	const isHalf = budgetTokens < ceiling && headTokens <= ceiling;
	if (isHalf && headTokens > budgetTokens) {
		note(`what would be summarized has ${replacedTokens} tokens: no summary could be half as large`);
		return "no-progress";
	}
	if (pass.dryRun) return standIn(carry(template.header), indices, budgetTokens, pass);

	const previous = previousOf(messagesAt(gathered.previous), template);
	const gone = new Set(indices);
	const evicted = messagesAt(gathered.indices);
	const share = takesLedger(template) ? ledgerTokens(options.ledger, budgetTokens) : 0;
	const ledger = planLedger({
		evicted,
		kept: draft.messages.filter((_, index) => !gone.has(index)),
		previous: previous?.sections,
		kinds: options.ledger === false ? [] : options.ledger.kinds,
		// The ledger never takes so much that the summary proper could not be.
		budgetTokens: headTokens + share > budgetTokens ? 0 : share,
		countTokens: pass.countText,
	});
	const pay = (usage: PassUsage): void => {
		pass.record.usage = addUsage(pass.record.usage, usage);
	};
	const job: SummaryJob = {
		request: {
			messages: evicted,
			template,
			budgetTokens: budgetTokens - ledger.reserveTokens,
			reason: pass.reason,
			metadata: pass.metadata,
			guidance: pass.guidance,
			...(previous === undefined ? {} : { previousSummary: withoutLedger(previous, template) }),
		},
		options: {
			parseOutput: options.parseOutput,
			malformed: options.malformed,
			empty: options.empty,
			...(options.transcriptMaxTokens === undefined
				? {}
				: { transcriptMaxTokens: options.transcriptMaxTokens }),
		},
		ceilingTokens: budgetTokens,
		measure,
		countTokens: pass.countText,
		signal: pass.signal,
		emit: (event: BackendEvent) => pass.emit(event),
		spent: pay,
	};
	const outcome = await makeSummary(await pass.backends(), job).catch((error: unknown) => {
		// Half of very little holds no entry. That is no fault of anybody's: there is nothing to win.
		if (isHalf && isCompactionError(error) && error.code === "BUDGET_TOO_SMALL") return undefined;
		throw error;
	});
	if (outcome === undefined) {
		note(`what would be summarized has ${replacedTokens} tokens: no summary fits in half of that`);
		return "no-progress";
	}
	pay(outcome.usage);
	pass.record.metadata = { ...pass.record.metadata, ...outcome.metadata };
	for (const why of outcome.notes) note(why);

	const beside = { template, evicted, budgetTokens, measure, countTokens: pass.countText };
	const { text, sections, source, retries, trimmed, empty, degraded } = writeLedger(outcome, ledger, beside);
	if (trimmed && !outcome.trimmed) note("entries that say least made room for the identifiers");
	const message = carry(text);
	pass.record.summaries.set(message, {
		summary: { text, sections, source, retries, trimmed, empty },
		budgetTokens,
		degraded,
		sectionIds: template.sections.map(({ id }) => id),
	});
	return { message, indices, tokens: Math.floor(pass.account.of(message)), budgetTokens };
}

/**
 * The options that a strategy hands on, checked like those of a config and with the same defaults.
 * @throws CompactionError PLUGIN_INVALID naming the strategy
 */
async function summaryOptions(
	step: string,
	given: Readonly<Record<string, unknown>>,
): Promise<SummaryOptions> {
	const said = Object.entries(given).filter(([, value]) => value !== undefined);
	const options: Record<string, unknown> = structuredClone(Object.fromEntries(said));
	const validate = await loadValidator("strategies/summarize-older");
	if (validate(options)) return options as unknown as SummaryOptions;
	const [problem] = explainErrors(validate.errors ?? [], { name: "options", pointer: "" });
	throw new CompactionError(
		"PLUGIN_INVALID",
		`Cannot summarize: the strategy "${step}" asks for a summary with wrong options: ${problem?.message ?? ""}`,
	);
}

/** The earlier summaries as one, their ledgers included; several stand where transcripts were joined. */
function previousOf(messages: readonly Message[], template: Template): PreviousSummary | undefined {
	const found = messages.flatMap((message) => previousSummaryOf(message, withLedgerSection(template)) ?? []);
	const [first] = found;
	if (first === undefined || found.length === 1) return first;
	const sections: Record<string, readonly string[]> = {};
	for (const one of found) {
		for (const [id, entries] of Object.entries(one.sections))
			sections[id] = [...new Set([...(sections[id] ?? []), ...entries])];
	}
	return { text: found.map(({ text }) => text).join("\n\n"), sections };
}

/** A previous summary as the backend is shown it: the ledger is carried on without it. */
function withoutLedger(previous: PreviousSummary, template: Template): PreviousSummary {
	if (!takesLedger(template) || !Object.hasOwn(previous.sections, LEDGER_SECTION.id)) return previous;
	const { [LEDGER_SECTION.id]: _ledger, ...sections }: Sections = previous.sections;
	return { text: renderSections(sections, template), sections };
}

/** In a plan, a message that counts for the whole budget. */
function standIn(
	message: Message,
	indices: readonly number[],
	budgetTokens: number,
	pass: Pass,
): MadeSummary {
	pass.record.summaries.set(message, {
		summary: { text: "", sections: {}, source: "backend", retries: 0, trimmed: false, empty: false },
		budgetTokens,
		degraded: false,
		sectionIds: [],
		standInTokens: budgetTokens,
	});
	return { message, indices, tokens: budgetTokens, budgetTokens };
}
