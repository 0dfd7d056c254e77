import type { Sections } from "../template/template.ts";
import type { KnownSections } from "./known-sections.ts";
import { isPlaceholder, saysNothing } from "./says-nothing.ts";

/** Entries as they were found, by section id. */
export type Lists = ReadonlyMap<string, readonly string[]>;

/** Entries as they are kept. */
export interface Settled {
	/** Every section of the template, in its order; then the canonical ones outside it that have entries. */
	readonly sections: Sections;
	/** Whether any section has entries. */
	readonly filled: boolean;
	/** Whether any section of the template has entries. */
	readonly fits: boolean;
}

/**
 * What is kept of the entries found: no placeholders, no section that only says that it has none, and no more
 * entries than a section may have. With `verbatim`, entries that say nothing stay beside others anywhere.
 */
export function settle(lists: Lists, known: KnownSections, verbatim: boolean): Settled {
	const kept = new Map<string, readonly string[]>();
	let filled = false;
	const all = known.sections.map((section) => ({ section, found: lists.get(section.id) ?? [] }));
	const allSayNothing =
		verbatim && all.every(({ section, found }) => found.every((one) => saysNothing(one, section)));
	const inTemplate = new Set(known.template.sections.map(({ id }) => id));
	let fits = false;
	for (const { section, found } of all) {
		const entries =
			verbatim && !allSayNothing
				? found
				: found.every((one) => saysNothing(one, section))
					? []
					: found.some(isPlaceholder)
						? found.filter((one) => !isPlaceholder(one))
						: found;
		if (entries.length > 0) {
			filled = true;
			if (inTemplate.has(section.id)) fits = true;
		} else if (!inTemplate.has(section.id)) continue;
		kept.set(section.id, entries.length > section.maxItems ? entries.slice(0, section.maxItems) : entries);
	}
	// Object.fromEntries defines own properties, whatever they are called.
	return { sections: Object.fromEntries(kept), filled, fits };
}
