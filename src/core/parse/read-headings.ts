import { ENDING, OPENING, STUB, TRIMMED } from "../render/fixed-lines.ts";
import type { TemplateSection } from "../template/template.ts";
import { type Entry, EntryBuilder } from "./entry-builder.ts";
import type { KnownSections } from "./known-sections.ts";
import {
	bulletText,
	columnOf,
	type Fence,
	fenceAt,
	hashesAt,
	isNumbered,
	isRule,
	startOf,
	trimUnseen,
} from "./line-shape.ts";
import { matchHeading, matchTitle } from "./match-title.ts";
import { saysNothing } from "./says-nothing.ts";
import { looksWrapped } from "./wrapped.ts";

/** What was found under headings. */
export interface HeadingSummary {
	readonly lists: ReadonlyMap<string, readonly string[]>;
	/** Whether any heading, or the stub, was there. */
	readonly recognized: boolean;
	/** Whether there was text that belongs to no section, or says what no bullet says. */
	readonly hasRemarks: boolean;
	/** Offsets of the first and the last entry, in characters of the text; absent where there is none. */
	readonly first?: number;
	readonly last?: number;
	/** The section of the entry that stands last. */
	readonly lastSection?: string;
}

interface OpenSection {
	readonly section: TemplateSection;
	/** How its heading is written: with hashes, as a line alone, or as an item of an outline. */
	readonly style: "hashes" | "line" | "item";
	/** How many hashes. */
	readonly depth: number;
	readonly column: number;
	readonly numbered: boolean;
	/** How many entries it had when this heading was met. */
	readonly before: number;
}

const TAG_ALONE = /^<\/?[a-z][^<>]{0,200}>$/i;
const EMPHASIZED = /^(\*\*|__|\*|_)(?=\S)[^*_]{1,200}\1\s*[:：]?$/;
const HAS_TEXT = /[\p{L}\p{N}]/u;

/** Reads an answer line by line; each line is looked at once, and a few are looked ahead to. */
class HeadingReader {
	private readonly known: KnownSections;
	private readonly lines: readonly string[];
	private readonly lists = new Map<string, Entry[]>();
	private readonly header: ReadonlySet<string>;
	private open: OpenSection | undefined;
	private builder: EntryBuilder | undefined;
	/** A paragraph under a heading that is still going on. */
	private paragraph: Entry | undefined;
	private outerFence: Fence | undefined;
	/** For each kind of fence, the line from which on nothing closes it. */
	private readonly unclosed = new Map<string, number>();
	private afterBlank = true;
	private recognized = false;
	private hasRemarks = false;
	private line = 0;
	private offset = 0;

	constructor(text: string, known: KnownSections) {
		this.known = known;
		this.lines = text.split("\n");
		this.header = new Set(known.template.header.split("\n").map((line) => line.trim()));
	}

	read(): HeadingSummary {
		while (this.line < this.lines.length) {
			const raw = this.lines[this.line] ?? "";
			this.readLine(raw);
			this.offset += raw.length + 1;
			this.line += 1;
		}
		this.dropClosingRemarks();
		return this.summary();
	}

	private readLine(raw: string): void {
		let line = raw;
		let start = startOf(line);
		if (line.charAt(start) === ">" && (this.builder === undefined || start === 0)) {
			while (line.charAt(start) === ">") {
				line = line.slice(line.charAt(start + 1) === " " ? start + 2 : start + 1);
				start = startOf(line);
			}
		}
		if (start === line.length) {
			this.afterBlank = true;
			this.paragraph = undefined;
			return;
		}
		this.readText(line, start);
		this.afterBlank = false;
	}

	private readText(line: string, start: number): void {
		if (this.readFence(line, start)) return;
		const column = columnOf(line, start);
		const builder = this.builder;
		if (builder !== undefined && column > builder.column && !this.isOuterHeading(line, start, column)) {
			if (builder.addIndented(line, start, column, this.afterBlank)) return;
		}
		const text = bulletText(line, start);
		if (isRule(line, start) || (text === -1 && this.isFixed(line))) {
			this.builder = undefined;
			this.paragraph = undefined;
			return;
		}
		if (text !== -1) {
			if (!this.readOutline(line, start, column, text)) this.readBullet(line, start, column, text);
		} else if (this.readHeading(line, start, column)) return;
		else if (line.charAt(start) === "|") this.readRow(line);
		else this.readProse(line, start);
	}

	/** A heading no further in than the one above it is a heading, even where a bullet between them is further out. */
	private isOuterHeading(line: string, start: number, column: number): boolean {
		return line.charAt(start) === "#" && this.open !== undefined && column <= this.open.column;
	}

	private isFixed(line: string): boolean {
		const text = line.trim();
		if (text === STUB) this.recognized = true;
		return (
			text === TRIMMED || text === STUB || text === OPENING || text === ENDING || this.isHeaderLine(text)
		);
	}

	private isHeaderLine(text: string): boolean {
		return this.header.has(text) && matchTitle(text, this.known, true) === undefined;
	}

	private openSection(section: TemplateSection, style: OpenSection["style"], at: Partial<OpenSection>): void {
		this.recognized = true;
		this.builder = undefined;
		this.paragraph = undefined;
		const list = this.lists.get(section.id);
		if (list === undefined) this.lists.set(section.id, []);
		this.open = { section, style, depth: 0, column: 0, numbered: false, before: list?.length ?? 0, ...at };
	}

	private get entries(): Entry[] | undefined {
		return this.open === undefined ? undefined : this.lists.get(this.open.section.id);
	}

	private add(lines: string[], isProse: boolean): Entry {
		const entry = { lines, isProse, offset: this.offset };
		this.entries?.push(entry);
		return entry;
	}

	// Headings

	private readHeading(line: string, start: number, column: number): boolean {
		const depth = hashesAt(line, start);
		if (depth > 0) return this.readHashes(line, start, depth, column);
		const bare = line.slice(start).trimEnd();
		const marked = EMPHASIZED.test(bare) || bare.startsWith("**") || bare.startsWith("__");
		const title = matchHeading(bare, this.known, marked);
		if (title === undefined) return this.closesSection(bare);
		this.openSection(title.section, "line", { column });
		this.addInline(title.inline);
		return true;
	}

	private readHashes(line: string, start: number, depth: number, column: number): boolean {
		const rest = line.slice(start + depth);
		const text = rest.trim().replace(/[ \t]+#{1,9}$/, "");
		const title = matchHeading(text, this.known, true);
		if (title !== undefined) {
			this.openSection(title.section, "hashes", { depth, column });
			this.addInline(title.inline);
			return true;
		}
		// "#42 is open" is no heading, nor is a row of hashes.
		if (startOf(rest) === 0 && rest !== "") return false;
		this.builder = undefined;
		this.paragraph = undefined;
		// A deeper heading divides its section; any other ends it.
		if (this.open !== undefined && this.open.depth > 0 && depth > this.open.depth) return true;
		this.open = undefined;
		this.hasRemarks = true;
		return true;
	}

	/** In an answer whose headings are emphasized lines, one that is not known ends the section before it. */
	private closesSection(bare: string): boolean {
		if (this.open?.style !== "line" || !EMPHASIZED.test(bare) || !this.isBulletAhead()) return false;
		this.open = undefined;
		this.builder = undefined;
		this.hasRemarks = true;
		return true;
	}

	/**
	 * An item that reads like a title is a heading in answers that are one outline; elsewhere it may as well be an
	 * entry, so that its neighbours decide.
	 */
	private readOutline(line: string, start: number, column: number, text: number): boolean {
		const { open } = this;
		const numbered = isNumbered(line, start);
		const isSister = open?.style === "item" && open.column === column && open.numbered === numbered;
		const mayOpen = open === undefined || (open.style !== "item" && numbered && this.afterBlank);
		if (!isSister && !mayOpen) return false;
		if (line.length - text > this.known.longestName + 20) return false;
		const section = matchTitle(line.slice(text), this.known, false);
		if (section === undefined || !(isSister || this.leadsOutline(column, numbered))) return false;
		this.openSection(section, "item", { column, numbered });
		return true;
	}

	/** Whether the next line stands below this item as an entry stands below its heading. */
	private leadsOutline(column: number, numbered: boolean): boolean {
		const next = this.nextLine();
		if (next === undefined) return false;
		const start = startOf(next);
		const isBullet = bulletText(next, start) !== -1;
		const deeper = columnOf(next, start) > column;
		return numbered ? deeper || (isBullet && !isNumbered(next, start)) : isBullet && deeper;
	}

	private nextLine(): string | undefined {
		for (let at = this.line + 1; at < this.lines.length; at += 1) {
			const line = this.lines[at] ?? "";
			if (startOf(line) < line.length) return line;
		}
		return undefined;
	}

	private isBulletAhead(): boolean {
		const next = this.nextLine();
		return next !== undefined && bulletText(next, startOf(next)) !== -1;
	}

	private addInline(text: string): void {
		if (text !== "" && this.open !== undefined && !saysNothing(text, this.open.section)) {
			this.paragraph = this.add([text], true);
		}
	}

	// What stands under a heading

	private readBullet(line: string, start: number, column: number, text: number): void {
		this.paragraph = undefined;
		if (this.open === undefined) {
			this.hasRemarks = true;
			return;
		}
		this.builder = new EntryBuilder(this.add([trimUnseen(line.slice(text))], false), column, text - start);
	}

	private readRow(line: string): void {
		this.builder = undefined;
		this.paragraph = undefined;
		const cells = cellsOf(line);
		if (cells === undefined) return;
		if (this.open === undefined) {
			this.hasRemarks = true;
			return;
		}
		// The row above a separator names the columns.
		const next = this.lines[this.line + 1]?.trim() ?? "";
		if (next.startsWith("|") && cellsOf(next) === undefined) return;
		if (cells !== "") this.add([cells], false);
	}

	private readProse(line: string, start: number): void {
		const text = trimUnseen(line.slice(start));
		if (TAG_ALONE.test(text)) return;
		if (this.open === undefined) {
			this.hasRemarks = true;
			return;
		}
		const builder = this.builder;
		if (builder !== undefined && !this.afterBlank && looksWrapped(builder.lastLine, text)) {
			builder.join(text);
			return;
		}
		this.builder = undefined;
		if (this.paragraph !== undefined) {
			new EntryBuilder(this.paragraph, 0, 0).join(text);
			return;
		}
		const said = text.startsWith("```") ? text.replace(/`/g, "").replace(/^\s*[-*+]\s+/, "") : text;
		// A line over bullets that ends with a colon, or is emphasized, only leads to them.
		if ((/[:：]\**$/.test(text) || EMPHASIZED.test(text)) && this.isBulletAhead()) return;
		if (!HAS_TEXT.test(said) || saysNothing(said, this.open.section)) return;
		this.paragraph = this.add([said], true);
	}

	// Fences

	private readFence(line: string, start: number): boolean {
		const fence = fenceAt(line, start);
		if (fence === undefined) return false;
		const outer = this.outerFence;
		if (outer !== undefined && fence.bare && fence.mark === outer.mark && fence.length >= outer.length) {
			this.outerFence = undefined;
			this.builder = undefined;
			this.paragraph = undefined;
			return true;
		}
		const entry = this.builder?.entry ?? this.entries?.slice(this.open?.before).at(-1);
		if (entry === undefined) {
			// Around the whole answer or the whole of a section: what is within it is read as if it were not there.
			this.outerFence ??= fence;
			return true;
		}
		const end = this.closeOf(fence);
		if (end !== -1) this.takeExample(entry, end, columnOf(line, start));
		return true;
	}

	/** A fence within an entry is an example: whatever looks like a heading or a bullet in it is none. */
	private takeExample(entry: Entry, end: number, column: number): void {
		for (let at = this.line; at <= end; at += 1) {
			const raw = this.lines[at] ?? "";
			entry.lines.push(raw.slice(Math.min(startOf(raw), column)).trimEnd());
			// The line that opens the fence is counted where every line is.
			if (at > this.line) this.offset += raw.length + 1;
		}
		this.line = end;
	}

	private closeOf(fence: Fence): number {
		const kind = `${fence.mark}${fence.length}`;
		const none = this.unclosed.get(kind);
		if (none !== undefined) return -1;
		for (let at = this.line + 1; at < this.lines.length; at += 1) {
			const line = this.lines[at] ?? "";
			const start = startOf(line);
			const mark = line.charAt(start);
			if (mark !== fence.mark) continue;
			const found = fenceAt(line, start);
			if (found?.bare === true && found.length >= fence.length) return at;
		}
		this.unclosed.set(kind, this.line);
		return -1;
	}

	// The end

	/** Words to the reader below the last bullet, "Hope that helps!", are no entry. */
	private dropClosingRemarks(): void {
		const entries = this.entries;
		if (entries === undefined || this.open === undefined) return;
		const lastBullet = entries.findLastIndex((entry) => !entry.isProse);
		if (lastBullet < this.open.before) return;
		if (lastBullet < entries.length - 1) this.hasRemarks = true;
		entries.length = lastBullet + 1;
	}

	private summary(): HeadingSummary {
		const lists = new Map<string, string[]>();
		let first: number | undefined;
		let last: number | undefined;
		let lastSection: string | undefined;
		let { hasRemarks } = this;
		const hasBullets = [...this.lists.values()].some((list) => list.some((entry) => isFilled(entry)));
		for (const [id, list] of this.lists) {
			const texts: string[] = [];
			for (const entry of list) {
				const text = entry.lines.length === 1 ? (entry.lines[0] ?? "") : entry.lines.join("\n").trim();
				if (text === "") continue;
				if (entry.isProse) hasRemarks = true;
				// Prose alone is no summary: nobody can tell what in it is an entry.
				if (entry.isProse && !hasBullets) continue;
				texts.push(text);
				if (last === undefined || entry.offset >= last) lastSection = id;
				if (!entry.isProse) {
					first = Math.min(first ?? entry.offset, entry.offset);
					last = Math.max(last ?? entry.offset, entry.offset);
				}
			}
			lists.set(id, texts);
		}
		return {
			lists,
			recognized: this.recognized,
			hasRemarks,
			...(first === undefined ? {} : { first }),
			...(last === undefined ? {} : { last }),
			...(lastSection === undefined ? {} : { lastSection }),
		};
	}
}

function isFilled(entry: Entry): boolean {
	return !entry.isProse && entry.lines.some((line) => line !== "");
}

/** The cells of a table's row as one text; undefined for the row that separates names and values. */
function cellsOf(line: string): string | undefined {
	const cells = line
		.trim()
		.split("|")
		.map((cell) => cell.trim())
		.filter((cell) => cell !== "");
	return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell)) ? undefined : cells.join(" | ");
}

/** Reads the headings of an answer and the entries under them. */
export function readHeadings(text: string, known: KnownSections): HeadingSummary {
	return new HeadingReader(text, known).read();
}
