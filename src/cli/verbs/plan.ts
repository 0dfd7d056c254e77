import type { CompactionReason } from "../../backend/contract.ts";
import { readTranscript } from "../../formats/read-transcript.ts";
import type { CompactionPlan } from "../../result/compaction-result.ts";
import { type CostEstimate, estimateCost } from "../estimate-cost.ts";
import type { CommonFlags, TranscriptFlags } from "../flags.ts";
import { count, dollars, json, plural, ranges, table } from "../format.ts";
import type { CliIo } from "../io.ts";
import { loadCompactor } from "../load-compactor.ts";
import { readInput } from "../read-input.ts";
import { createReporter } from "../reporter.ts";

function describePlan(
	name: string,
	plan: CompactionPlan,
	fired: CompactionReason | undefined,
	estimate: CostEstimate,
): string {
	const { tokens, log } = plan;
	const evicted = plan.summarized.length + plan.dropped.length;
	const cost = estimate.costUSD === undefined ? "price unknown" : `about ${dollars(estimate.costUSD)}`;
	const calls =
		estimate.calls === 0
			? `${estimate.backend}, no model call`
			: `${estimate.backend}, ${plural(estimate.calls, "call")}, ${count(estimate.inputTokens)} tokens in, at most ${count(estimate.outputTokens)} out, ${cost}`;
	const list = (indices: readonly number[]): string =>
		indices.length === 0 ? "none" : `${plural(indices.length, "message")}: ${ranges(indices)}`;
	const rows: (readonly [string, string])[] = [
		["trigger", fired === undefined ? "did not fire; this is what --force would do" : fired.detail],
		["kept", list(plan.kept)],
		["rewritten", list(plan.rewritten)],
		["summarized", list(plan.summarized)],
		["dropped", list(plan.dropped)],
		["tokens", `${count(tokens.before)} → at most ${count(tokens.after)}, target ${count(tokens.target)}`],
		...(tokens.summaryBudget === undefined
			? []
			: [["summary", `at most ${count(tokens.summaryBudget)} tokens`] as const]),
		["backend", evicted === 0 ? "not asked" : calls],
	];
	const steps = log.map(
		({ step, edit, messages, tokens: size, why }) =>
			[
				`${step} ${edit}`,
				`${ranges(messages)} (${count(size)} tokens)${why === "" ? "" : `: ${why}`}`,
			] as const,
	);
	return `plan for ${name}\n${table(rows)}\n${steps.length === 0 ? "" : `steps\n${table(steps)}\n`}`;
}

/** `precis plan`: what `compact --force` would do, with no backend call. */
export async function plan(file: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags: TranscriptFlags = common;
	const reporter = await createReporter(flags, io);
	const input = await readInput(file, io, reporter);
	const { messages } = readTranscript(input.text, input.name);
	const { compactor, config } = await loadCompactor(flags, io, reporter);
	const fired = flags.force
		? { trigger: "manual", detail: "not asked, because of --force" }
		: compactor.shouldCompact(messages);
	const made = await compactor.plan(messages, {
		signal: io.signal,
		...(fired === undefined ? {} : { reason: fired }),
	});
	const estimate = await estimateCost(made, config);
	await reporter.flush();
	await io.stdout.write(
		flags.json
			? json({ fires: fired !== undefined, ...made, estimate })
			: describePlan(input.name, made, fired, estimate),
	);
	return 0;
}
