import { sectionKey } from "../template/section-key.ts";
import { wellFormed } from "../text/well-formed.ts";
import type { KnownSections } from "./known-sections.ts";
import { trimUnseen } from "./line-shape.ts";

/** What an object says about the sections. */
export interface JsonLists {
	readonly lists: Map<string, string[]>;
	/** The section that stands last in it. */
	readonly last: string | undefined;
	/** Whether there is any text under a known key. */
	readonly hasText: boolean;
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Keys under which models put the text of an entry that they write as an object.
const TEXT_KEYS: ReadonlySet<string> = new Set(["text", "content", "value", "entry", "item", "description"]);

const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/;

/** One string is one entry, unless each of its lines is a bullet. */
function entriesOf(text: string): string[] {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const bullets = lines.flatMap((line) => BULLET.exec(line)?.[1] ?? []);
	return bullets.length === lines.length ? bullets : [text];
}

function tidy(text: string): string {
	let tidied = wellFormed(text);
	if (tidied.includes("\r")) tidied = tidied.replace(/\r\n?/g, "\n");
	// A line of white space alone is an empty one.
	if (tidied.includes("\n")) tidied = tidied.replace(/\n[^\S\n]+(?=\n)/g, "\n");
	return trimUnseen(tidied);
}

interface Found {
	readonly entries: string[];
	hasText: boolean;
	hasOther: boolean;
	hasEmptyList: boolean;
}

function addObject(value: JsonObject, found: Found): void {
	const pairs = Object.entries(value);
	const [only] = pairs;
	if (pairs.length === 1 && only !== undefined && TEXT_KEYS.has(only[0]) && typeof only[1] === "string") {
		addValue(only[1], found);
		return;
	}
	const text = tryStringify(value);
	if (text !== undefined && pairs.some(([, one]) => typeof one === "string" && one.trim() !== ""))
		found.hasText = true;
	else found.hasOther = true;
	if (text !== undefined) found.entries.push(wellFormed(text));
}

/** A value as JSON; undefined where it is nested too deeply for that, as no entry is. */
function tryStringify(value: JsonObject): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

function addValue(value: unknown, found: Found): void {
	// A stack of its own: nesting as deep as the text is long must not overflow the other one.
	const waiting = [value];
	while (waiting.length > 0) {
		const one = waiting.pop();
		if (Array.isArray(one)) {
			for (let index = one.length - 1; index >= 0; index -= 1) waiting.push(one[index]);
		} else if (typeof one === "string") {
			const entry = tidy(one);
			if (entry === "") continue;
			found.entries.push(entry);
			found.hasText = true;
		} else if (typeof one === "number" || typeof one === "boolean") {
			found.entries.push(String(one));
			found.hasOther = true;
		} else if (isObject(one)) addObject(one, found);
	}
}

/**
 * The entries under the known keys of an object. Undefined where none is known, or where what stands under them can
 * not be told to be a summary: no text at all, and not one list that is deliberately empty.
 */
function collectObject(value: JsonObject, known: KnownSections): JsonLists | undefined {
	const lists = new Map<string, string[]>();
	let last: string | undefined;
	const found: Found = { entries: [], hasText: false, hasOther: false, hasEmptyList: false };
	for (const [key, content] of Object.entries(value)) {
		const section = known.byKey.get(sectionKey(key.slice(0, 200)));
		if (section === undefined || content === null) continue;
		if (Array.isArray(content) && content.length === 0) found.hasEmptyList = true;
		found.entries.length = 0;
		if (typeof content === "string") for (const entry of entriesOf(tidy(content))) addValue(entry, found);
		else addValue(content, found);
		const list = lists.get(section.id) ?? [];
		for (const entry of found.entries) list.push(entry);
		lists.set(section.id, list);
		if (found.entries.length > 0) last = section.id;
	}
	const recognized = found.hasText || (found.hasEmptyList && !found.hasOther);
	return recognized ? { lists, last, hasText: found.hasText } : undefined;
}

const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const DEEPEST_WRAPPER = 4;
const MOST_WRAPPERS = 1000;

/** The outermost object with a known key in a value, which may be wrapped in objects and lists. */
export function collectJson(value: unknown, known: KnownSections): JsonLists | undefined {
	let level: unknown[] = [value];
	let seen = 0;
	for (let depth = 0; depth <= DEEPEST_WRAPPER && level.length > 0; depth += 1) {
		const next: unknown[] = [];
		for (const one of level) {
			seen += 1;
			if (seen > MOST_WRAPPERS) return undefined;
			if (isObject(one)) {
				const lists = collectObject(one, known);
				if (lists !== undefined) return lists;
				for (const [key, inner] of Object.entries(one)) {
					if (!UNSAFE_KEYS.has(key) && typeof inner === "object" && inner !== null) next.push(inner);
				}
			} else if (Array.isArray(one)) {
				for (const inner of one.slice(0, MOST_WRAPPERS)) if (isObject(inner)) next.push(inner);
			}
		}
		level = next;
	}
	return undefined;
}
