import { describe, expect, it } from "vitest";
import { summaryBudget, summaryCeiling } from "../../src/core/summary-budget.ts";
import seeds from "../cases/seeds.json" with { type: "json" };

interface BudgetCase {
	readonly id: string;
	readonly given: {
		readonly config: { readonly summary_budget_pct?: number; readonly max_summary_tokens?: number };
		readonly target_tokens: number;
	};
	readonly expect: { readonly budget: number };
	readonly prefer?: { readonly budget?: number };
}

const cases = seeds.filter(
	({ area, topic }) => area === "budget" && topic === "budget",
) as unknown as BudgetCase[];

describe("the budget of a summary", () => {
	it("has all its given cases", () => {
		expect(cases).toHaveLength(10);
	});

	it.each(cases.map((one) => [one.id, one] as const))("%s", (_, { given, expect: expected, prefer }) => {
		const { summary_budget_pct: fraction = 0.2, max_summary_tokens: max = 6000 } = given.config;
		expect(summaryCeiling({ fraction, max }, given.target_tokens)).toBe(prefer?.budget ?? expected.budget);
	});

	it("is never more than half of what the summary replaces", () => {
		expect(summaryBudget({ fraction: 0.2, max: 6000 }, 40_000, 999)).toBe(499);
		expect(summaryBudget({ fraction: 0.2, max: 6000 }, 40_000, 100_000)).toBe(6000);
	});
});
