import { describe, expect, it } from "vitest";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import type { Sections, TemplateDefinition } from "../../../src/core/template/template.ts";
import { seedCases } from "../../support/seed-cases.ts";

const IDS = ["key_facts", "decisions", "pending_tasks", "open_questions"];

function allFour(sections: Sections): Record<string, readonly string[]> {
	return Object.fromEntries(IDS.map((id) => [id, sections[id] ?? []]));
}

/** The one case that holds only where a template gives the headings of another language as aliases. */
const ALIASES: TemplateDefinition = {
	sections: [
		{ id: "key_facts", title: "Key facts", purpose: "Facts.", aliases: ["关键事实"] },
		{ id: "decisions", title: "Decisions", purpose: "Choices.", aliases: ["决定"] },
	],
};

describe("the given cases of parsing", () => {
	const cases = seedCases("parse");

	it("are all there", () => {
		expect(cases.length).toBe(89);
	});

	for (const { id, given, expect: expected, prefer } of cases) {
		const wanted = prefer ?? expected;
		const response = String(given.response);
		it(`${id}: ${JSON.stringify(response.slice(0, 60))}`, () => {
			const template = id === "parse-030" ? ALIASES : { sections: given.template as string[] };
			const parsed = parseSummary(response, template);
			if (wanted.unrecognized === true) expect(parsed).toBeUndefined();
			else {
				expect(parsed).toBeDefined();
				expect(allFour(parsed?.sections ?? {})).toEqual(allFour(wanted.summary as Sections));
			}
		});
	}
});
