import { bulletText, trimUnseen } from "./line-shape.ts";
import { joinLines } from "./wrapped.ts";

/** The deepest that a nested item is kept indented, in columns. */
const DEEPEST_INDENT = 40;

/** An entry while it is read: a bullet, a row of a table, or a paragraph under a heading. */
export class EntryBuilder {
	readonly isProse: boolean;
	/** The column of its bullet. */
	readonly column: number;
	private readonly markerWidth: number;
	/** The lines above the last one. */
	private above: string[] | undefined;
	private line: string;
	/** What was added last; the line that it ends may be long. */
	private piece: string;

	constructor(text: string, isProse: boolean, column: number, markerWidth: number) {
		this.isProse = isProse;
		this.column = column;
		this.markerWidth = markerWidth;
		this.above = undefined;
		this.line = text;
		this.piece = text;
	}

	get text(): string {
		return this.above === undefined ? this.line : `${this.above.join("\n")}\n${this.line}`.trim();
	}

	/** The last line as the answer has it. */
	get last(): string {
		return this.piece;
	}

	/** Goes on with the last line. */
	join(text: string): void {
		this.line += joinLines(this.piece, text);
		this.piece = text;
	}

	/** Adds a line as it is. */
	append(line: string): void {
		this.above ??= [];
		this.above.push(this.line);
		this.line = line;
		this.piece = line;
	}

	/**
	 * Takes a line that is further in than the bullet. A nested item stays a line of its own, with its place in the
	 * list; text goes on with the line above. False for an item that is not nested.
	 */
	addIndented(line: string, start: number, column: number, afterBlank: boolean): boolean {
		const text = trimUnseen(line.slice(start));
		const isItem = bulletText(line, start) !== -1;
		if (isItem && (column < this.column + 2 || this.piece === "")) return false;
		const indent = Math.min(column - this.column, DEEPEST_INDENT);
		if (isItem) this.append(" ".repeat(indent) + text);
		else if (text.startsWith("|")) this.append(text);
		else if (afterBlank && this.piece !== "")
			this.append(" ".repeat(Math.max(0, indent - this.markerWidth)) + text);
		else this.join(text);
		return true;
	}
}
