import { usageError } from "../cli-error.ts";
import { readBudgets } from "../eval/budgets.ts";
import { CUT_SHARES } from "../eval/cut-points.ts";
import { describeEvaluation } from "../eval/describe-evaluation.ts";
import { listTranscripts } from "../eval/list-transcripts.ts";
import { measureConfig } from "../eval/measure-config.ts";
import type { Budget, Measurement, Subject } from "../eval/measure-pass.ts";
import { type MeasuredConfig, openConfig } from "../eval/open-config.ts";
import { readSubjects, type Subjects } from "../eval/read-subjects.ts";
import { isDone, tallies } from "../eval/tally.ts";
import type { CommonFlags, EvalFlags } from "../flags.ts";
import { json } from "../format.ts";
import type { CliIo } from "../io.ts";
import { createReporter, type Reporter } from "../reporter.ts";

/** A config with its measurements. */
interface Measured {
	readonly config: string;
	readonly measurements: readonly Measurement[];
}

async function readAll(words: readonly string[], io: CliIo, reporter: Reporter): Promise<Subjects> {
	const files = await listTranscripts(words, io);
	if (files.length === 0) {
		throw usageError(
			`Cannot measure: found no transcript in ${words.length === 0 ? "nothing" : words.map((word) => `"${word}"`).join(", ")}. Name files, or a folder with .json or .jsonl files.`,
		);
	}
	const found = await readSubjects(files, io, reporter);
	for (const { message } of [...found.unreadable, ...found.tooShort]) reporter.warn(`skipped: ${message}`);
	if (found.subjects.length === 0 && found.unreadable.length === 0)
		throw usageError("Cannot measure: no transcript is long enough to be cut. Name longer ones.");
	return found;
}

async function measureAll(
	config: MeasuredConfig,
	subjects: readonly Subject[],
	budgets: readonly Budget[],
	io: CliIo,
): Promise<readonly Measurement[]> {
	const all: Measurement[] = [];
	for (const subject of subjects) {
		for await (const measurement of measureConfig(config, subject, budgets, io.signal)) {
			io.signal.throwIfAborted();
			all.push(measurement);
		}
	}
	return all;
}

/** Says what went wrong, each sentence once. */
function warnOfFaults({ config, measurements }: Measured, reporter: Reporter): void {
	const said = new Set<string>();
	for (const { file, cut, error, status, faults } of measurements) {
		if (status === "failed") said.add(error?.message ?? "");
		for (const fault of faults) said.add(`"${file}" cut before message ${cut}: ${fault}`);
	}
	for (const sentence of said) reporter.warn(`${config}: ${sentence}`);
}

/** `precis eval`: measures configs on transcripts, by what the messages after a cut need of those before it. */
export async function evaluate(words: readonly string[], common: CommonFlags, io: CliIo): Promise<number> {
	const flags: EvalFlags = common;
	const budgets = readBudgets(flags.budgets);
	const reporter = await createReporter(flags, io);
	const configs: MeasuredConfig[] = [];
	// Every config is checked before anything is measured.
	for (const name of flags.configs ?? [undefined]) configs.push(await openConfig(name, flags, io, reporter));
	const { subjects, unreadable, tooShort } = await readAll(words, io, reporter);
	const measured: Measured[] = [];
	for (const config of configs) {
		const work = measureAll(config, subjects, budgets, io);
		measured.push({
			config: config.name,
			measurements: await reporter.during(`measuring ${config.name}`, work),
		});
	}
	const told = measured.map(({ config, measurements }) => ({
		config,
		budgets: tallies(budgets, measurements),
		passes: measurements,
	}));
	await io.stdout.write(
		flags.json === true
			? json({
					cuts: CUT_SHARES,
					transcripts: subjects.map(({ file, messages, cuts }) => ({
						file,
						messages: messages.length,
						cuts,
					})),
					skipped: [
						...unreadable.map((one) => ({ ...one, why: "unreadable" })),
						...tooShort.map((one) => ({ ...one, why: "too-short" })),
					],
					configs: told,
				})
			: describeEvaluation(subjects, told),
	);
	for (const one of measured) warnOfFaults(one, reporter);
	await reporter.flush();
	const isSound = measured.every(({ measurements }) =>
		measurements.every(
			(measurement) =>
				measurement.faults.length === 0 && (isDone(measurement) || measurement.status === "too-small"),
		),
	);
	return isSound && unreadable.length === 0 ? 0 : 1;
}
