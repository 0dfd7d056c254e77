// What the modules of the quality benches share: the counter, the template, and a summary as a pass writes it.
import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";
import extractive from "../../plugins/backends/extractive.ts";
import { ledgerTokens, planLedger, renderLedger } from "../../src/core/ledger/build-ledger.ts";
import { summaryMessage } from "../../src/core/render/envelope.ts";
import { renderSummary } from "../../src/core/render/render-summary.ts";
import { resolveTemplate } from "../../src/core/template/resolve-template.ts";

const AS_TEXT = { disallowedSpecial: new Set() };

/** o200k tokens of a text; what looks like a special token is text. */
export const countTokens = (text) => count(text, AS_TEXT);

export const template = resolveTemplate("default", {});

/** A backend counts the fixed lines around a render, and the message itself; the benches measure the render. */
const AROUND = countTokens(summaryMessage("", template, "user").content[0].text) + 8;

/** The room that a ledger with the default options takes of a render's budget. */
export function ledgerOf(messages, budgetTokens) {
	return planLedger({
		evicted: messages,
		kept: [],
		budgetTokens: ledgerTokens({}, budgetTokens),
		countTokens,
	});
}

/** The sections that the default backend makes of messages for a render of so many tokens. */
export async function extract(messages, renderTokens) {
	const backend = await extractive.create({}, {});
	const { sections } = await backend.summarize(
		{
			messages,
			transcript: "",
			template,
			budgetTokens: renderTokens + AROUND,
			reason: { trigger: "bench", detail: "bench" },
			metadata: {},
			guidance: {},
		},
		{ signal: new AbortController().signal, countTokens, emit() {} },
	);
	return sections;
}

/** Header, sections and ledger. */
export function write(sections, ledger) {
	return renderSummary(sections, template) + renderLedger(ledger.entries(sections));
}
