import {
	collectSecrets,
	type Message,
	maskSecrets,
	type Piece,
	piecesOf,
	type SummaryRequest,
} from "../../../src/plugin.ts";
import { cuesOf, DECISION, DONE, isQuestion, PENDING, type Role } from "./cues.ts";
import { type Fragment, splitFragments } from "./split-fragments.ts";
import type { Vocabulary, Wording } from "./vocabulary.ts";

/** Who a unit comes from. An action is a tool call, a result the first line of what a tool returned. */
export type Origin = "user" | "assistant" | "note" | "error" | "action" | "result";

/** The smallest thing that is picked: a sentence, a bullet, an error, a call. */
export interface Unit {
	readonly text: string;
	readonly origin: Origin;
	/** Units of one source stand on one bullet. */
	readonly source: number;
	/** Place in the conversation. */
	readonly order: number;
	/** The message it stands in; -1 for the previous summary. */
	readonly message: number;
	/** From 0 for the oldest to 1 for the newest. */
	readonly recency: number;
	readonly code: boolean;
	readonly wording: Wording;
	readonly cues: number;
	role: Role;
	/** The section of the previous summary that it stands in. */
	readonly section: string | undefined;
	/** Whether its bullet says that the user said it; not where the text names its speaker. */
	readonly marked: boolean;
}

/** What the units are read from and counted in. */
export interface Collected {
	readonly units: readonly Unit[];
	readonly secrets: ReadonlySet<string>;
}

/** Where the previous summary stands on the way from the oldest message to the newest. */
const PREVIOUS_RECENCY = 0.3;
const LEDGER_ID = "identifiers";
export const USER_MARK = "User: ";
/** Between fragments of one source that do not follow each other. */
export const GAP = " … ";

/** Reads the previous summary and the messages into units, in the conversation's order. */
export function collectUnits(request: SummaryRequest, vocabulary: Vocabulary): Collected {
	const collector = new Collector(vocabulary);
	for (const [section, entries] of Object.entries(request.previousSummary?.sections ?? {})) {
		if (section === LEDGER_ID) continue;
		for (const entry of entries) collector.addEntry(section, entry);
	}
	request.messages.forEach((message, index) => {
		collector.addMessage(message, index, request.messages.length);
	});
	return { units: collector.units, secrets: collector.secrets };
}

/** A text that begins with the name of its speaker, as minutes do: "Ms. Weber: …". */
const SPEAKER = /^\p{Lu}[\p{L}\p{M}.' -]{0,40}: /u;

class Collector {
	readonly units: Unit[] = [];
	readonly secrets = new Set<string>();
	readonly #vocabulary: Vocabulary;
	/** Fragments met, and whether a secret may stand in them. */
	readonly #seen = new Map<string, boolean>();
	#source = 0;
	#marked = false;

	constructor(vocabulary: Vocabulary) {
		this.#vocabulary = vocabulary;
	}

	addEntry(section: string, entry: string): void {
		this.#source += 1;
		const fromUser = entry.startsWith(USER_MARK);
		this.#marked = fromUser;
		const text = fromUser ? entry.slice(USER_MARK.length) : entry;
		this.#addText(text.replaceAll(GAP, "\n"), fromUser ? "user" : "assistant", -1, PREVIOUS_RECENCY, section);
	}

	#addText(
		text: string,
		origin: Origin,
		message: number,
		recency: number,
		section: string | undefined,
	): void {
		let guarded = false;
		for (const fragment of splitFragments(text))
			guarded = this.#add(fragment, origin, message, recency, section) || guarded;
		// A secret may stand on the line after the one that announces it.
		if (guarded) collectSecrets(text, this.secrets);
	}

	addMessage(message: Message, index: number, count: number): void {
		const recency = count < 2 ? 1 : index / (count - 1);
		for (const piece of piecesOf(message)) {
			this.#source += 1;
			switch (piece.voice) {
				case "user":
				case "assistant":
				case "note":
					this.#marked = piece.voice === "user" && !SPEAKER.test(piece.text);
					this.#addText(piece.text, piece.voice, index, recency, undefined);
					break;
				case "call":
					if (mayHoldSecret(piece.text)) collectSecrets(piece.text, this.secrets);
					this.#addLine(describeCall(piece), "action", index, recency);
					break;
				case "error":
				case "result":
					this.#addFailures(piece, index, recency);
					break;
				case "reasoning":
				case "system":
					break;
			}
		}
	}

	#addFailures(piece: Piece, index: number, recency: number): void {
		if (mayHoldSecret(piece.text)) collectSecrets(piece.text, this.secrets);
		const lines =
			piece.voice === "error"
				? firstLines(piece.text, MOST_FAILURES)
				: failureLines(piece.text, MOST_FAILURES);
		for (const line of lines) this.#addLine(line, "error", index, recency);
		for (const line of firstLines(piece.text, 1)) this.#addLine(line, "result", index, recency);
	}

	#addLine(line: string, origin: Origin, index: number, recency: number): void {
		if (line.length < 4) return;
		this.#add({ text: line, code: false, box: undefined }, origin, index, recency, undefined);
	}

	/** @returns whether a secret may stand in the fragment */
	#add(
		fragment: Fragment,
		origin: Origin,
		message: number,
		recency: number,
		section: string | undefined,
	): boolean {
		const seen = this.#seen.get(fragment.text);
		if (seen !== undefined) return seen;
		const wording = this.#vocabulary.read(fragment.text);
		this.#seen.set(fragment.text, wording.guarded);
		if (wording.words.length === 0) return wording.guarded;
		const cues = fragment.code ? 0 : cuesOf(fragment.text, wording.cues, wording.unspaced);
		this.units.push({
			text: fragment.text,
			origin,
			source: this.#source,
			order: this.units.length,
			message,
			recency,
			code: fragment.code,
			wording,
			cues: fragment.box === "done" ? cues | DONE : cues,
			role: roleOf(fragment, origin, cues),
			section,
			marked: origin === "user" && this.#marked,
		});
		return wording.guarded;
	}
}

function roleOf(fragment: Fragment, origin: Origin, cues: number): Role {
	if (fragment.code || origin === "error" || origin === "action" || origin === "result") return "fact";
	if (fragment.box !== undefined) return fragment.box === "open" ? "pending" : "fact";
	if (isQuestion(fragment.text)) return "question";
	if ((cues & DONE) !== 0 && (cues & PENDING) === 0) return (cues & DECISION) !== 0 ? "decision" : "fact";
	if ((cues & PENDING) !== 0) return "pending";
	return (cues & DECISION) !== 0 ? "decision" : "fact";
}

const MOST_FAILURES = 2;
const LONGEST_LINE = 200;
const LONGEST_CALL = 160;

/** A call as one line: its name and the beginnings of its arguments. */
function describeCall(piece: Piece): string {
	const [name = "", ...lines] = piece.text.slice(0, 2000).split("\n");
	const args: string[] = [];
	let left = LONGEST_CALL;
	for (const line of lines) {
		const text = line.trim();
		if (text === "") continue;
		if (text.length > left) break;
		args.push(text);
		left -= text.length + 2;
	}
	return args.length === 0 ? "" : `${name} (${args.join(", ")})`;
}

function firstLines(text: string, most: number): readonly string[] {
	return text
		.slice(0, 2000)
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "")
		.slice(0, most)
		.map(cut);
}

const FAILURE_NEEDLES = ["rror", "ailed", "xception", "FAIL", "ERR", "anic", "denied", "not found", "annot "];

/** The last lines that tell of a failure; found by searching for stems, which is far faster than by matching lines. */
function failureLines(text: string, most: number): readonly string[] {
	const lines = new Map<number, string>();
	for (const needle of FAILURE_NEEDLES) {
		let at = text.lastIndexOf(needle);
		for (let found = 0; at >= 0 && found < most; found += 1) {
			const start = text.lastIndexOf("\n", at) + 1;
			const end = text.indexOf("\n", at);
			const line = text.slice(start, end < 0 ? text.length : Math.min(end, start + 1000)).trim();
			if (line.length <= LONGEST_LINE) lines.set(start, line);
			at = start === 0 ? -1 : text.lastIndexOf(needle, start - 1);
		}
	}
	return [...lines]
		.sort(([left], [right]) => left - right)
		.slice(-most)
		.map(([, line]) => line);
}

function cut(line: string): string {
	if (line.length <= LONGEST_LINE) return line;
	const head = line.slice(0, LONGEST_LINE - 1);
	return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/** Stems of the words that announce a secret, for texts of which little is carried. */
const SECRET_STEM = /assw|ASSW|ecret|ECRET|oken|OKEN|_key|_KEY|[aA]piKey|earer|api-key|:\/\/[^/\s]{1,64}@/;

function mayHoldSecret(text: string): boolean {
	return SECRET_STEM.test(text);
}

/** The text of a unit as it may be carried. */
export function carriedText(unit: Unit, secrets: ReadonlySet<string>): string {
	const isClean = !unit.wording.guarded && secrets.size === 0;
	const text = isClean ? unit.text : maskSecrets(unit.text, secrets);
	return text.replace(/\s+/g, " ").trim();
}
