import { isCompactionError } from "../../errors/compaction-error.ts";
import { readTranscript } from "../../formats/read-transcript.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../read-input.ts";
import type { Reporter } from "../reporter.ts";
import { cutPoints } from "./cut-points.ts";
import { IdentifierReader } from "./identifier-reader.ts";
import type { Subject } from "./measure-pass.ts";

/** A transcript that could not be measured, and why. */
export interface Skipped {
	readonly file: string;
	readonly message: string;
}

/** Transcripts ready to be measured, and those that are not. */
export interface Subjects {
	readonly subjects: readonly Subject[];
	readonly unreadable: readonly Skipped[];
	/** Those that cannot be cut: too few messages, or all of one unit. */
	readonly tooShort: readonly Skipped[];
}

/** Reads transcripts and finds where to cut them. One that cannot be read is kept as such. */
export async function readSubjects(
	files: readonly string[],
	io: CliIo,
	reporter: Reporter,
): Promise<Subjects> {
	const subjects: Subject[] = [];
	const unreadable: Skipped[] = [];
	const tooShort: Skipped[] = [];
	for (const file of files) {
		try {
			const input = await readInput(file, io, reporter);
			const messages = [...readTranscript(input.text, input.name).messages];
			const cuts = cutPoints(messages);
			if (cuts.length === 0) tooShort.push({ file, message: `"${file}" has no place to be cut.` });
			else {
				const reader = new IdentifierReader(messages);
				subjects.push({ file, messages, copy: structuredClone(messages), reader, cuts });
			}
		} catch (error) {
			const isOfInput =
				error instanceof CliError || (isCompactionError(error) && error.code === "TRANSCRIPT_INVALID");
			if (!isOfInput) throw error;
			unreadable.push({ file, message: error.message });
		}
	}
	return { subjects, unreadable, tooShort };
}
