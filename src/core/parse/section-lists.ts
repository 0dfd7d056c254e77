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
		let first: number | undefined;
		let last: number | undefined;
		let lastSection: string | undefined;
		let end = -1;
		const all = [...this.lists].map(([id, entries]) => ({
			id,
			entries: entries.flatMap((entry) => {
				const { text, isProse, offset } = entry;
				return text === "" ? [] : { text, isProse, offset };
			}),
		}));
		for (const { id, entries } of all) {
			for (const { isProse, offset } of entries) {
				if (isProse) this.hasRemarks = true;
				else {
					first = Math.min(first ?? offset, offset);
					last = Math.max(last ?? offset, offset);
				}
				if (offset > end) {
					end = offset;
					lastSection = id;
				}
			}
		}
		// Paragraphs alone are no summary: nobody can tell what in them is an entry.
		const hasBullets = first !== undefined;
		const lists = new Map(
			all.map(({ id, entries }) => [id, hasBullets ? entries.map(({ text }) => text) : []] as const),
		);
		return {
			lists,
			recognized: this.recognized,
			hasRemarks: this.hasRemarks,
			...(first === undefined ? {} : { first }),
			...(last === undefined ? {} : { last }),
			...(lastSection === undefined ? {} : { lastSection }),
		};
	}
}
