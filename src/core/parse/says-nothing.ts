import { sectionKey } from "../template/section-key.ts";
import type { TemplateSection } from "../template/template.ts";

/** How the languages that models answer in most say that a list has no items. */
const WORDS = [
	"none, none yet, none so far, none at this time, none at present, none currently, none at the moment",
	"none identified, none noted, none recorded, none remaining, none pending, none known, none mentioned",
	"nothing, nothing yet, nothing so far, nothing to report, nothing pending, nothing of note, nothing outstanding",
	"n/a, na, nil, null, not applicable, not available, empty, no items, no entries, there are none",
	"nenhum, nenhuma, nada, ninguno, ninguna, no aplica, não se aplica, aucun, aucune, rien, néant, sans objet",
	"nessuno, nessuna, niente, keine, keiner, keines, nichts, entfällt, geen, niets, ingen, inga, inget, intet",
	"brak, żadne, nic, žádné, nincs, niciunul, niciuna, yok, ei ole, ei mitään, tidak ada, không có, κανένα",
	"нет, отсутствует, отсутствуют, ничего, немає, няма, אין, لا يوجد, لا شيء, कोई नहीं, ไม่มี",
	"無, 无, 没有, 沒有, 暂无, 暫無, なし, 無し, 特になし, 該当なし, ありません, 없음, 없습니다",
];

let keys: ReadonlySet<string> | undefined;

/** The words as section keys; made on first use, since it would be most of what importing the package costs. */
function wordKeys(): ReadonlySet<string> {
	keys ??= new Set(WORDS.join(", ").split(", ").map(sectionKey));
	return keys;
}

const AFTER_TITLE: readonly string[] = ["", "yet", "sofar", "remain", "remaining", "weremade", "identified"];

const LONGEST = 60;
const MARKS_ONLY = /^[-–—_.…·•*/\s]+$/;
const PLACEHOLDER = /^<\p{L}[\p{L}\p{N} _'’.,…-]{0,60}>$/u;

/** Whether an entry is a blank of the form that was not filled in, "<fact>" for example. */
export function isPlaceholder(entry: string): boolean {
	return entry.startsWith("<") && PLACEHOLDER.test(entry);
}

/** Whether an entry only says that its section has none: "None", "N/A", "-", "No open questions." */
export function saysNothing(entry: string, section: TemplateSection): boolean {
	if (entry.length > LONGEST) return false;
	if (MARKS_ONLY.test(entry) || isPlaceholder(entry)) return true;
	const key = sectionKey(entry);
	if (wordKeys().has(key)) return true;
	const none = key.startsWith("thereareno") ? key.slice("thereare".length) : key;
	const title = `no${sectionKey(section.title)}`;
	return none.startsWith(title) && AFTER_TITLE.includes(none.slice(title.length));
}
