import type { Sections } from "../template/template.ts";
import { type Message, partsOf } from "../transcript/message.ts";
import type { Identifier } from "./identifiers.ts";
import type { LedgerKind } from "./kinds.ts";
import { mergePaths } from "./merge-paths.ts";
import { piecesOf, type Voice } from "./pieces.ts";
import { NameReader } from "./read-names.ts";

/** An identifier with its rank's figure. */
export interface RankedIdentifier {
	readonly kind: LedgerKind;
	readonly text: string;
	readonly score: number;
	/** Whether it is worth room that something else could use. */
	readonly telling: boolean;
}

/** What is counted for each identifier. */
export interface Tally {
	readonly kind: LedgerKind;
	readonly text: string;
	shape: number;
	/** Mentions by weight of the speaker and nearness to the end. */
	mentions: number;
	/** The last piece that named it, so that one piece counts once. */
	lastPiece: number;
}

/** How much a mention says of later need, by who made it. */
const VOICE: Readonly<Record<Voice, number>> = {
	user: 2,
	assistant: 2,
	call: 1.2,
	reasoning: 1,
	error: 0.5,
	result: 0.25,
	note: 0.5,
	system: 0.1,
};

/** The share of the evicted part over which a mention loses half its weight. */
const HALF_LIFE = 0.6;
/** A mention in the previous summary: it was chosen before, and it is old. */
const CARRIED = 0.5;
/** A further mention in the same piece. */
const AGAIN = 0.6;
/** A field's name comes back with every value; whoever needs it has the schema. */
const FIELD = 0.3;
/** What the kept messages name stands there to be read; what lies beside it is likely needed. */
const VISIBLE = 0.5;
const BESIDE = 1.3;
const OPEN = 1.5;
/** How soon further mentions add less. */
const MENTIONED = 3;
/** How much length counts against an identifier: 0 not at all, 1 in full. */
const THRIFT = 0.4;
/** Below this a shape says little: acronyms, small numbers, hyphenated words. */
export const TELLING_SHAPE = 0.5;

interface RankInput {
	readonly evicted: readonly Message[];
	readonly kept: readonly Message[];
	readonly previous: Sections;
	readonly kinds: ReadonlySet<LedgerKind>;
}

/** The identifiers of the evicted messages and the previous summary, those most likely needed first. */
export function rankIdentifiers(input: RankInput): readonly RankedIdentifier[] {
	const reader = new NameReader();
	const tallies = tally(input, reader);
	const visible = new Set<string>();
	for (const message of input.kept)
		for (const { text } of piecesOf(message)) reader.read(text, (identifier) => visible.add(identifier.text));
	const open = new Set<string>();
	for (const entry of input.previous.pending_tasks ?? []) reader.read(entry, ({ text }) => open.add(text));
	const beside = placesOf([...visible, ...open]);
	const isSecret = secretTest(reader.secrets);
	const ranked: RankedIdentifier[] = [];
	for (const { kind, text, shape, mentions } of mergePaths(tallies.values())) {
		if (!input.kinds.has(kind) || isSecret(text)) continue;
		let touch = 1;
		if (open.has(text)) touch = OPEN;
		else if (visible.has(text)) touch = VISIBLE;
		else if (kind === "path" && beside.has(placeOf(text))) touch = BESIDE;
		const score = (shape ** 2 * touch * Math.log1p(MENTIONED * mentions)) / (1 + text.length / 4) ** THRIFT;
		ranked.push({ kind, text, score, telling: shape >= TELLING_SHAPE });
	}
	return ranked.sort((left, right) => right.score - left.score || (left.text < right.text ? -1 : 1));
}

function tally(input: RankInput, reader: NameReader): ReadonlyMap<string, Tally> {
	const tallies = new Map<string, Tally>();
	const tools = toolNames(input.evicted);
	let piece = 0;
	const note = (identifier: Identifier, weight: number): void => {
		const known = tallies.get(identifier.text);
		if (known === undefined) {
			const { kind, text, weight: shape } = identifier;
			tallies.set(text, { kind, text, shape, mentions: weight, lastPiece: piece });
		} else {
			known.mentions += known.lastPiece === piece ? weight * AGAIN : weight;
			known.lastPiece = piece;
		}
	};
	for (const entries of Object.values(input.previous)) {
		for (const entry of entries) {
			piece += 1;
			reader.read(entry, (identifier) => note(identifier, CARRIED));
		}
	}
	input.evicted.forEach((message, index) => {
		const nearness = 2 ** (((index + 1) / input.evicted.length - 1) / HALF_LIFE);
		for (const { voice, text } of piecesOf(message)) {
			piece += 1;
			const weight = VOICE[voice] * nearness;
			reader.read(text, (identifier, isKey) => {
				const isField = (isKey && identifier.kind === "symbol") || tools.has(identifier.text);
				note(identifier, isField ? weight * FIELD : weight);
			});
		}
	});
	return tallies;
}

/** The names of the tools: whoever needs them has their definitions. */
function toolNames(messages: readonly Message[]): ReadonlySet<string> {
	const names = new Set<string>();
	for (const message of messages)
		for (const part of partsOf(message)) if (typeof part.toolName === "string") names.add(part.toolName);
	return names;
}

/** The folder of a path. */
function placeOf(path: string): string {
	const text = path.startsWith("./") ? path.slice(2) : path;
	const end = text.lastIndexOf("/");
	return end < 0 ? "" : text.slice(0, end);
}

function placesOf(names: readonly string[]): ReadonlySet<string> {
	return new Set(names.map(placeOf).filter((place) => place !== ""));
}

/** Whether a text holds one of the secrets; with very many of them only whole texts are compared. */
function secretTest(secrets: ReadonlySet<string>): (text: string) => boolean {
	const list = [...secrets].slice(0, 200);
	return (text) => secrets.has(text) || list.some((secret) => text.includes(secret));
}
