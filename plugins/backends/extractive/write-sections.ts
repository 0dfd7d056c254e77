import type { Template } from "../../../src/plugin.ts";
import { GAP, type Unit, USER_MARK } from "./collect-units.ts";

/** A picked unit with its section. */
export interface Placed {
	readonly unit: Unit;
	readonly section: string;
}

/** Between sources that share a bullet because the section has no room for more. */
const TURN = " / ";

interface Entry {
	text: string;
	readonly unit: Unit;
	last: number;
}

/** Writes the picked units into the template's sections, in the conversation's order, one bullet a source. */
export function writeSections(
	placed: readonly Placed[],
	template: Template,
	textOf: (unit: Unit) => string,
): Record<string, string[]> {
	const sorted = [...placed].sort((left, right) => left.unit.order - right.unit.order);
	const sections: Record<string, string[]> = {};
	for (const { id, maxItems } of template.sections) {
		if (Object.hasOwn(sections, id)) continue;
		const entries: Entry[] = [];
		for (const { unit, section } of sorted) if (section === id) append(entries, unit, textOf(unit));
		sections[id] = limit(
			entries.map(({ text, unit }) => (unit.marked ? `${USER_MARK}${text}` : text)),
			maxItems,
		);
	}
	return sections;
}

function append(entries: Entry[], unit: Unit, text: string): void {
	const open = entries.at(-1);
	if (open !== undefined && open.unit.source === unit.source && open.unit.origin === unit.origin) {
		open.text += `${unit.order === open.last + 1 && endsSentence(open.text) ? " " : GAP}${text}`;
		open.last = unit.order;
	} else entries.push({ text, unit, last: unit.order });
}

function endsSentence(text: string): boolean {
	return /[.!?:;。！？…]["'”’»)\]*_`」』）]{0,3}$/.test(text);
}

/** Joins the shortest neighbours until there are no more entries than the section takes. */
function limit(entries: readonly string[], most: number): string[] {
	const surplus = entries.length - most;
	if (surplus <= 0) return [...entries];
	const joined: string[] = [];
	const per = Math.ceil(entries.length / most);
	for (let from = 0; from < entries.length; from += per)
		joined.push(entries.slice(from, from + per).join(TURN));
	return joined;
}
