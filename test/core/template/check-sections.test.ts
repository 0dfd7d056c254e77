import { describe, expect, test } from "vitest";
import { parseSummary, renderSummary, trimSummary } from "../../../src/index.ts";

describe("what is no summary at all is a TypeError that says what it is", () => {
	test.each([
		[null, "its sections are null"],
		[undefined, "its sections are undefined"],
		[["a"], "its sections are a list"],
		[{ key_facts: "one text" }, 'the section "key_facts" is a string; expected a list'],
		[{ key_facts: null }, 'the section "key_facts" is null'],
		[{ decisions: ["a", 7] }, 'an entry of the section "decisions" is a number'],
		[{ decisions: [{ text: "a" }] }, 'an entry of the section "decisions" is an object'],
	])("sections: %j", (sections, what) => {
		for (const use of [renderSummary, (given: never) => trimSummary(given, "default", 100)])
			expect(() => use(sections as never)).toThrow(
				expect.objectContaining({ name: "TypeError", message: expect.stringContaining(what) }),
			);
	});

	test.each([undefined, null, 7, {}])("a text: %j", (text) => {
		expect(() => parseSummary(text as never)).toThrow(/^Cannot parse a summary: it is /);
	});

	test("a section that is undefined is one without entries", () => {
		expect(renderSummary({ key_facts: ["a fact"], decisions: undefined } as never)).toContain("- a fact");
	});

	test.each(["10", undefined, null])("a budget: %j", (budget) => {
		expect(() => trimSummary({ key_facts: ["a"] }, "default", budget as never)).toThrow(
			expect.objectContaining({ code: "CONFIG_INVALID" }),
		);
	});
});
