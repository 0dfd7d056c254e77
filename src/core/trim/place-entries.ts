import { bulletOf, headingOf, isEntry, listSections } from "../render/render-summary.ts";
import type { Sections, Template } from "../template/template.ts";
import { LEAST_CHARACTERS } from "./cut-text.ts";

/** An entry, and where it stands in a render. */
export interface PlacedEntry {
	readonly section: string;
	readonly text: string;
	/** The index of its first line. */
	readonly start: number;
	/** The index behind its last line. */
	readonly end: number;
	/** Whether its section was listed before: what a template lists twice is rendered twice. */
	readonly isRepeated: boolean;
}

/** A render as lines, with the places where it may be cut. */
export interface PlacedSummary {
	readonly lines: readonly string[];
	/** The line counts that may be kept, ascending. */
	readonly cuts: readonly number[];
	readonly entries: readonly PlacedEntry[];
	/** Whether these are all lines. */
	readonly whole: boolean;
	/** The characters of the lines, in UTF-16 units, line breaks included. */
	readonly length: number;
}

/** Where the entries of a summary stand in its render, as far as the line that goes beyond so many UTF-16 units. */
export function placeEntries(sections: Sections, template: Template, most: number): PlacedSummary {
	const lines = template.header.split("\n");
	const cuts: number[] = [];
	const entries: PlacedEntry[] = [];
	const seen = new Set<string>();
	let length = template.header.length;
	for (const { section, entries: listed } of listSections(sections, template)) {
		let isOpen = false;
		const isRepeated = seen.has(section.id);
		seen.add(section.id);
		for (const text of listed) {
			if (!isEntry(text)) continue;
			if (length > most) return { lines, cuts, entries, whole: false, length };
			if (!isOpen) {
				const heading = headingOf(section);
				lines.push("", heading);
				length += heading.length + 2;
				isOpen = true;
			}
			const start = lines.length;
			if (!text.includes("\n") && !text.includes("\r")) {
				length += text.length + 3;
				lines.push(`- ${text}`);
				cuts.push(lines.length);
			} else {
				const bullet = bulletOf(text);
				length += bullet.length + 1;
				placeLines(bullet.split("\n"), lines, cuts, entries.length === 0);
			}
			entries.push({ section: section.id, text, start, end: lines.length, isRepeated });
		}
	}
	return { lines, cuts, entries, whole: true, length };
}

/** The lines of one entry. Of the first entry enough must be left to say something, unless it is whole. */
function placeLines(bullet: readonly string[], lines: string[], cuts: number[], isFirst: boolean): void {
	let characters = 0;
	for (const [index, line] of bullet.entries()) {
		lines.push(line);
		characters += line.slice(2).length;
		const isLast = index === bullet.length - 1;
		if (isLast || (line !== "" && (!isFirst || characters >= LEAST_CHARACTERS))) cuts.push(lines.length);
	}
}
