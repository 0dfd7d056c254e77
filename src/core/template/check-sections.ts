import type { Sections } from "./template.ts";

/**
 * Refuses what is no sections at all: a text in the place of a list would come apart into its letters.
 * @param action what fails with it: "render the summary"
 * @throws TypeError that names the section
 */
export function checkSections(action: string, sections: Sections): void {
	const given: unknown = sections;
	if (typeof given !== "object" || given === null || Array.isArray(given))
		throw new TypeError(`Cannot ${action}: its sections are ${nameOf(given)}; expected { id: [entry, …] }.`);
	for (const [id, entries] of Object.entries(given)) {
		if (entries === undefined) continue;
		if (!Array.isArray(entries))
			throw new TypeError(
				`Cannot ${action}: the section "${id}" is ${nameOf(entries)}; expected a list of texts.`,
			);
		for (const entry of entries) {
			if (typeof entry === "string") continue;
			throw new TypeError(
				`Cannot ${action}: an entry of the section "${id}" is ${nameOf(entry)}; expected text.`,
			);
		}
	}
}

function nameOf(value: unknown): string {
	if (value === null || value === undefined) return String(value);
	return Array.isArray(value) ? "a list" : `a ${typeof value}`.replace("a object", "an object");
}
