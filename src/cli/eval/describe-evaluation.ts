import { count, dollars, plural } from "../format.ts";
import { CUT_SHARES } from "./cut-points.ts";
import type { Subject } from "./measure-pass.ts";
import type { Tally } from "./tally.ts";

/** A config and what it came to. */
export interface EvaluatedConfig {
	readonly config: string;
	readonly budgets: readonly Tally[];
}

const HEAD = ["budget", "identifiers kept", "tokens saved", "summary", "valid", "ms", "calls", "cost"];
const NONE = "–";

function percent(share: number | null): string {
	return share === null ? NONE : `${Number((share * 100).toFixed(1))} %`;
}

function row(found: Tally): readonly string[] {
	const { budget, identifiers, tokens, milliseconds, usage, valid, compacted, unchanged } = found;
	const kept =
		identifiers.needed === 0 ? NONE : `${percent(identifiers.recall)} of ${count(identifiers.needed)}`;
	const { median } = milliseconds;
	return [
		budget === "own" ? budget : percent(budget),
		kept,
		tokens.saved === null ? NONE : `${percent(tokens.saved)} of ${count(tokens.before)}`,
		compacted === 0 || tokens.summary === 0 ? NONE : count(tokens.summary / compacted),
		`${valid}/${compacted + unchanged}`,
		median === null ? NONE : median.toFixed(median < 10 ? 1 : 0),
		count(usage.calls),
		usage.costUSD === null ? "unknown" : dollars(usage.costUSD),
	];
}

/** Cells in columns, set to the right. */
function columns(lines: readonly (readonly string[])[]): string {
	const widths = HEAD.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
	return lines
		.map((line) => `  ${line.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  ")}\n`)
		.join("");
}

/** What passes came to beside their figures, one line for each config and budget that needs it. */
function notes(found: Tally): readonly string[] {
	const said = [
		[found.unchanged, "unchanged"],
		[found.tooSmall, "with too small a budget for any summary"],
		[found.failed, "failed"],
	] as const;
	const told = said.flatMap(([many, what]) => (many === 0 ? [] : `${many} ${what}`));
	const name = found.budget === "own" ? "own budget" : percent(found.budget);
	return told.length === 0 ? [] : [`${name}: of ${count(found.passes)} passes ${told.join(", ")}`];
}

/** The measured configs for people: a block for each, its columns in line with those of the others. */
export function describeEvaluation(
	subjects: readonly Subject[],
	configs: readonly EvaluatedConfig[],
): string {
	const cuts = subjects.reduce((sum, subject) => sum + subject.cuts.length, 0);
	const at = CUT_SHARES.map((share) => Math.round(share * 100)).join(", ");
	const head = `${plural(subjects.length, "transcript")}, ${plural(cuts, "cut")} at about ${at} % of the messages\n`;
	const grid = columns([HEAD, ...configs.flatMap(({ budgets }) => budgets.map(row))]).split("\n");
	let next = 1;
	const blocks = configs.map(({ config, budgets }) => {
		const lines = grid.slice(next, next + budgets.length);
		next += budgets.length;
		const under = budgets.flatMap(notes).map((note) => `  ${note}`);
		return `\n${config}\n${[grid[0], ...lines, ...under].join("\n")}\n`;
	});
	return `${head}${blocks.join("")}`;
}
