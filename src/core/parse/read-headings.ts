import { ENDING, OPENING, STUB, TRIMMED } from "../render/fixed-lines.ts";
import type { TemplateSection } from "../template/template.ts";
import { EntryBuilder } from "./entry-builder.ts";
import { isEmphasized, leadsOutline, withoutClosingHashes } from "./heading-marks.ts";
import type { KnownSections } from "./known-sections.ts";
import { LineCursor } from "./line-cursor.ts";
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
import { type HeadingForm, type HeadingSummary, SectionLists } from "./section-lists.ts";
import { cellsOf } from "./table-row.ts";
import { looksWrapped } from "./wrapped.ts";

const TAG_ALONE = /^<(\/?)([\p{L}][^<>]{0,200})>$/u;
const LEADS_ON = /[:：]\*{0,2}$/;
const HAS_TEXT = /[\p{L}\p{N}]/u;
const LINE: HeadingForm = { style: "line", depth: 0, column: 0, numbered: false };

/** Reads an answer line by line; each line is looked at once, and a few are looked ahead to. */
class HeadingReader {
	private readonly known: KnownSections;
	private readonly cursor: LineCursor;
	private readonly found = new SectionLists();
	private readonly fixed: ReadonlySet<string>;
	/** The bullet that indented lines belong to. */
	private bullet: EntryBuilder | undefined;
	/** Whether that bullet was taken as plain text, and is to be built if another line asks for it. */
	private isPlain = false;
	/** The paragraph that the line above belongs to. */
	private paragraph: EntryBuilder | undefined;
	private outerFence: Fence | undefined;
	private afterBlank = true;

	constructor(text: string, known: KnownSections) {
		this.known = known;
		this.cursor = new LineCursor(text);
		const header = known.template.header.split("\n").map((line) => line.trim());
		const untitled = header.filter((line) => matchTitle(line, known, true) === undefined);
		this.fixed = new Set([STUB, TRIMMED, OPENING, ENDING, ...untitled]);
	}

	read(): HeadingSummary {
		while (this.cursor.advance()) {
			const plain = this.takesPlainBullets() ? this.cursor.plainBullet : undefined;
			if (plain === undefined) {
				if (this.isPlain) this.bullet = this.found.lastEntry;
				this.isPlain = false;
				this.readLine(this.cursor.line);
			} else {
				this.isPlain = true;
				this.paragraph = undefined;
				this.afterBlank = false;
				this.found.add(plain, this.cursor.offset);
			}
		}
		this.found.dropClosingRemarks();
		return this.found.summary();
	}

	/** Whether a bullet at the very start of its line can be nothing but an entry. */
	private takesPlainBullets(): boolean {
		const { open } = this.found;
		return open !== undefined && open.style !== "item";
	}

	private readLine(raw: string): void {
		let line = raw;
		let start = startOf(line);
		// A quoted answer; a quote within an entry is indented.
		if (line.charAt(start) === ">" && (this.bullet === undefined || start === 0)) {
			line = line.slice(start).replace(/^(?:> ?)+/, "");
			start = startOf(line);
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
		if (
			this.bullet !== undefined &&
			column > this.bullet.column &&
			!this.isOuterHeading(line, start, column)
		) {
			if (this.bullet.addIndented(line, start, column, this.afterBlank)) return;
		}
		const text = bulletText(line, start);
		if (isRule(line, start) || (text === -1 && this.isFixed(line))) this.endEntry();
		else if (text !== -1) {
			if (!this.readOutline(line, start, column, text)) this.readBullet(line, start, column, text);
		} else if (this.readHeading(line, start, column)) return;
		else if (line.charAt(start) === "|") this.readRow(line);
		else this.readProse(line, start);
	}

	private endEntry(): void {
		this.bullet = undefined;
		this.paragraph = undefined;
	}

	/** A heading no further in than the one above it is a heading, even where a bullet between them is further out. */
	private isOuterHeading(line: string, start: number, column: number): boolean {
		const { open } = this.found;
		return line.charAt(start) === "#" && open !== undefined && column <= open.column;
	}

	/** Lines that renders have beside sections. */
	private isFixed(line: string): boolean {
		const text = line.trim();
		if (!this.fixed.has(text)) return false;
		if (text === STUB) this.found.recognized = true;
		return true;
	}

	private openSection(section: TemplateSection, form: HeadingForm, inline: string): void {
		this.endEntry();
		this.found.openSection(section, form);
		if (inline !== "" && !saysNothing(inline, section)) this.paragraph = this.add(inline, true);
	}

	private add(text: string, isProse: boolean, column = 0, markerWidth = 0): EntryBuilder {
		const entry = new EntryBuilder(text, isProse, column, markerWidth);
		this.found.add(entry, this.cursor.offset);
		return entry;
	}

	// Headings

	private readHeading(line: string, start: number, column: number): boolean {
		const depth = hashesAt(line, start);
		if (depth > 0) return this.readHashes(line, start, depth, column);
		const text = line.slice(start).trimEnd();
		const title = matchHeading(text, this.known, /^(?:\*|__)/.test(text) || isEmphasized(text));
		if (title === undefined) return this.endsSection(text);
		this.openSection(title.section, { ...LINE, column }, title.inline);
		return true;
	}

	private readHashes(line: string, start: number, depth: number, column: number): boolean {
		const rest = line.slice(start + depth);
		const title = matchHeading(withoutClosingHashes(rest), this.known, true);
		if (title !== undefined) {
			this.openSection(title.section, { style: "hashes", depth, column, numbered: false }, title.inline);
			return true;
		}
		// "#42 is open" is no heading.
		if (rest !== "" && startOf(rest) === 0) return false;
		this.endEntry();
		// A deeper heading divides its section; any other ends it.
		const { open } = this.found;
		if (open === undefined || open.depth === 0 || depth <= open.depth) this.found.closeSection();
		return true;
	}

	/** In an answer whose headings are emphasized lines, one that is not known ends the section before it. */
	private endsSection(text: string): boolean {
		if (this.found.open?.style !== "line" || !isEmphasized(text) || !this.isBulletNext()) return false;
		this.endEntry();
		this.found.closeSection();
		return true;
	}

	/**
	 * An item that reads like a title is a heading in answers that are one outline; elsewhere it may as well be an
	 * entry, so that its neighbours decide.
	 */
	private readOutline(line: string, start: number, column: number, text: number): boolean {
		const { open } = this.found;
		const numbered = isNumbered(line, start);
		const isSister = open?.style === "item" && open.column === column && open.numbered === numbered;
		const mayOpen = open === undefined || (open.style !== "item" && numbered && this.afterBlank);
		if (!isSister && !mayOpen) return false;
		if (line.length - text > this.known.longestName + 20) return false;
		const section = matchTitle(line.slice(text), this.known, false);
		if (section === undefined) return false;
		if (!isSister && !leadsOutline({ text: line.slice(text), column, numbered }, this.cursor.next))
			return false;
		this.openSection(section, { style: "item", depth: 0, column, numbered }, "");
		return true;
	}

	private isBulletNext(): boolean {
		const { next } = this.cursor;
		return next !== undefined && bulletText(next, startOf(next)) !== -1;
	}

	// What stands under a heading

	private readBullet(line: string, start: number, column: number, text: number): void {
		this.paragraph = undefined;
		if (this.found.open === undefined) this.found.hasRemarks = true;
		else this.bullet = this.add(trimUnseen(line.slice(text)), false, column, text - start);
	}

	private readRow(line: string): void {
		this.endEntry();
		const cells = cellsOf(line);
		if (cells === undefined) return;
		if (this.found.open === undefined) {
			this.found.hasRemarks = true;
			return;
		}
		// The row above a separator names the columns.
		const below = this.cursor.below.trim();
		if (below.startsWith("|") && cellsOf(below) === undefined) return;
		if (cells !== "") this.add(cells, false);
	}

	private readProse(line: string, start: number): void {
		const text = trimUnseen(line.slice(start));
		if (this.readTag(text)) return;
		const { open } = this.found;
		if (open === undefined) {
			this.found.hasRemarks = true;
			return;
		}
		// A line over bullets that is emphasized, or ends with a colon, only leads to them.
		const isLabel = isEmphasized(text);
		if (isLabel && this.isBulletNext()) {
			this.endEntry();
			return;
		}
		if (this.bullet !== undefined && !this.afterBlank && !isLabel && looksWrapped(this.bullet.last, text)) {
			this.bullet.join(text);
			return;
		}
		this.bullet = undefined;
		if (this.paragraph !== undefined) {
			this.paragraph.join(text);
			return;
		}
		if (LEADS_ON.test(text.slice(-3)) && this.isBulletNext()) return;
		const said = text.startsWith("```") ? text.replace(/`/g, "").replace(/^\s*[-*+]\s+/, "") : text;
		if (HAS_TEXT.test(said) && !saysNothing(said, open.section)) this.paragraph = this.add(said, true);
	}

	/** A tag alone on its line says nothing, unless it is a section written as an element. */
	private readTag(text: string): boolean {
		const [tag, slash, name = ""] = TAG_ALONE.exec(text) ?? [];
		if (tag === undefined) return false;
		const section = matchTitle(name, this.known, false);
		if (section === undefined) return true;
		if (slash === "") this.openSection(section, LINE, "");
		else if (this.found.open?.section === section) this.found.open = undefined;
		this.endEntry();
		return true;
	}

	private readFence(line: string, start: number): boolean {
		const fence = fenceAt(line, start);
		if (fence === undefined) return false;
		const outer = this.outerFence;
		if (outer !== undefined && fence.bare && fence.mark === outer.mark && fence.length >= outer.length) {
			this.outerFence = undefined;
			this.endEntry();
			return true;
		}
		const entry = this.bullet ?? this.found.lastEntry;
		if (entry === undefined) {
			// Around the whole answer or the whole of a section: what is within it is read as if it were not there.
			this.outerFence ??= fence;
			return true;
		}
		// Behind an entry it is an example: whatever looks like a heading or a bullet in it is none.
		const column = start;
		const taken = this.cursor.takeFenced(fence);
		for (const one of taken ?? []) entry.append(one.slice(Math.min(startOf(one), column)).trimEnd());
		return true;
	}
}

/** Reads the headings of an answer and the entries under them. */
export function readHeadings(text: string, known: KnownSections): HeadingSummary {
	return new HeadingReader(text, known).read();
}
