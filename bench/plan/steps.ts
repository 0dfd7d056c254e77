// Asking at every step of an agent that grows to 10 000 messages whether to compact, beside a running total that
// never looks back, and pruneMessages and trimMessages at every step (measured at every 250th step, and summed up).
// Usage: npm ci --prefix bench/peers && node_modules/.bin/node bench/plan/steps.ts
import { type ModelMessage, pruneMessages } from "ai";
import { createCompactor } from "../../src/index.ts";
import { median, ratio } from "./measure.ts";
import { counter, langChain, newAccount } from "./subjects.ts";
import { makeTranscript, sumLengths } from "./transcripts.ts";

const STEPS = 10_000;
const EVERY = 250;
const messages = makeTranscript(STEPS);
const prefixes = (run: (prefix: ModelMessage[]) => void): number => {
	let took = 0;
	for (let step = EVERY; step <= STEPS; step += EVERY) {
		const prefix = messages.slice(0, step);
		const start = performance.now();
		run(prefix);
		took += (performance.now() - start) * EVERY;
	}
	return took;
};

/** Milliseconds over all steps; the host's own work on its array is not counted. */
function grow(
	host: (step: number, list: ModelMessage[]) => ModelMessage[],
	ask: (list: ModelMessage[]) => unknown,
): number {
	let list: ModelMessage[] = [];
	let took = 0;
	for (let step = 0; step < STEPS; step += 1) {
		list = host(step, list);
		const start = performance.now();
		ask(list);
		took += performance.now() - start;
	}
	return took;
}

const push = (step: number, list: ModelMessage[]): ModelMessage[] => {
	const message = messages[step];
	if (message !== undefined) list.push(message);
	return list;
};
const rebuildList = (step: number): ModelMessage[] => messages.slice(0, step + 1);
const rebuildMessages = (step: number): ModelMessage[] =>
	messages.slice(0, step + 1).map((message) => ({ ...message }));

async function measure(): Promise<Record<string, number>> {
	const compactor = async () =>
		createCompactor({ tokens: { window: 1e9 }, strategy: { use: "keep-recent" } });
	const asked = async (host: typeof rebuildList): Promise<number> => {
		const { shouldCompact } = await compactor();
		return grow(host, (list) => shouldCompact(list));
	};
	const account = newAccount();
	let sum = 0;
	return {
		"a running total that never looks back": grow(push, (list) => {
			const last = list.at(-1);
			if (last !== undefined) sum += counter.message?.(last) ?? 0;
			return sum > 1e9;
		}),
		"the account's running total": grow(push, (list) => account.running(list)),
		"shouldCompact, one list that grows": await asked(push as typeof rebuildList),
		"shouldCompact, list made anew at every step": await asked(rebuildList),
		"shouldCompact, messages made anew too": await asked(rebuildMessages),
		"length sum at every step": prefixes((prefix) => sumLengths(prefix)),
		"pruneMessages at every step": prefixes((prefix) =>
			pruneMessages({ messages: prefix, reasoning: "all", toolCalls: "before-last-8-messages" }),
		),
	};
}

const rounds: Record<string, number>[] = [];
for (let round = 0; round < 4; round += 1) rounds.push(await measure());
// The first round warms up.
const found = Object.keys(rounds[0] ?? {}).map(
	(name) => [name, median(rounds.slice(1).map((round) => round[name] ?? 0))] as const,
);
const base = found[0]?.[1] ?? 1;
console.log("| at every step up to 10 000 messages | in running totals |\n|---|---:|");
for (const [name, took] of found) console.log(`| ${name} | ${ratio(took, base)} |`);

const peer = await langChain();
if (peer !== undefined) {
	let took = 0;
	for (let step = EVERY * 4; step <= STEPS; step += EVERY * 4) {
		const theirs = messages.slice(0, step).map((message) => peer.toMessage(message));
		const tokenCounter = (list: readonly { readonly content: string }[]): number =>
			list.reduce((total, { content }) => total + content.length / 4, 0);
		const start = performance.now();
		await peer.trimMessages(theirs, { maxTokens: 1e9, tokenCounter, strategy: "last", includeSystem: true });
		took += (performance.now() - start) * EVERY * 4;
	}
	console.log(`| LangChain trimMessages at every step, nothing to trim | ${ratio(took, base)} |`);
}
