import type { Stats } from "node:fs";
import { resolve } from "node:path";
import type { ModelMessage } from "ai";
import type { Compactor } from "../../flow/create-compactor.ts";
import { readTranscript } from "../../formats/read-transcript.ts";
import type { CompactionResult } from "../../result/compaction-result.ts";
import { usageError } from "../cli-error.ts";
import { describeResult } from "../describe-result.ts";
import type { CommonFlags, CompactFlags } from "../flags.ts";
import type { CliIo } from "../io.ts";
import { loadCompactor } from "../load-compactor.ts";
import { type Input, readInput } from "../read-input.ts";
import { createReporter } from "../reporter.ts";
import { warnOfLoneSurrogates } from "../warn-surrogates.ts";
import { appendLines, checkWritable, isSameFile, replaceFile } from "../write-files.ts";

/** Where the transcript goes. */
interface Target {
	/** Absolute; undefined for standard output. */
	readonly path: string | undefined;
	readonly name: string;
	/** How the input file stood when it was read, where it is written itself. */
	readonly since: Stats | undefined;
}

/** Refuses flags that contradict each other, before anything is read. */
async function checkFlags(file: string | undefined, flags: CompactFlags, io: CliIo): Promise<void> {
	const isStdin = file === undefined || file === "-";
	if (flags.inPlace === true && isStdin) {
		throw usageError('Cannot write standard input in place: name a FILE, or write to "--output FILE".');
	}
	if (flags.inPlace === true && flags.output !== undefined) {
		throw usageError(`Cannot write both in place and to "${flags.output}": leave out one of the two flags.`);
	}
	if (flags.archive === undefined) return;
	const archive = resolve(io.cwd, flags.archive);
	for (const other of [isStdin ? undefined : file, flags.output]) {
		if (other === undefined || !(await isSameFile(resolve(io.cwd, other), archive, io))) continue;
		throw usageError(
			`Cannot archive to "${flags.archive}": the transcript itself is there. Name another file.`,
		);
	}
}

/** Refuses to write over the config: the next run would find a transcript in its place. */
async function checkConfigStays(config: string | undefined, flags: CompactFlags, io: CliIo): Promise<void> {
	if (config === undefined) return;
	for (const name of [flags.archive, flags.output]) {
		if (name === undefined || !(await isSameFile(resolve(io.cwd, name), config, io))) continue;
		throw usageError(`Cannot write "${name}": the config is there. Name another file.`);
	}
}

async function targetOf(input: Input, flags: CompactFlags, io: CliIo): Promise<Target> {
	if (flags.archive !== undefined) await checkWritable(resolve(io.cwd, flags.archive), flags.archive, io);
	if (flags.inPlace === true && input.path !== undefined) {
		await checkWritable(input.path, input.name, io);
		return { path: input.path, name: input.name, since: input.stats };
	}
	if (flags.output === undefined) return { path: undefined, name: "standard output", since: undefined };
	const path = resolve(io.cwd, flags.output);
	await checkWritable(path, flags.output, io);
	return { path, name: flags.output, since: undefined };
}

/** The result where nothing asked for a pass. */
function notNeeded(compactor: Compactor, messages: readonly ModelMessage[]): CompactionResult {
	const tokens = compactor.countTokens(messages);
	return {
		status: "unchanged",
		unchanged: "not-needed",
		reason: { trigger: "none", detail: "The trigger did not fire." },
		messages: [...messages],
		replaced: 0,
		evicted: [],
		provenance: messages.map((_, kept) => ({ kept })),
		tokens: { before: tokens, after: tokens, target: compactor.targetTokens },
		usage: { calls: 0 },
		log: [],
		metadata: {},
		applyTo: (longer) => [...longer],
	};
}

async function write(
	data: string | Uint8Array,
	evicted: string,
	target: Target,
	flags: CompactFlags,
	io: CliIo,
): Promise<void> {
	// The archive first: after a fault in between there are too many copies of a message rather than none.
	const undo =
		flags.archive === undefined || evicted === ""
			? undefined
			: await appendLines(resolve(io.cwd, flags.archive), flags.archive, evicted, io);
	try {
		if (target.path !== undefined) {
			await replaceFile(target.path, target.name, data, io, { since: target.since });
		} else if (flags.json !== true) await io.stdout.write(data);
	} catch (error) {
		await undo?.();
		throw error;
	}
}

/** `precis compact`: makes a transcript shorter. */
export async function compact(file: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags: CompactFlags = common;
	await checkFlags(file, flags, io);
	const reporter = await createReporter(flags, io);
	const input = await readInput(file, io, reporter);
	const target = await targetOf(input, flags, io);
	const transcript = readTranscript(input.text, input.name);
	warnOfLoneSurrogates(input.text, transcript, reporter);
	const { messages } = transcript;
	const { compactor, file: config } = await loadCompactor(flags, io, reporter);
	await checkConfigStays(config, flags, io);
	const reason = flags.force
		? { trigger: "manual", detail: "Asked for by --force." }
		: compactor.shouldCompact(messages);
	const result =
		reason === undefined
			? notNeeded(compactor, messages)
			: await reporter.during(
					`compacting ${messages.length} messages`,
					compactor.compact(messages, { reason, signal: io.signal }),
				);
	io.signal.throwIfAborted();
	const isChanged = result.status === "compacted";
	// A file that is to stay as it is is not touched.
	if (isChanged || flags.inPlace !== true) {
		const data = isChanged ? transcript.write(result.messages) : input.bytes;
		const evicted = isChanged ? transcript.writeLines(result.evicted) : "";
		await write(data, evicted, target, flags, io);
	}
	if (flags.json === true)
		await io.stdout.write(`${JSON.stringify({ version: 1, ...result }, null, "\t")}\n`);
	reporter.say(
		describeResult(result, messages, { input: input.name, target, archive: flags.archive }, reporter.paint),
	);
	await reporter.flush();
	return 0;
}
