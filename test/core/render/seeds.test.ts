import { describe, expect, it } from "vitest";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import { renderSummary, STUB } from "../../../src/core/render/render-summary.ts";
import type { Sections, TemplateDefinition } from "../../../src/core/template/template.ts";
import { seedCases } from "../../support/seed-cases.ts";

describe("the given cases of rendering", () => {
	const cases = seedCases("render", "summary");

	it("are all there", () => {
		expect(cases.length).toBe(13);
	});

	for (const { id, given, expect: expected, prefer } of cases) {
		const template = given.template as TemplateDefinition;
		const summary = given.summary as Sections;
		it(`${id}: ${JSON.stringify(summary).slice(0, 60)}`, () => {
			const text = String((prefer ?? expected).text).replace("{{STUB}}", STUB);
			expect(renderSummary(summary, template)).toBe(text);
		});
	}

	// What stands twice is merged when it is read, and what is beyond the limit is cut: these are not normalized.
	const exceptions = ["render-004", "render-006", "render-009", "render-016"];
	for (const { id, given } of cases.filter((one) => !exceptions.includes(one.id))) {
		it(`${id}: reads back to what was rendered`, () => {
			const template = given.template as TemplateDefinition;
			const parsed = parseSummary(renderSummary(given.summary as Sections, template), template);
			const filled = Object.entries(parsed?.sections ?? {}).filter(([, entries]) => entries.length > 0);
			expect(Object.fromEntries(filled)).toEqual(given.summary);
		});
	}
});
