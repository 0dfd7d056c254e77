// Memory that planning 100 000 messages takes above the transcript: all that is allocated while it runs (nothing is
// collected meanwhile), and what is left afterwards.
// Usage: node_modules/.bin/node --expose-gc --max-semi-space-size=512 bench/plan/memory.ts
import { memoryUsage } from "node:process";
import { createCompactor } from "../../src/index.ts";
import { newAccount, plan, planners } from "./subjects.ts";
import { makeTranscript } from "./transcripts.ts";

const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error("Cannot measure memory: run with --expose-gc");
const used = (): number => {
	const { heapUsed, arrayBuffers } = memoryUsage();
	return (heapUsed + arrayBuffers) / 2 ** 20;
};

const messages = makeTranscript(100_000);
const small = makeTranscript(1000);
for (const planner of Object.values(planners))
	for (let round = 0; round < 30; round += 1) plan(planner, small, newAccount());
collect();
collect();
console.log(`| planner | allocated while planning, MB | left after it (the account), MB |\n|---|---:|---:|`);
for (const [name, planner] of Object.entries(planners)) {
	collect();
	const before = used();
	const account = newAccount();
	const planned = plan(planner, messages, account);
	const during = used() - before;
	const { length } = planned.evicted;
	await new Promise((resolve) => setTimeout(resolve, 50));
	collect();
	console.log(
		`| ${name}, ${length} messages evicted | ${during.toFixed(1)} | ${(used() - before).toFixed(1)} |`,
	);
	account.total(small);
}
for (const use of Object.keys(planners) as (keyof typeof planners)[]) {
	const config = { tokens: { window: 160_000 }, strategy: { use } };
	for (let round = 0; round < 10; round += 1) await (await createCompactor(config)).plan(small);
	const compactor = await createCompactor(config);
	collect();
	const before = used();
	let planned: unknown = await compactor.plan(messages);
	const during = used() - before;
	planned = undefined;
	await new Promise((resolve) => setTimeout(resolve, 50));
	collect();
	console.log(
		`| whole \`compactor.plan\`, ${use} | ${during.toFixed(1)} | ${(used() - before).toFixed(1)} |`,
	);
	compactor.countTokens(small as never);
	void planned;
}
