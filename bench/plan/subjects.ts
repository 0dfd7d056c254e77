// What is measured: our planners with token totals, and what others have for the same work.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ModelMessage } from "ai";
import heuristic from "../../plugins/counters/heuristic.ts";
import keepRecent from "../../plugins/strategies/keep-recent.ts";
import summarizeOlder from "../../plugins/strategies/summarize-older.ts";
import { createAccount, type TokenAccount } from "../../src/core/transcript/account.ts";
import type { Message } from "../../src/core/transcript/message.ts";
import { findUnits, type Units } from "../../src/core/transcript/units.ts";
import { createHost } from "../../src/platform/create-host.ts";
import type { Counter, PlanContext, PlanningStrategy } from "../../src/plugin.ts";

const root: string = fileURLToPath(new URL("../..", import.meta.url));
const host: ReturnType<typeof createHost> = createHost({ baseUrl: undefined, languageModel: undefined });
const SUMMARY = {
	template: "default",
	summaryTokens: { fraction: 0.2, max: 6000 },
	parseOutput: true,
	malformed: "raw",
	empty: "accept",
	summaryRole: "user",
	ledger: {},
} as const;

/** The default counter. */
export const counter: Counter = await heuristic.create({}, host);
const selection = { keepLast: 8, preserveKinds: [] };
/** Our two planners. */
export const planners: Readonly<Record<"keep-recent" | "summarize-older", PlanningStrategy>> = {
	"keep-recent": (await keepRecent.create(selection, host)) as PlanningStrategy,
	"summarize-older": (await summarizeOlder.create(
		{ ...selection, ...SUMMARY } as never,
		host,
	)) as PlanningStrategy,
};

/** An account that has counted nothing yet. */
export const newAccount = (): TokenAccount => createAccount(counter);

/** What a plan says. */
export interface Planned {
	readonly evicted: readonly number[];
	readonly evictedTokens: number;
	readonly keptTokens: number;
}

/** Plans, and sums the tokens of what is kept and of what is evicted. */
export function plan(
	planner: PlanningStrategy,
	messages: readonly Message[],
	account: TokenAccount,
): Planned {
	let units: Units | undefined;
	const tokens = account.list(messages);
	const context: PlanContext = {
		targetTokens: 112_000,
		get totalTokens(): number {
			return account.total(messages);
		},
		countTokens: (of) => (typeof of === "string" ? counter.text(of) : (tokens[of] ?? 0)),
		get units(): Units {
			units ??= findUnits(messages);
			return units;
		},
		reason: { trigger: "manual", detail: "" },
		signal: new AbortController().signal,
	};
	const edits = planner.plan(messages, context);
	if (edits instanceof Promise) throw new TypeError("a built-in planner does not wait");
	// Of the planners measured here, one edit changes something at most; others are notes.
	const [edit] = edits;
	const evicted =
		edit === undefined ? [] : "drop" in edit ? edit.drop : "summarize" in edit ? edit.summarize : [];
	let evictedTokens = 0;
	for (const index of evicted) evictedTokens += tokens[index] ?? 0;
	return { evicted, evictedTokens, keptTokens: account.total(messages) - evictedTokens };
}

interface LangChain {
	readonly trimMessages: (
		messages: readonly unknown[],
		options: Readonly<Record<string, unknown>>,
	) => Promise<readonly unknown[]>;
	readonly toMessage: (message: ModelMessage) => unknown;
}

/** LangChain's trimmer, where it was installed by `npm ci --prefix bench/peers`. */
export async function langChain(): Promise<LangChain | undefined> {
	const path = join(root, "bench/peers/node_modules/@langchain/core/dist/messages/index.js");
	if (!existsSync(path)) return undefined;
	// biome-ignore lint/suspicious/noExplicitAny: a package that is installed elsewhere
	const found = (await import(pathToFileURL(path).href)) as Record<string, any>;
	return {
		trimMessages: found.trimMessages,
		toMessage({ role, content }) {
			const parts = typeof content === "string" ? [] : content;
			const text =
				typeof content === "string"
					? content
					: parts.map((part) => ("text" in part ? part.text : "")).join("");
			if (role === "system") return new found.SystemMessage(text);
			if (role === "user") return new found.HumanMessage(text);
			if (role === "assistant") {
				const calls = parts.flatMap((part) =>
					part.type === "tool-call"
						? [{ id: part.toolCallId, name: part.toolName, args: part.input, type: "tool_call" }]
						: [],
				);
				return new found.AIMessage({ content: text, tool_calls: calls });
			}
			const [result] = parts;
			const output = result?.type === "tool-result" ? result.output : undefined;
			return new found.ToolMessage({
				content: output?.type === "text" ? output.value : JSON.stringify(output),
				tool_call_id: result?.type === "tool-result" ? result.toolCallId : "",
			});
		},
	};
}

/** The shared transcripts by name. */
export function sharedTranscripts(): Readonly<Record<string, ModelMessage[]>> {
	const folder = join(process.env.PRECIS_SHARED ?? join(root, "../shared"), "data");
	if (!existsSync(folder)) return {};
	const names = readdirSync(folder).filter((name) => name.endsWith(".json") && !name.includes("compactions"));
	return Object.fromEntries(
		names.map((name) => [
			name.slice(0, -5),
			JSON.parse(readFileSync(join(folder, name), "utf8")) as ModelMessage[],
		]),
	);
}
