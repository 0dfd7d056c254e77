// Planning with token totals, whole plans of a compactor, and rendering what is evicted, beside AI SDK's pruneMessages
// and LangChain's trimMessages. All figures are ratios of medians within one run.
// No collection is forced in between: it would also throw away compiled code.
// Usage: npm ci --prefix bench/peers && node_modules/.bin/node bench/plan/run.ts [SIZE…]
import { type ModelMessage, pruneMessages } from "ai";
import { renderTranscript } from "../../src/core/prompt/render-transcript.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { type Compactor, createCompactor } from "../../src/index.ts";
import { ratio, timeInTurns } from "./measure.ts";
import { counter, langChain, newAccount, plan, planners, sharedTranscripts } from "./subjects.ts";
import { makeTranscript, sumLengths } from "./transcripts.ts";

const PRUNE = { reasoning: "all", toolCalls: "before-last-8-messages" } as const;
const peer = await langChain();
const given = process.argv
	.slice(2)
	.map(Number)
	.filter((size) => size > 0);
const sizes = given.length > 0 ? given : [100, 1000, 10_000, 100_000];

const wholes: string[] = [];
const compactor = (use: keyof typeof planners): Promise<Compactor> =>
	createCompactor({ tokens: { window: 160_000 }, strategy: { use } });

async function rows(name: string, messages: ModelMessage[], rounds: number): Promise<void> {
	const ours: readonly Message[] = messages;
	const json = JSON.stringify(messages);
	const warm = newAccount();
	const evicted = plan(planners["summarize-older"], ours, warm).evicted.flatMap((index) => ours[index] ?? []);
	const render = (maxTokens: number): string =>
		renderTranscript(evicted, { maxTokens, countTokens: (text) => counter.text(text) });
	const repeat = Math.max(1, Math.round(3000 / messages.length));
	const times = (run: () => unknown) => ({
		run: () => {
			for (let count = 0; count < repeat; count += 1) run();
		},
	});
	const whole = { keep: await compactor("keep-recent"), older: await compactor("summarize-older") };
	/** Plans of compactors that have counted nothing yet, each used once. */
	const wholeCold = (use: keyof typeof planners) => ({
		prepare: () => Promise.all(Array.from({ length: repeat }, () => compactor(use))),
		run: async (fresh: unknown) => {
			for (const one of fresh as readonly Compactor[]) await one.plan(messages);
		},
	});
	const wholeWarm = (one: Compactor) => ({
		run: async () => {
			for (let count = 0; count < repeat; count += 1) await one.plan(messages);
		},
	});
	const found = await timeInTurns(
		{
			parse: times(() => JSON.parse(json)),
			sum: times(() => sumLengths(messages)),
			keepCold: times(() => plan(planners["keep-recent"], ours, newAccount())),
			keepWarm: times(() => plan(planners["keep-recent"], ours, warm)),
			olderCold: times(() => plan(planners["summarize-older"], ours, newAccount())),
			olderWarm: times(() => plan(planners["summarize-older"], ours, warm)),
			wholeKeepCold: wholeCold("keep-recent"),
			wholeKeepWarm: wholeWarm(whole.keep),
			wholeOlderCold: wholeCold("summarize-older"),
			wholeOlderWarm: wholeWarm(whole.older),
			count: times(() => newAccount().total(ours)),
			prune: times(() => pruneMessages({ messages, ...PRUNE })),
			renderAll: times(() => [
				plan(planners["summarize-older"], ours, newAccount()),
				render(Number.MAX_SAFE_INTEGER),
			]),
			render50k: times(() => [plan(planners["summarize-older"], ours, warm), render(50_000)]),
			renderOnly50k: times(() => render(50_000)),
		},
		rounds,
	);
	const to = (figure: keyof typeof found, base: "sum" | "parse" = "sum"): string =>
		ratio(found[figure], found[base]);
	wholes.push(
		`| ${name} | ${to("wholeKeepCold")} | ${to("wholeKeepWarm")} | ${to("wholeOlderCold")} | ${to("wholeOlderWarm")} | ${to("prune")} |`,
	);
	console.log(
		`| ${name} | ${to("sum", "parse")} | ${to("count")} | ${to("keepCold")} | ${to("keepWarm")} | ${to("olderCold")} | ${to("olderWarm")} | ${to("prune")} | ${to("renderAll", "parse")} | ${to("render50k", "parse")} | ${to("renderOnly50k", "parse")} |`,
	);
}

console.log(
	"| transcript | length sum, in parses | count, cold | keep-recent, cold | warm | summarize-older, cold | warm | pruneMessages | plan + render all, in parses | plan + render 50k tokens, in parses | render 50k alone |",
);
console.log("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
for (const size of sizes) await rows(`${size} messages`, makeTranscript(size), size >= 100_000 ? 5 : 11);
const shared = Object.entries(sharedTranscripts());
for (const [name, messages] of shared) if (messages.length > 400) await rows(name, messages, 9);
if (shared.length > 0) {
	const all = shared.flatMap(([, messages]) => messages);
	await rows(`all shared transcripts, ${all.length} messages`, all, 9);
}

console.log(
	"\n| whole `compactor.plan` | keep-recent, cold | warm | summarize-older, cold | warm | pruneMessages |\n|---|---:|---:|---:|---:|---:|",
);
for (const row of wholes) console.log(row);

if (peer !== undefined) {
	console.log("\n| transcript | LangChain trimMessages, in length sums |\n|---|---:|");
	// It takes minutes at 100 000.
	for (const size of sizes.filter((one) => one <= 10_000)) {
		const messages = makeTranscript(size);
		const theirs = messages.map((message) => peer.toMessage(message));
		const tokenCounter = (list: readonly { readonly content: string }[]): number =>
			list.reduce((sum, { content }) => sum + content.length / 4, 0);
		const maxTokens = tokenCounter(theirs as { content: string }[]) / 2;
		const figures: number[] = [];
		for (let round = 0; round < 3; round += 1) {
			const start = performance.now();
			await peer.trimMessages(theirs, {
				maxTokens,
				tokenCounter,
				strategy: "last",
				includeSystem: true,
				startOn: "human",
			});
			figures.push(performance.now() - start);
		}
		const { sum } = await timeInTurns({ sum: { run: () => sumLengths(messages) } }, 5);
		console.log(`| ${size} messages | ${ratio(Math.min(...figures), sum)} |`);
	}
}
