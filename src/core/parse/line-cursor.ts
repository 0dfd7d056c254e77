import { type Fence, fenceAt, startOf } from "./line-shape.ts";

/** The lines of a text, gone through once, with a look ahead. */
export class LineCursor {
	private readonly lines: readonly string[];
	private at = 0;
	/** Kinds of fence that nothing closes from here to the end. */
	private readonly unclosed = new Set<string>();
	/** Where the current line starts, in characters of the text. */
	offset = 0;

	constructor(text: string) {
		this.lines = text.split("\n");
	}

	/** The current line; undefined behind the last one. */
	get current(): string | undefined {
		return this.lines[this.at];
	}

	advance(): void {
		this.offset += (this.lines[this.at]?.length ?? 0) + 1;
		this.at += 1;
	}

	/** The line below the current one. */
	get below(): string | undefined {
		return this.lines[this.at + 1];
	}

	/** The next line that is not blank. */
	get next(): string | undefined {
		for (let at = this.at + 1; at < this.lines.length; at += 1) {
			const line = this.lines[at] ?? "";
			if (startOf(line) < line.length) return line;
		}
		return undefined;
	}

	/**
	 * The lines of the fence that the current line opens, both marks included; the cursor is then on the last of
	 * them. Undefined, with the cursor left where it is, for a fence that nothing closes.
	 */
	takeFenced(fence: Fence): readonly string[] | undefined {
		const kind = `${fence.mark}${fence.length}`;
		if (this.unclosed.has(kind)) return undefined;
		for (let end = this.at + 1; end < this.lines.length; end += 1) {
			const line = this.lines[end] ?? "";
			const start = startOf(line);
			if (line.charAt(start) !== fence.mark) continue;
			const found = fenceAt(line, start);
			if (found?.bare !== true || found.length < fence.length) continue;
			const taken = this.lines.slice(this.at, end + 1);
			while (this.at < end) this.advance();
			return taken;
		}
		this.unclosed.add(kind);
		return undefined;
	}
}
