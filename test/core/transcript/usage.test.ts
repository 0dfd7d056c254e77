import { describe, expect, test } from "vitest";
import { createAccount } from "../../../src/core/transcript/account.ts";
import type { Message } from "../../../src/core/transcript/message.ts";
import { createUsageMemory, reportedInputTokens } from "../../../src/core/transcript/usage.ts";

const text = (written: string): number => written.length / 4;
const message = (role: string, length: number): Message => ({ role, content: "word ".repeat(length / 5) });

function memory(): {
	account: ReturnType<typeof createAccount>;
	usage: ReturnType<typeof createUsageMemory>;
} {
	const account = createAccount({ text });
	return { account, usage: createUsageMemory(account) };
}

describe("a reported usage", () => {
	test.each([
		null,
		{},
		{ inputTokens: null },
		{ inputTokens: "NaN" },
		{ inputTokens: Number.NaN },
		{ inputTokens: 0 },
		{ inputTokens: -1 },
		{ inputTokens: Number.POSITIVE_INFINITY },
		"1200",
		7,
		undefined,
	])("token-count-07: of %o is ignored, and the estimate stands", (usage) => {
		const { account, usage: reports } = memory();
		const messages = [message("user", 1000), message("assistant", 5)];
		expect(reportedInputTokens({ usage })).toBeUndefined();
		expect(reports.correct(messages, 20, { usage })).toEqual({
			tokens: account.total(messages) + 20,
			scale: 1,
		});
		expect(reports.correct(messages, 20, { usage: { inputTokens: 900 }, steps: [{ usage }] })).toEqual({
			tokens: account.total(messages) + 20,
			scale: 1,
		});
	});

	test("token-count-08: is the last step's, not the total over all steps", () => {
		const steps = [{ inputTokens: 300 }, { inputTokens: 340 }, { inputTokens: 380 }];
		expect(reportedInputTokens({ usage: { inputTokens: 1020 }, steps })).toBe(380);
		expect(
			reportedInputTokens({ usage: { inputTokens: 1020 }, steps: steps.map((usage) => ({ usage })) }),
		).toBe(380);
		const { usage } = memory();
		const { tokens } = usage.correct([message("user", 5), message("assistant", 5)], 0, { steps });
		expect(tokens).toBeGreaterThanOrEqual(380);
		expect(tokens).toBeLessThan(420);
	});

	test("is the size of what was sent; what came after is estimated on top", () => {
		const { account, usage } = memory();
		const sent = [message("user", 4000), message("assistant", 400), message("user", 400)];
		const answer = message("assistant", 800);
		const estimate = account.total(sent);
		const { tokens, scale } = usage.correct([...sent, answer], 0, { usage: { inputTokens: estimate * 1.5 } });
		expect(tokens).toBe(Math.floor(estimate * 1.5 + account.of(answer) * 1.5));
		expect(scale).toBeCloseTo(1.5, 2);
	});

	test("holds overhead that nobody named", () => {
		const { usage } = memory();
		const messages = [message("user", 40), message("assistant", 4000)];
		// Tools of 20 000 tokens: a new answer must not be blown up by as much.
		const { tokens } = usage.correct(messages, 0, { usage: { inputTokens: 20_000 } });
		expect(tokens).toBeGreaterThan(21_000);
		expect(tokens).toBeLessThan(22_100);
	});

	test("trigger-011: that is older than a compaction says how far the counter is off, not how full the window is", () => {
		const { account, usage } = memory();
		const messages = Array.from({ length: 40 }, (_, index) =>
			message(index % 2 === 0 ? "user" : "assistant", 400),
		);
		const reported = { usage: { inputTokens: account.total(messages.slice(0, -1)) * 2 } };
		const before = usage.correct(messages, 0, reported);
		const compacted = [message("user", 200), ...messages.slice(-4)];
		const after = usage.correct(compacted, 0, reported);
		expect(before.tokens).toBeGreaterThan(8000);
		expect(after.tokens).toBeLessThanOrEqual(account.total(compacted) * 2 + 2);
		expect(after.scale).toBeCloseTo(2, 1);
	});

	test("that is absurdly large does not scale estimates without bound", () => {
		const { usage } = memory();
		const { scale } = usage.correct([message("user", 40), message("assistant", 40)], 0, {
			usage: { inputTokens: 1e9 },
		});
		expect(scale).toBe(8);
	});
});
