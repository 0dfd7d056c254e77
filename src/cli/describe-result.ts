import type { ModelMessage } from "ai";
import { kindOf } from "../core/transcript/kinds.ts";
import type { CompactionResult } from "../result/compaction-result.ts";
import { count, dollars, plural, table } from "./format.ts";
import type { Paint } from "./reporter.ts";

/** The files of a run, as messages name them. */
export interface RunFiles {
	readonly input: string;
	readonly target: { readonly name: string; readonly path: string | undefined };
	readonly archive: string | undefined;
}

const UNCHANGED: Readonly<Record<NonNullable<CompactionResult["unchanged"]>, string>> = {
	"not-needed": "the trigger did not fire; --force compacts all the same",
	"nothing-to-evict": "the strategy found nothing that may go",
	"no-progress": "the result would hardly have been smaller",
};

function byKind(messages: readonly ModelMessage[]): string {
	const counts = new Map<string, number>();
	for (const message of messages) counts.set(kindOf(message), (counts.get(kindOf(message)) ?? 0) + 1);
	return [...counts]
		.sort(([left, a], [right, b]) => b - a || (left < right ? -1 : 1))
		.map(([kind, many]) => `${count(many)} ${kind}`)
		.join(", ");
}

function summaryRows(result: CompactionResult): (readonly [string, string])[] {
	const { summary, tokens } = result;
	if (summary === undefined) return [];
	const sections = Object.entries(summary.sections)
		.filter(([, entries]) => entries.length > 0)
		.map(([id, entries]) => `${id.replaceAll("_", " ")} ${entries.length}`);
	const marks = [
		...(summary.empty ? ["empty"] : []),
		...(summary.trimmed ? ["trimmed to its budget"] : []),
		...(summary.source === "raw" ? ["the answer had no known form and was kept as it is"] : []),
	];
	const budget = tokens.summaryBudget === undefined ? "" : `at most ${count(tokens.summaryBudget)} tokens`;
	return [["summary", [sections.join(", "), ...marks, budget].filter((part) => part !== "").join("; ")]];
}

const MOST_NOTES = 4;

/** What did not go as it was asked for: a backend that failed before another one answered, a message that had to stay. */
function noteRows({ log }: CompactionResult): (readonly [string, string])[] {
	const notes = new Set(log.flatMap(({ edit, why }) => (edit === "note" || edit === "failed" ? [why] : [])));
	const rows = [...notes].slice(0, MOST_NOTES).map((why) => ["note", why] as const);
	const more = notes.size - rows.length;
	return more > 0 ? [...rows, ["note", `${count(more)} more; --json has them all`]] : rows;
}

/** What a run did, in a few lines for people. */
export function describeResult(
	result: CompactionResult,
	messages: readonly ModelMessage[],
	files: RunFiles,
	paint: Paint,
): string {
	const { tokens, usage, evicted } = result;
	const isChanged = result.status === "compacted";
	const headline = isChanged
		? `${paint.green("compacted")} ${paint.bold(files.input)}: ${result.reason.detail}`
		: `${paint.yellow("unchanged")} ${paint.bold(files.input)}: ${UNCHANGED[result.unchanged ?? "no-progress"]}`;
	const rows: (readonly [string, string])[] = [];
	const over =
		tokens.after > tokens.target ? paint.yellow(` (still over the target of ${count(tokens.target)})`) : "";
	if (isChanged) {
		rows.push(["messages", `${count(messages.length)} → ${count(result.messages.length)}`]);
		rows.push(["tokens", `${count(tokens.before)} → ${count(tokens.after)}${over}`]);
		rows.push(["evicted", `${plural(evicted.length, "message")}: ${byKind(evicted)}`]);
		rows.push(...summaryRows(result));
	} else {
		rows.push(["messages", count(messages.length)]);
		rows.push(["tokens", `${count(tokens.before)}, target ${count(tokens.target)}`]);
	}
	if (usage.calls > 0) {
		const cost = usage.costUSD === undefined ? "" : `, ${dollars(usage.costUSD)}`;
		const input = usage.inputTokens === undefined ? "" : `, ${count(usage.inputTokens)} tokens in`;
		const output = usage.outputTokens === undefined ? "" : `, ${count(usage.outputTokens)} out`;
		rows.push(["backend", `${plural(usage.calls, "call")}${input}${output}${cost}`]);
	}
	rows.push(...noteRows(result));
	if (isChanged && files.archive !== undefined) rows.push(["archived", files.archive]);
	if (files.target.path !== undefined && (isChanged || files.target.name !== files.input)) {
		rows.push(["written", files.target.name]);
	}
	return `${headline}\n${table(rows.map(([name, text]) => [paint.dim(name), text] as const))}`;
}
