import type { Template, TemplateSection } from "../../../src/plugin.ts";
import type { Unit } from "./collect-units.ts";
import type { Role } from "./cues.ts";

/** Where each role goes: the first of these sections that the template has. */
const HOME: Readonly<Record<Role, readonly string[]>> = {
	decision: ["decisions", "key_facts"],
	pending: ["pending_tasks", "key_facts"],
	question: ["open_questions", "key_facts"],
	fact: ["key_facts"],
};

const CANONICAL: ReadonlySet<string> = new Set(["key_facts", "decisions", "pending_tasks", "open_questions"]);

/** What the words of a section of one's own say of what belongs there. */
const SUBJECTS: readonly (readonly [RegExp, (unit: Unit) => boolean])[] = [
	[/\b(?:files?|paths?|datei(?:en)?|fichiers?)\b/i, (unit) => NAMES_A_FILE.test(unit.text)],
	[
		/\b(?:errors?|failures?|failed|bugs?|fehler|erreurs?)\b/i,
		(unit) => unit.origin === "error" || TELLS_OF_FAILURE.test(unit.text),
	],
	[/\b(?:commands?|tool calls?|actions?|steps taken)\b/i, (unit) => unit.origin === "action"],
	[
		/\b(?:decisions?|decided|choices?|constraints?|rules?|entscheidungen)\b/i,
		(unit) => unit.role === "decision",
	],
	[
		/\b(?:todos?|tasks?|pending|next steps?|remaining|unfinished|open work|aufgaben)\b/i,
		(unit) => unit.role === "pending",
	],
	[/\b(?:questions?|unanswered|unclear|fragen)\b/i, (unit) => unit.role === "question"],
	[/\b(?:users?|requests?|asked|intent|goals?|wishes|customer)\b/i, (unit) => unit.origin === "user"],
	[
		/\b(?:facts?|context|background|state|findings?|knowledge|notes?|fakten)\b/i,
		(unit) => unit.role === "fact",
	],
];

const NAMES_A_FILE = /[\w-]\/[\w.-]|\b[\w-]+\.[A-Za-z]{1,5}\b/;
const TELLS_OF_FAILURE = /\b(?:error|fail(?:s|ed|ure)?|exception|crash(?:es|ed)?|broken)\b/i;
const MEANINGLESS: ReadonlySet<string> = new Set(
	"the and for with that this what which was were are not section of each all any".split(" "),
);

/** Gives the section of each unit; undefined where the template has no place for it. */
export function makeAssigner(template: Template): (unit: Unit) => string | undefined {
	const ids = new Set(template.sections.map(({ id }) => id));
	const own = template.sections
		.filter(({ id }) => !CANONICAL.has(id) && id !== "identifiers")
		.map((section) => ({ id: section.id, accepts: acceptorOf(section) }));
	const home = (role: Role): string | undefined => HOME[role].find((id) => ids.has(id));
	return (unit) => {
		if (unit.section !== undefined && ids.has(unit.section)) return unit.section;
		for (const { id, accepts } of own) if (accepts(unit)) return id;
		// What a user asked for belongs to the work to do where the template has no place for facts.
		if (unit.origin === "user" && !ids.has("key_facts") && unit.role === "fact" && unit.recency === 1)
			return home("pending");
		return home(unit.role);
	};
}

function acceptorOf(section: TemplateSection): (unit: Unit) => boolean {
	// The title says what a section holds; its purpose speaks where the title says nothing known.
	for (const words of [`${section.title} ${section.id.replaceAll("_", " ")}`, section.purpose]) {
		const subject = SUBJECTS.find(([pattern]) => pattern.test(words));
		if (subject !== undefined) return subject[1];
	}
	const topic = new Set(wordsOf(`${section.title} ${section.purpose}`));
	return (unit) => {
		let shared = 0;
		for (const word of new Set(wordsOf(unit.text))) if (topic.has(word)) shared += 1;
		return shared >= 2;
	};
}

function wordsOf(text: string): readonly string[] {
	return (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !MEANINGLESS.has(word));
}
