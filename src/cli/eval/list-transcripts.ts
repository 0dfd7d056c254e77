import { join, resolve } from "node:path";
import { reasonOf, usageError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";

const TRANSCRIPT = /\.(?:json|jsonl|ndjson)$/i;

/**
 * The transcript files that words name: files as they are, and of a folder those in it that end in .json, .jsonl or
 * .ndjson, by name. Each once.
 * @throws CliError of usage where there is nothing of that name
 */
export async function listTranscripts(words: readonly string[], io: CliIo): Promise<readonly string[]> {
	const files: string[] = [];
	for (const word of words) {
		if (word === "-") {
			files.push(word);
			continue;
		}
		try {
			if (!(await io.files.stat(resolve(io.cwd, word))).isDirectory()) {
				files.push(word);
				continue;
			}
			const names = await io.files.readdir(resolve(io.cwd, word));
			files.push(
				...names
					.filter((name) => TRANSCRIPT.test(name))
					.sort()
					.map((name) => join(word, name)),
			);
		} catch (cause) {
			throw usageError(`Cannot read "${word}": ${reasonOf(cause)}.`, cause);
		}
	}
	return [...new Set(files)];
}
