import { type Fence, fenceAt, startOf } from "./line-shape.ts";

const SPACE = 0x20;

/** The lines of a text, gone through once, with a look ahead. */
export class LineCursor {
	private readonly text: string;
	/** Kinds of fence that nothing closes from here to the end. */
	private readonly unclosed = new Set<string>();
	/** Where the current line starts and ends, in characters of the text. */
	offset = 0;
	private end = -1;

	constructor(text: string) {
		this.text = text;
	}

	/** Goes on to the next line; false behind the last one. */
	advance(): boolean {
		this.offset = this.end + 1;
		if (this.offset > this.text.length) return false;
		this.end = this.endOf(this.offset);
		return true;
	}

	private endOf(start: number): number {
		const end = this.text.indexOf("\n", start);
		return end === -1 ? this.text.length : end;
	}

	get line(): string {
		return this.text.slice(this.offset, this.end);
	}

	/**
	 * The text of a line that is the plainest of bullets: "- ", "* " or "+ " at its very start, and printable ASCII
	 * at both ends of what follows. Most lines are, and nothing else needs to be asked of them.
	 */
	get plainBullet(): string | undefined {
		const { text, offset, end } = this;
		const mark = text.charCodeAt(offset);
		if ((mark !== 0x2d && mark !== 0x2a && mark !== 0x2b) || text.charCodeAt(offset + 1) !== SPACE)
			return undefined;
		if (end < offset + 3) return undefined;
		const first = text.charCodeAt(offset + 2);
		const last = text.charCodeAt(end - 1);
		// Behind the same mark once more, it may be a rule.
		const isPlain = first > SPACE && first < 0x7f && first !== mark && last > SPACE && last < 0x7f;
		return isPlain ? text.slice(offset + 2, end) : undefined;
	}

	/** The line below the current one; "" behind the last. */
	get below(): string {
		return this.end >= this.text.length ? "" : this.text.slice(this.end + 1, this.endOf(this.end + 1));
	}

	/** The next line that is not blank. */
	get next(): string | undefined {
		for (let start = this.end + 1; start < this.text.length; ) {
			const end = this.endOf(start);
			const line = this.text.slice(start, end);
			if (startOf(line) < line.length) return line;
			start = end + 1;
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
		for (let start = this.end + 1; start <= this.text.length; ) {
			const end = this.endOf(start);
			if (this.closes(fence, start, end)) {
				const taken = this.text.slice(this.offset, end).split("\n");
				this.offset = start;
				this.end = end;
				return taken;
			}
			start = end + 1;
		}
		this.unclosed.add(kind);
		return undefined;
	}

	private closes(fence: Fence, start: number, end: number): boolean {
		const line = this.text.slice(start, end);
		const at = startOf(line);
		if (line.charAt(at) !== fence.mark) return false;
		const found = fenceAt(line, at);
		return found?.bare === true && found.length >= fence.length;
	}
}
