import type { TemplateSection } from "../template/template.ts";
import type { EntryBuilder } from "./entry-builder.ts";

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

/** The section whose heading was met last. */
export interface OpenSection extends HeadingForm {
	readonly section: TemplateSection;
	readonly entries: EntryBuilder[];
	/** How many entries it had when this heading was met. */
	readonly before: number;
}

/** The entries of all sections while an answer is read. */
export class SectionLists {
	private readonly lists = new Map<string, EntryBuilder[]>();
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

	/** The last entry below the heading that was met last. */
	get lastEntry(): EntryBuilder | undefined {
		const { open } = this;
		return open !== undefined && open.entries.length > open.before ? open.entries.at(-1) : undefined;
	}

	/** Words to the reader below the last bullet, "Hope that helps!", are no entry. */
	dropClosingRemarks(): void {
		const { open } = this;
		if (open === undefined) return;
		const lastBullet = open.entries.findLastIndex((entry) => !entry.isProse);
		if (lastBullet < open.before || lastBullet === open.entries.length - 1) return;
		this.hasRemarks = true;
		open.entries.length = lastBullet + 1;
	}

	summary(): HeadingSummary {
		const lists = new Map<string, readonly string[]>();
		let first: number | undefined;
		let last: number | undefined;
		let lastSection: string | undefined;
		let end = -1;
		for (const [id, entries] of this.lists) {
			const texts: string[] = [];
			for (const entry of entries) {
				const { text, offset } = entry;
				if (text === "") continue;
				texts.push(text);
				if (entry.isProse) this.hasRemarks = true;
				else {
					if (first === undefined || offset < first) first = offset;
					if (last === undefined || offset > last) last = offset;
				}
				if (offset > end) {
					end = offset;
					lastSection = id;
				}
			}
			lists.set(id, texts);
		}
		const { recognized, hasRemarks } = this;
		// Paragraphs alone are no summary: nobody can tell what in them is an entry.
		if (first === undefined || last === undefined || lastSection === undefined)
			return { lists: new Map(), recognized, hasRemarks };
		return { lists, recognized, hasRemarks, first, last, lastSection };
	}
}
