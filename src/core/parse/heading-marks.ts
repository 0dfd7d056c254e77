import { bulletText, columnOf, isNumbered, startOf } from "./line-shape.ts";

const EMPHASIZED = /^(\*\*|__|\*|_)(?=\S)[^*_]{1,200}\1\s{0,9}[:：]?$/;
const MARKED = /^(?:\*\*|__)|[:：]\*{0,2}$/;

/** Whether a text is emphasized from end to end, as headings are that have no hashes. */
export function isEmphasized(text: string): boolean {
	return EMPHASIZED.test(text);
}

/** The text of a heading line: "Title ###" is "Title". */
export function withoutClosingHashes(text: string): string {
	const bare = text.trim();
	let end = bare.length;
	while (bare.charAt(end - 1) === "#") end -= 1;
	return end < bare.length && /\s/.test(bare.charAt(end - 1)) ? bare.slice(0, end).trimEnd() : bare;
}

/** An item of a list that reads like the title of a section. */
interface OutlineItem {
	readonly text: string;
	readonly column: number;
	readonly numbered: boolean;
}

/** Whether the next line stands below an item as an entry stands below its heading. */
export function leadsOutline(item: OutlineItem, next: string | undefined): boolean {
	if (next === undefined) return false;
	const start = startOf(next);
	const isBullet = bulletText(next, start) !== -1;
	const isDeeper = columnOf(next, start) > item.column;
	if (item.numbered) return isDeeper || (isBullet && !isNumbered(next, start));
	return isBullet && (isDeeper || MARKED.test(item.text.trim()));
}
