import type { Sections } from "../template/template.ts";
import type { Message } from "../transcript/message.ts";
import { type Identifier, mayIdentify, readIdentifiers } from "./identifiers.ts";
import type { LedgerKind } from "./kinds.ts";
import { mergePaths } from "./merge-paths.ts";
import { piecesOf, type Voice } from "./pieces.ts";
import { scanTokens } from "./scan-tokens.ts";
import { readSecretHints, type SecretHints, secretAfter } from "./secrets.ts";

/** An identifier with its rank's figure. */
export interface RankedIdentifier {
	readonly kind: LedgerKind;
	readonly text: string;
	readonly score: number;
}

/** What is counted for each identifier. */
export interface Tally {
	readonly kind: LedgerKind;
	readonly text: string;
	readonly shape: number;
	/** Mentions by weight of the speaker and nearness to the end. */
	mentions: number;
	/** The last piece that named it, so that one piece counts once. */
	lastPiece: number;
}

/** How much a mention says of later need, by who made it. */
const VOICE: Readonly<Record<Voice, number>> = {
	user: 3,
	assistant: 2.2,
	call: 1.8,
	reasoning: 1,
	error: 0.5,
	result: 0.2,
	note: 0.5,
	system: 0.1,
};

/** The share of the evicted part over which a mention loses half its weight. */
const HALF_LIFE = 0.35;
/** A mention in the previous summary, which was already chosen once. */
const CARRIED = 1.2;

interface TokenFacts {
	readonly identifiers: readonly Identifier[];
	readonly hints: SecretHints;
	readonly plain: boolean;
}

interface RankInput {
	readonly evicted: readonly Message[];
	readonly kept: readonly Message[];
	readonly previous: Sections;
	readonly summary: Sections;
	readonly kinds: ReadonlySet<LedgerKind>;
}

/** Reads texts; the same token is looked at once. */
class Reader {
	readonly secrets: Set<string> = new Set();
	readonly #facts = new Map<string, TokenFacts>();

	read(text: string, visit: (identifier: Identifier) => void): void {
		scanTokens(text, (token, classes, _start, end) => {
			let facts = this.#facts.get(token);
			if (facts === undefined) {
				facts = factsOf(token, classes);
				this.#facts.set(token, facts);
			}
			if (facts.plain) return;
			const { identifiers, hints } = facts;
			for (const value of hints.values) this.secrets.add(value);
			if (hints.cue !== undefined) {
				const secret = secretAfter(text, token, end, hints.cue);
				if (secret !== undefined) this.secrets.add(secret);
			}
			for (const identifier of identifiers) visit(identifier);
		});
	}
}

function factsOf(token: string, classes: number): TokenFacts {
	const identifiers = mayIdentify(classes) ? readIdentifiers(token, classes) : [];
	const hints = readSecretHints(token);
	return {
		identifiers,
		hints,
		plain: identifiers.length === 0 && hints.cue === undefined && hints.values.length === 0,
	};
}

/** The identifiers of the evicted messages and the previous summary, those most likely needed first. */
export function rankIdentifiers(input: RankInput): readonly RankedIdentifier[] {
	const reader = new Reader();
	const tallies = new Map<string, Tally>();
	let piece = 0;
	const note = (identifier: Identifier, weight: number): void => {
		const known = tallies.get(identifier.text);
		if (known === undefined) {
			const { kind, text, weight: shape } = identifier;
			tallies.set(text, { kind, text, shape, mentions: weight, lastPiece: piece });
		} else if (known.lastPiece !== piece) {
			known.mentions += weight;
			known.lastPiece = piece;
		}
	};
	const oldest = 2 ** (-1 / HALF_LIFE);
	for (const entries of Object.values(input.previous)) {
		for (const entry of entries) {
			piece += 1;
			reader.read(entry, (identifier) => note(identifier, CARRIED * Math.max(oldest, 0.3)));
		}
	}
	input.evicted.forEach((message, index) => {
		const nearness = 2 ** ((index / input.evicted.length - 1) / HALF_LIFE);
		for (const { voice, text } of piecesOf(message)) {
			piece += 1;
			const weight = VOICE[voice] * nearness;
			reader.read(text, (identifier) => note(identifier, weight));
		}
	});
	const kept = namesIn(reader, input.kept);
	const said = new Set<string>();
	for (const entries of Object.values(input.summary))
		for (const entry of entries) reader.read(entry, ({ text }) => said.add(text));
	return rank(tallies, reader.secrets, kept, said, input.kinds);
}

function namesIn(reader: Reader, messages: readonly Message[]): ReadonlySet<string> {
	const names = new Set<string>();
	for (const message of messages)
		for (const { text } of piecesOf(message)) reader.read(text, (identifier) => names.add(identifier.text));
	return names;
}

function rank(
	tallies: ReadonlyMap<string, Tally>,
	secrets: ReadonlySet<string>,
	kept: ReadonlySet<string>,
	said: ReadonlySet<string>,
	kinds: ReadonlySet<LedgerKind>,
): readonly RankedIdentifier[] {
	const hidden = [...secrets];
	const ranked: RankedIdentifier[] = [];
	for (const tally of mergePaths(tallies)) {
		const { kind, text } = tally;
		if (!kinds.has(kind) || said.has(text) || hidden.some((secret) => text.includes(secret))) continue;
		const touch = kept.has(text) ? 0.5 : 1;
		const cost = 1 + text.length / 4;
		const score = (tally.shape * touch * Math.log1p(tally.mentions)) / Math.sqrt(cost);
		ranked.push({ kind, text, score });
	}
	return ranked.sort((left, right) => right.score - left.score || (left.text < right.text ? -1 : 1));
}
