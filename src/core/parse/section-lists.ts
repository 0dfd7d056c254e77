import type { TemplateSection } from "../template/template.ts";
import { EntryBuilder } from "./entry-builder.ts";

/** What was found under headings. */
export interface HeadingSummary {
	readonly lists: ReadonlyMap<string, readonly string[]>;
	/** Whether any heading, or the stub, was there. */
	readonly recognized: boolean;
	/** Whether there was text that belongs to no section, or says what no bullet says. */
	readonly hasRemarks: boolean;
	/** Where the first and the last bullet start, in characters of the text; absent where there is none. */
	readonly first?: number;
	readonly last?: number;
	/** The section of the entry that stands last. */
	readonly lastSection?: string;
}

/** How a heading is written: with hashes, as a line alone, or as an item of an outline. */
export interface HeadingForm {
	readonly style: "hashes" | "line" | "item";
	/** How many hashes. */
	readonly depth: number;
	readonly column: number;
	readonly numbered: boolean;
}

/** An entry: as text where its one line says all, else as it is put together. */
type Entry = string | EntryBuilder;

/** The section whose heading was met last. */
export interface OpenSection extends HeadingForm {
	readonly section: TemplateSection;
	readonly entries: Entry[];
	/** How many entries it had when this heading was met. */
	readonly before: number;
}

function isProse(entry: Entry): boolean {
	return typeof entry !== "string" && entry.isProse;
}

/** The entries of all sections while an answer is read. */
export class SectionLists {
	private readonly lists = new Map<string, Entry[]>();
	private first: number | undefined;
	private last: number | undefined;
	private lastSection: string | undefined;
	open: OpenSection | undefined;
	recognized = false;
	hasRemarks = false;

	/** Goes on below the heading of a section, which may have come before. */
	openSection(section: TemplateSection, form: HeadingForm): void {
		this.recognized = true;
		const entries = this.lists.get(section.id) ?? [];
		this.lists.set(section.id, entries);
		this.open = { section, entries, before: entries.length, ...form };
	}

	closeSection(): void {
		this.open = undefined;
		this.hasRemarks = true;
	}

	/** Adds an entry to the open section; `offset` is where its line starts. */
	add(entry: Entry, offset: number): void {
		const { open } = this;
		if (open === undefined) return;
		open.entries.push(entry);
		this.lastSection = open.section.id;
		if (isProse(entry)) return;
		this.first ??= offset;
		this.last = offset;
	}

	/** The last entry below the heading that was met last, to be added to. */
	get lastEntry(): EntryBuilder | undefined {
		const { open } = this;
		if (open === undefined || open.entries.length === open.before) return undefined;
		const last = open.entries.at(-1);
		if (typeof last !== "string") return last;
		const builder = new EntryBuilder(last, false, 0, 2);
		open.entries[open.entries.length - 1] = builder;
		return builder;
	}

	/** Words to the reader below the last bullet, "Hope that helps!", are no entry. */
	dropClosingRemarks(): void {
		const { open } = this;
		if (open === undefined) return;
		const lastBullet = open.entries.findLastIndex((entry) => !isProse(entry));
		if (lastBullet < open.before || lastBullet === open.entries.length - 1) return;
		this.hasRemarks = true;
		open.entries.length = lastBullet + 1;
	}

	summary(): HeadingSummary {
		let { hasRemarks } = this;
		let hasBullets = false;
		const lists = new Map<string, readonly string[]>();
		for (const [id, entries] of this.lists) {
			const texts: string[] = [];
			for (const entry of entries) {
				const text = typeof entry === "string" ? entry : entry.text;
				if (text === "") continue;
				texts.push(text);
				if (isProse(entry)) hasRemarks = true;
				else hasBullets = true;
			}
			lists.set(id, texts);
		}
		const { recognized, first, last, lastSection } = this;
		// Paragraphs alone are no summary: nobody can tell what in them is an entry.
		if (!hasBullets || first === undefined || last === undefined || lastSection === undefined)
			return { lists: new Map(), recognized, hasRemarks };
		return { lists, recognized, hasRemarks, first, last, lastSection };
	}
}
