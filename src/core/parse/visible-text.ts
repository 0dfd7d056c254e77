import { sectionKey } from "../template/section-key.ts";
import { wellFormed } from "../text/well-formed.ts";
import type { KnownSections } from "./known-sections.ts";

const THINKING = "think|thinking|thoughts?|analysis|reasoning|reflection|scratchpad|antthinking";
const CALLING = "tool_calls?|tool_use|function_calls?|function|invoke|tool_code|tools?_section";

// Bounded everywhere: a flood of unfinished tags costs one short look for each.
const TAG = new RegExp(
	`<(/?)\\s{0,8}(?:[a-z]{1,20}:)?(${THINKING}|${CALLING})(?:[\\s:=][^<>\\n]{0,200})?>|\\[(/?)(THINK|TOOL_CALLS?)\\]|◁(/?)(think)▷`,
	"gi",
);

// The channels of open-weight models that were meant to be taken apart by their server.
const FINAL_CHANNEL = /<\|channel\|>final<\|message\|>/g;

const INVISIBLE_START = /^[\s\u200b-\u200d\u2060\ufeff\u0085]+/;
const WRAPPER = /^<([a-z][\w.-]{0,40})(?:\s[^<>\n]{0,200})?>/i;

/** Whether nothing but white space, zero-width characters and quote marks stands before an index on its line. */
function startsLine(text: string, index: number, from: number): boolean {
	let at = index - 1;
	while (at >= from) {
		const code = text.charCodeAt(at);
		if (code === 0x0a) return true;
		if (!/[\s>\u200b-\u200d\u2060\ufeff]/.test(text.charAt(at))) return false;
		at -= 1;
	}
	return true;
}

/** Whether a closing tag that nothing opened ends thinking whose opening tag the server kept for itself. */
function endsThinking(text: string, start: number, end: number, from: number): boolean {
	if (text.slice(end, end + 4000).trim() === "") return false;
	if (startsLine(text, start, from)) return true;
	if (!/^[ \t]{0,4}(?:\n|$)/.test(text.slice(end, end + 5))) return false;
	// Within a bullet, the tag is what the bullet speaks of.
	const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trimStart();
	return !/^(?:[-*+•#>|]|\d{1,3}[.)])/.test(line);
}

/** A text without what a model thought and without its calls. */
function withoutHiddenBlocks(text: string): string {
	const kept: string[] = [];
	let position = 0;
	let open: string | undefined;
	for (const match of text.matchAll(TAG)) {
		const [tag, slash1, name1, slash2, name2, slash3, name3] = match;
		const name = (name1 ?? name2 ?? name3 ?? "").toLowerCase();
		const closes = (slash1 ?? slash2 ?? slash3) === "/";
		const start = match.index;
		const end = start + tag.length;
		if (open !== undefined) {
			if (!closes || name !== open) continue;
			open = undefined;
			position = end;
			kept.push("\n");
		} else if (!closes) {
			if (!startsLine(text, start, position)) continue;
			kept.push(text.slice(position, start));
			open = name;
		} else if (endsThinking(text, start, end, position)) {
			kept.length = 0;
			position = end;
		}
	}
	if (open === undefined) kept.push(text.slice(position));
	return kept.join("");
}

function withoutWrapper(text: string, known: KnownSections): string {
	let inner = text;
	for (let depth = 0; depth < 4; depth += 1) {
		const bare = inner.trim();
		const name = WRAPPER.exec(bare)?.[1];
		if (name === undefined || !bare.endsWith(`</${name}>`)) return inner;
		// Some models write a section as an element.
		if (known.byKey.has(sectionKey(name))) return inner;
		inner = bare.slice(bare.indexOf(">") + 1, bare.length - name.length - 3);
	}
	return inner;
}

/**
 * What a model says to its reader: the answer with LF line breaks and without byte order mark, lone halves of
 * surrogate pairs, thinking, tool calls and a tag around the whole.
 */
export function visibleText(answer: string, known: KnownSections): string {
	let text = wellFormed(answer);
	if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
	if (text.startsWith("\ufeff")) text = text.replace(INVISIBLE_START, "");
	if (text.includes("<|channel|>")) {
		const last = [...text.matchAll(FINAL_CHANNEL)].at(-1);
		if (last !== undefined)
			text = text.slice(last.index + last[0].length).replace(/<\|(?:end|return)\|>\s*$/, "");
	}
	if (text.includes("<") || text.includes("[") || text.includes("◁"))
		text = withoutWrapper(withoutHiddenBlocks(text), known);
	return text;
}

// A fence or a tag alone on its line carries nothing.
const FRAME_LINE = /^(?:(?:`{3,}|~{3,})[^\s`]{0,40}|<\/?[a-z][^<>\n]{0,200}>)?$/i;

/** Whether a text has nothing to read: white space, zero-width characters, fences and tags alone. */
export function isBlankText(text: string): boolean {
	const start = text.replace(INVISIBLE_START, "");
	if (start === "") return true;
	// Text of any length has a line that says something near its start, or it is made of frames.
	return start.length < 4000 && start.split("\n").every((line) => FRAME_LINE.test(line.trim()));
}
