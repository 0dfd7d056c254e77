import { STUB, TRIMMED } from "../render/fixed-lines.ts";
import type { Lists } from "./gathered.ts";
import type { KnownSections } from "./known-sections.ts";

/**
 * Reads a text that is, to the letter, what rendering with this template writes, trimmed or not; undefined for any
 * other. It undoes the render exactly, where the reader of a model's answer joins wrapped lines.
 */
export function readRender(text: string, known: KnownSections): Lists | undefined {
	const head = `${known.template.header}\n\n`;
	if (!text.startsWith(head)) return undefined;
	let body = text.slice(head.length);
	if (body.endsWith("\n")) body = body.slice(0, -1);
	const end = `\n\n${TRIMMED}`;
	if (body.endsWith(end)) body = body.slice(0, -end.length);
	const lists = new Map<string, string[]>();
	if (body === STUB) return lists;
	const byHeading = new Map(known.sections.map((section) => [`### ${section.title}`, section.id]));
	let entries: string[] | undefined;
	let entry: string | undefined;
	let blanks = 1;
	const finish = (): void => {
		if (entry !== undefined) entries?.push(entry);
		entry = undefined;
	};
	for (const line of body.split("\n")) {
		if (line === "") {
			if (entry === undefined) return undefined;
			blanks += 1;
		} else if (line.startsWith("  ") && entry !== undefined) {
			entry += `${"\n".repeat(blanks + 1)}${line.slice(2)}`;
			blanks = 0;
		} else if (line.startsWith("- ") && blanks === 0 && entries !== undefined) {
			finish();
			entry = line.slice(2);
		} else {
			const id = byHeading.get(line);
			if (id === undefined || blanks !== 1 || (entries !== undefined && entry === undefined))
				return undefined;
			finish();
			entries = lists.get(id) ?? [];
			lists.set(id, entries);
			blanks = 0;
		}
	}
	if (entry === undefined || blanks > 0) return undefined;
	finish();
	return lists;
}
