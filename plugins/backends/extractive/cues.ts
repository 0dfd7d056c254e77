/** What a sentence is to the work that goes on. */
export type Role = "decision" | "pending" | "question" | "fact";

/** Cues as bits, so that those of a sentence's words add up. */
export const DECISION = 1;
export const PENDING = 2;
export const DONE = 4;
/** Words that cue only beside another: "go with", "need to", "not yet". */
export const MAYBE = 8;

function table(lists: readonly (readonly [number, string])[]): ReadonlyMap<string, number> {
	const cues = new Map<string, number>();
	for (const [bit, words] of lists)
		for (const word of words.split(/\s+/)) cues.set(word, (cues.get(word) ?? 0) | bit);
	return cues;
}

/** Words in lower case that cue by themselves, in the languages of Europe that use spaces. */
export const WORD_CUES: ReadonlyMap<string, number> = table([
	[
		DECISION,
		"decided decide decision decisions agreed chose chosen settled opted approved rejected prefer prefers always never " +
			"entschieden beschlossen entscheidung vereinbart immer niemals décidé décision convenu toujours jamais " +
			"decidido decidimos decisión acordado siempre nunca decisão deciso decisione sempre решили решено решение всегда никогда",
	],
	[
		PENDING,
		"todo todos fixme pending remaining outstanding unfinished blocked blocker follow-up followup backlog " +
			"ausstehend offen verbleibend restant pendiente pendientes pendente осталось нужно",
	],
	[
		DONE,
		"done fixed completed complete finished implemented merged resolved passed shipped deployed released closed solved " +
			"erledigt fertig behoben abgeschlossen terminé corrigé résolu fait hecho terminado resuelto completado feito concluído " +
			"fatto risolto готово сделано исправлено завершено ✅ ✓ ✔",
	],
	[
		MAYBE,
		"go going use using instead need needs needed next still yet later must should remains left let's wait waiting don't not",
	],
]);

const DECISION_PHRASE =
	/\b(?:go(?:ing)? with|we(?:'ll| will| should)? (?:use|keep|stick)|let's (?:use|go|keep|stick|do)|instead of|rather than|must (?:not|be|never)|should (?:not|never|always)|(?:don't|do not) (?:use|add|change|touch|remove|edit|commit|push|create))\b/i;
const PENDING_PHRASE =
	/\b(?:(?:still|also|next|then) (?:need|have|has|must|to)|(?:need|needs|left|remains) to|needed (?:to|for)|not (?:yet|done|finished|implemented)|next (?:step|steps|up|task)|(?:do|fix|add|handle|address|revisit) (?:it |this |that )?later|wait(?:ing)? (?:for|on)|still (?:fails|failing|broken|missing|open))\b/i;

const UNSPACED_CUES: readonly (readonly [number, RegExp])[] = [
	[DECISION, /决定|決定|确定采用|選択|选择|采用|採用|一律|必须|必須|不要|禁止/],
	[PENDING, /待办|待處理|待处理|尚未|还需要|還需要|未完成|下一步|接下来|まだ|残り|これから|未対応|要対応/],
	[DONE, /已完成|完成了|已修复|已修復|已解决|已解決|完了|修正しました|済み/],
];

/** The cues of a sentence whose words gave these bits. */
export function cuesOf(text: string, bits: number, unspaced: boolean): number {
	let cues = bits & ~MAYBE;
	if ((bits & MAYBE) !== 0) {
		if (DECISION_PHRASE.test(text)) cues |= DECISION;
		if (PENDING_PHRASE.test(text)) cues |= PENDING;
	}
	if (unspaced) for (const [bit, cue] of UNSPACED_CUES) if (cue.test(text)) cues |= bit;
	return cues;
}

/** Whether a sentence asks. */
export function isQuestion(text: string): boolean {
	return /[?？؟;՞]["'”’»)\]*_]{0,3}$/.test(text) && !/;$/.test(text);
}
