import { describe, expect, it } from "vitest";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import { renderSummary } from "../../../src/core/render/render-summary.ts";
import type { Sections, TemplateDefinition } from "../../../src/core/template/template.ts";
import { trimSummary } from "../../../src/core/trim/trim-summary.ts";
import { seedCases, seedTokens } from "../../support/seed-cases.ts";

interface Rules {
	readonly max_tokens?: number;
	readonly first_line?: string;
	readonly last_line?: string;
	readonly whole_lines_of_render_in_order?: boolean;
	readonly min_kept_bullets?: number;
	readonly max_kept_bullets?: number;
	readonly contains?: readonly string[];
	readonly not_contains?: readonly string[];
}

function checkRules(text: string, render: string, rules: Rules): void {
	const lines = text.split("\n");
	const bullets = lines.filter((line) => line.startsWith("- ")).length;
	if (rules.max_tokens !== undefined) expect(seedTokens(text)).toBeLessThanOrEqual(rules.max_tokens);
	if (rules.first_line !== undefined) expect(lines[0]).toBe(rules.first_line);
	if (rules.last_line !== undefined) expect(lines.at(-1)).toBe(rules.last_line);
	if (rules.whole_lines_of_render_in_order === true)
		expect(render.split("\n").slice(0, lines.length - 2)).toEqual(lines.slice(0, -2));
	if (rules.min_kept_bullets !== undefined) expect(bullets).toBeGreaterThanOrEqual(rules.min_kept_bullets);
	if (rules.max_kept_bullets !== undefined) expect(bullets).toBeLessThanOrEqual(rules.max_kept_bullets);
	for (const one of rules.contains ?? []) expect(text).toContain(one);
	for (const one of rules.not_contains ?? []) expect(text).not.toContain(one);
}

describe("the given cases of trimming", () => {
	const cases = seedCases("trim");

	it("are all there", () => {
		expect(cases.length).toBe(10);
	});

	for (const { id, given, expect: expected, prefer } of cases) {
		if (typeof given.parse_after_trim === "string") {
			const text = given.parse_after_trim;
			it(`${id}: trimmed text reads back to what was kept`, () => {
				expect(parseSummary(text)?.sections).toEqual(expected.summary);
			});
			continue;
		}
		const template = given.template as TemplateDefinition;
		const summary = given.summary as Sections;
		const budget = Number(given.budget_tokens);
		const wanted = { ...expected, ...prefer };
		it(`${id}: ${JSON.stringify(wanted.status)} at ${budget} tokens`, () => {
			const trim = (): ReturnType<typeof trimSummary> => trimSummary(summary, template, budget, seedTokens);
			if (wanted.status === "failed") {
				expect(trim).toThrow(expect.objectContaining({ code: "BUDGET_TOO_SMALL" }));
				return;
			}
			const { text, trimmed } = trim();
			expect(trimmed).toBe(wanted.status === "trimmed");
			if (typeof wanted.text === "string") expect(text).toBe(wanted.text);
			// Where another outcome is preferred, its rules are the only ones.
			const isOverruled = prefer?.status !== undefined && prefer.status !== expected.status;
			const render = renderSummary(summary, template);
			if (!isOverruled) checkRules(text, render, (expected.rules ?? {}) as Rules);
			checkRules(text, render, (prefer?.rules ?? {}) as Rules);
		});
	}
});
