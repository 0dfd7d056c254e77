import { bulletText, trimUnseen } from "./line-shape.ts";
import { joinLines } from "./wrapped.ts";

/** The deepest that a nested item is kept indented, in columns. */
const DEEPEST_INDENT = 40;

/** An entry while it is read: a bullet, a row of a table, or a paragraph under a heading. */
export class EntryBuilder {
	readonly isProse: boolean;
	/** Where its line starts in the text. */
	readonly offset: number;
	/** The column of its bullet. */
	readonly column: number;
	private readonly lines: string[];
	/** What was added last; the line that it ends may be long. */
	private lastPiece: string;
	private readonly markerWidth: number;

	constructor(text: string, at: { isProse: boolean; offset: number; column?: number; markerWidth?: number }) {
		this.lines = [text];
		this.lastPiece = text;
		this.isProse = at.isProse;
		this.offset = at.offset;
		this.column = at.column ?? 0;
		this.markerWidth = at.markerWidth ?? 0;
	}

	get text(): string {
		return this.lines.length === 1 ? (this.lines[0] ?? "") : this.lines.join("\n").trim();
	}

	/** The last line as the answer has it. */
	get last(): string {
		return this.lastPiece;
	}

	/** Goes on with the last line. */
	join(text: string): void {
		this.lines[this.lines.length - 1] += joinLines(this.lastPiece, text);
		this.lastPiece = text;
	}

	/** Adds lines as they are. */
	append(lines: readonly string[]): void {
		for (const line of lines) this.lines.push(line);
		this.lastPiece = lines.at(-1) ?? this.lastPiece;
	}

	/**
	 * Takes a line that is further in than the bullet. A nested item stays a line of its own, with its place in the
	 * list; text goes on with the line above. False for an item that is not nested.
	 */
	addIndented(line: string, start: number, column: number, afterBlank: boolean): boolean {
		const text = trimUnseen(line.slice(start));
		const isItem = bulletText(line, start) !== -1;
		if (isItem && (column < this.column + 2 || this.lastPiece === "")) return false;
		const indent = Math.min(column - this.column, DEEPEST_INDENT);
		if (isItem) this.append([" ".repeat(indent) + text]);
		else if (text.startsWith("|")) this.append([text]);
		else if (afterBlank && this.lastPiece !== "")
			this.append([" ".repeat(Math.max(0, indent - this.markerWidth)) + text]);
		else this.join(text);
		return true;
	}
}
