import type { Stats } from "node:fs";
import { basename, resolve } from "node:path";
import { CompactionError } from "../errors/compaction-error.ts";
import { decodeText } from "../formats/decode-text.ts";
import { CliError, reasonOf, usageError } from "./cli-error.ts";
import type { CliIo } from "./io.ts";
import type { Reporter } from "./reporter.ts";

/** An input that was read to its end. */
export interface Input {
	/** As messages name it. */
	readonly name: string;
	/** Absolute; undefined for standard input. */
	readonly path: string | undefined;
	/** How the file stood before it was read. */
	readonly stats: Stats | undefined;
	readonly bytes: Uint8Array;
	readonly text: string;
}

async function readAll(io: CliIo): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	const iterator = io.stdin[Symbol.asyncIterator]();
	const aborted = new Promise<never>((_, reject) => {
		const abort = (): void => reject(new CompactionError("CANCELLED", "Cannot read on: interrupted"));
		if (io.signal.aborted) abort();
		io.signal.addEventListener("abort", abort, { once: true });
	});
	for (;;) {
		const next = await Promise.race([iterator.next(), aborted]);
		if (next.done === true) break;
		chunks.push(next.value);
	}
	const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, at);
		at += chunk.length;
	}
	return bytes;
}

/**
 * Reads a file, or standard input where none is named or its name is "-".
 * @throws CliError where there is nothing to read
 */
export async function readInput(file: string | undefined, io: CliIo, reporter: Reporter): Promise<Input> {
	const isStdin = file === undefined || file === "-";
	if (file === undefined && io.stdin.isTTY === true) {
		throw usageError('Cannot read from the terminal: name a FILE, pipe something in, or say "-".');
	}
	const path = isStdin ? undefined : resolve(io.cwd, file);
	const name = isStdin ? "standard input" : file;
	let bytes: Uint8Array;
	let stats: Stats | undefined;
	try {
		stats = path === undefined ? undefined : await io.files.stat(path);
		bytes = path === undefined ? await readAll(io) : await io.files.readFile(path);
	} catch (cause) {
		if (cause instanceof CompactionError || cause instanceof CliError) throw cause;
		throw usageError(`Cannot read "${name}": ${reasonOf(cause)}.`, cause);
	}
	const { text, replaced } = decodeText(bytes, name);
	if (replaced) {
		reporter.warn(
			`"${path === undefined ? name : basename(path)}" holds bytes that are no UTF-8; they were read as U+FFFD.`,
		);
	}
	return { name, path, stats, bytes, text };
}
