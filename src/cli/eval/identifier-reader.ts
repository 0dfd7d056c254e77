import type { LedgerKind } from "../../core/ledger/kinds.ts";
import { piecesOf, type Voice } from "../../core/ledger/pieces.ts";
import { TELLING_SHAPE } from "../../core/ledger/rank-identifiers.ts";
import { NameReader } from "../../core/ledger/read-names.ts";
import { type Message, partsOf } from "../../core/transcript/message.ts";

/** An identifier that a message names. */
interface Mention {
	/** The same for every spelling of one identifier. */
	readonly key: string;
	/** As it is written there. */
	readonly text: string;
	/** Whether somebody makes use of it there, rather than being shown it. */
	readonly isUse: boolean;
}

/** What later work needed of an evicted part, by key, and which of it the output still has. */
export interface Recall {
	/** Identifiers as the evicted part writes them. */
	readonly needed: readonly string[];
	/** Those of them that stand in no message of the output. */
	readonly missed: readonly string[];
}

/** Who uses what it names; all other voices show it. */
const USERS: ReadonlySet<Voice> = new Set(["user", "assistant", "reasoning", "call"]);

/** A path may be written from anywhere, so its last two segments stand for it. */
function keyOf(kind: LedgerKind, text: string): string {
	if (kind !== "path") return text;
	return text
		.split(/[/\\]/)
		.filter((segment) => !/^(?:\.{0,2}|~)$/.test(segment))
		.slice(-2)
		.join("/");
}

/** Reads the identifiers of one transcript's messages, each message once. */
export class IdentifierReader {
	readonly #names = new NameReader();
	readonly #tools: ReadonlySet<string>;
	readonly #known = new WeakMap<Message, readonly Mention[]>();

	/** @param transcript all of it: the names of its tools and its secrets are never counted */
	constructor(transcript: readonly Message[]) {
		this.#tools = new Set(
			transcript.flatMap((message) => partsOf(message).flatMap((part) => part.toolName ?? [])),
		);
		for (const message of transcript) this.#read(message);
	}

	/**
	 * Which identifiers of the evicted messages the later ones use before anything shows them again, less those
	 * that the kept messages have; and which of them the inserted messages do not say. Linear.
	 */
	recall(
		evicted: readonly Message[],
		kept: readonly Message[],
		inserted: readonly Message[],
		later: readonly Message[],
	): Recall {
		const gone = new Map<string, string>();
		for (const message of evicted)
			for (const { key, text } of this.#read(message)) if (!gone.has(key)) gone.set(key, text);
		const seen = this.#keysOf(kept);
		const needed = new Map<string, string>();
		for (const message of later) {
			for (const { key, isUse } of this.#read(message)) {
				const text = gone.get(key);
				if (isUse && text !== undefined && !seen.has(key)) needed.set(key, text);
				seen.add(key);
			}
		}
		const said = this.#keysOf(inserted);
		// What is printed must not hold a secret, nor be counted as lost where a ledger leaves it out for that.
		const secrets = [...this.#names.secrets];
		const visible = [...needed].filter(([, text]) => !secrets.some((secret) => text.includes(secret)));
		return {
			needed: visible.map(([, text]) => text),
			missed: visible.filter(([key]) => !said.has(key)).map(([, text]) => text),
		};
	}

	#keysOf(messages: readonly Message[]): Set<string> {
		return new Set(messages.flatMap((message) => this.#read(message).map(({ key }) => key)));
	}

	#read(message: Message): readonly Mention[] {
		const known = this.#known.get(message);
		if (known !== undefined) return known;
		const mentions: Mention[] = [];
		for (const { voice, text } of piecesOf(message)) {
			this.#names.read(text, (identifier, isKey) => {
				if (identifier.weight < TELLING_SHAPE || this.#tools.has(identifier.text)) return;
				// The name of an argument comes from the tool's schema, not from anybody's memory.
				const isArgument = voice === "call" && isKey;
				mentions.push({
					key: keyOf(identifier.kind, identifier.text),
					text: identifier.text,
					isUse: USERS.has(voice) && !isArgument,
				});
			});
		}
		this.#known.set(message, mentions);
		return mentions;
	}
}
