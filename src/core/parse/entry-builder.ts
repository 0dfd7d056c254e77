import { bulletText, trimUnseen } from "./line-shape.ts";
import { joinLines } from "./wrapped.ts";

/** An entry while it is read. */
export interface Entry {
	readonly lines: string[];
	/** Whether it is a paragraph under a heading, not a bullet. */
	readonly isProse: boolean;
	/** Where its line starts in the text. */
	readonly offset: number;
}

/** Adds to an entry what belongs to it: wrapped lines, nested items, further paragraphs. */
export class EntryBuilder {
	readonly entry: Entry;
	/** The column of its bullet. */
	readonly column: number;
	private readonly markerWidth: number;

	constructor(entry: Entry, column: number, markerWidth: number) {
		this.entry = entry;
		this.column = column;
		this.markerWidth = markerWidth;
	}

	get lastLine(): string {
		return this.entry.lines.at(-1) ?? "";
	}

	/** Goes on with the last line. */
	join(text: string): void {
		const { lines } = this.entry;
		lines[lines.length - 1] = joinLines(this.lastLine, text);
	}

	/**
	 * Takes a line that is further in than the bullet. A nested item stays a line of its own, with its place in the
	 * list; text goes on with the line above. False for an item that is not nested.
	 */
	addIndented(line: string, start: number, column: number, afterBlank: boolean): boolean {
		const text = trimUnseen(line.slice(start));
		const isItem = bulletText(line, start) !== -1;
		if (isItem && (column < this.column + 2 || this.lastLine === "")) return false;
		const indent = " ".repeat(Math.min(column - this.column, 40));
		if (isItem) this.entry.lines.push(indent + text);
		else if (text.startsWith("|")) this.entry.lines.push(text);
		else if (afterBlank && this.lastLine !== "") {
			this.entry.lines.push(indent.slice(Math.min(this.markerWidth, indent.length)) + text);
		} else this.join(text);
		return true;
	}
}
