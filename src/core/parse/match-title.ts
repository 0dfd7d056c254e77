import { sectionKey } from "../template/section-key.ts";
import type { TemplateSection } from "../template/template.ts";
import type { KnownSections } from "./known-sections.ts";

/** A line that names a section. */
export interface Title {
	readonly section: TemplateSection;
	/** What follows the title and a colon on its line; "" for nothing. */
	readonly inline: string;
}

/** How much longer than a name its line may be: numbering, emphasis, a remark in brackets. */
const MOST_DECORATION = 80;
/** The same for a line without marks: numbering and a count. */
const MOST_COUNT = 36;

const NUMBERING = /^[\s*_]*(?:\(?(?:\d{1,3}|[ivx]{1,4}|[a-z])[.):、．）]|\d\ufe0f?\u20e3)\s*/i;
const MARKED_NUMBERING =
	/^[\s*_]*(?:\(?(?:\d{1,3}|[ivx]{1,4}|[a-z])[.):、．）]|\d\ufe0f?\u20e3|\d{1,3}(?=\s))\s*/i;
const REMARK = /\s*[([（【][^()[\]（）【】]{0,60}[)\]）】][\s*_:：]*$/;
const COUNT = /\s*[([（]\d{1,4}[^()[\]（）]{0,20}[)\]）]\s*[:：]?\s*$/;
const DOUBLE_COLON = /[:：][\s*_]*[:：][\s*_]*$/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

function lookUp(text: string, known: KnownSections, marked: boolean): TemplateSection | undefined {
	const section = known.byKey.get(sectionKey(text));
	if (section !== undefined) return section;
	const unnumbered = text.replace(marked ? MARKED_NUMBERING : NUMBERING, "");
	return unnumbered === text ? undefined : known.byKey.get(sectionKey(unnumbered));
}

/** The section that a text names as a whole. `marked` says that the line is a heading by its marks. */
export function matchTitle(text: string, known: KnownSections, marked: boolean): TemplateSection | undefined {
	if (text.length > known.longestName + (marked ? MOST_DECORATION : MOST_COUNT)) return undefined;
	if (DOUBLE_COLON.test(text)) return undefined;
	const section = lookUp(text, known, marked);
	if (section !== undefined) return section;
	const bare = text.replace(marked ? REMARK : COUNT, "");
	return bare === text ? undefined : lookUp(bare, known, marked);
}

function colonAt(text: string, limit: number): number {
	for (let at = 0; at < limit && at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === 0x3a || code === 0xff1a) return at;
	}
	return -1;
}

/** The section that a heading line names, with what follows on the line. */
export function matchHeading(text: string, known: KnownSections, marked: boolean): Title | undefined {
	const section = matchTitle(text, known, marked);
	if (section !== undefined) return { section, inline: "" };
	const colon = colonAt(text, known.longestName + (marked ? 20 : 0) + 1);
	if (colon <= 0) return undefined;
	const name = text.slice(0, colon);
	const inline = text
		.slice(colon + 1)
		.replace(/^[\s*_]+/, "")
		.trimEnd();
	if (!SAYS_SOMETHING.test(inline)) return undefined;
	const titled = marked ? lookUp(name, known, marked) : known.byKey.get(sectionKey(name));
	// Without marks, only a line that starts as the title is written is no mere sentence with a colon.
	if (titled === undefined || (!marked && !titled.title.startsWith(name.trim()))) return undefined;
	return { section: titled, inline };
}
