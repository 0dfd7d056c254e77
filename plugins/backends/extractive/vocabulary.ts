import { JOINT, LOWER, readSecretHints, scanTokens, UNSPACED, UPPER } from "../../../src/plugin.ts";
import { WORD_CUES } from "./cues.ts";

/** A word of the transcript. */
interface Word {
	readonly id: number;
	readonly cues: number;
	/** Whether it says something by itself. */
	readonly counts: boolean;
	/** Whether it may be a secret or announce one. */
	readonly guarded: boolean;
}

/** What the words of a sentence are. */
export interface Wording {
	/** The distinct words that count, by id. */
	readonly words: readonly number[];
	readonly cues: number;
	readonly unspaced: boolean;
	/** Whether a secret may stand in it. */
	readonly guarded: boolean;
}

const STOP: ReadonlySet<string> = new Set(
	(
		"a an the and or but if then than so of to in on at by for with from into over under up down out off about as is are was were " +
		"be been being am do does did doing have has had having i me my we our us you your he she it its they them their his her this " +
		"that these those there here what which who when where why how all any both each few more most other some such no nor not only " +
		"own same too very can will just should now would could may might must let's i'm you're it's that's don't didn't doesn't isn't " +
		"wasn't i've we've they've i'll we'll he's she's there's what's also really yeah oh ok okay hey hi well like get got going go one " +
		"um uh let der die das und oder ist sind ein eine nicht mit auf für von zu im den dem le la les un une des et ou est sont pas que " +
		"qui dans pour sur el los las y es son por para con una del no se lo da do e os um uma il di che и в не на что с"
	).split(" "),
);

/** How much more a word counts that was first written with a capital, which often marks a name. */
const NAME = 1.15;

/** The words of a transcript: in how many sentences each stands, and what that makes it worth. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	readonly #byToken = new Map<string, Word | undefined>();
	readonly #frequency: number[] = [];
	readonly #worth: number[] = [];
	readonly #lastSeen: number[] = [];
	#sentences = 0;

	/** Reads a sentence and counts its words. */
	read(text: string): Wording {
		const stamp = ++this.#sentences;
		const words: number[] = [];
		let cues = 0;
		let unspaced = false;
		let guarded = false;
		const count = (word: Word | undefined): void => {
			if (word === undefined) return;
			cues |= word.cues;
			if (word.guarded) guarded = true;
			if (!word.counts || this.#lastSeen[word.id] === stamp) return;
			this.#lastSeen[word.id] = stamp;
			this.#frequency[word.id] = (this.#frequency[word.id] ?? 0) + 1;
			words.push(word.id);
		};
		scanTokens(text, (token, classes) => {
			if (classes === UNSPACED) {
				unspaced = true;
				for (const pair of pairsOf(token)) count(this.#lookUp(pair, LOWER));
				return;
			}
			count(this.#lookUp(token, classes));
		});
		return { words, cues, unspaced, guarded };
	}

	#lookUp(token: string, classes: number): Word | undefined {
		const known = this.#byToken.get(token);
		if (known !== undefined || this.#byToken.has(token)) return known;
		const word = this.#intern(token, classes);
		this.#byToken.set(token, word);
		return word;
	}

	#intern(token: string, classes: number): Word | undefined {
		const bare = (classes & JOINT) === 0 ? token : token.replace(/^[^\p{L}\p{N}@~./]+|[^\p{L}\p{N}]+$/gu, "");
		const lower = bare.toLowerCase();
		const key = (classes & ~(LOWER | UPPER)) === 0 ? stemOf(lower) : lower;
		if (key === "") return undefined;
		let id = this.#ids.get(key);
		if (id === undefined) {
			id = this.#frequency.length;
			this.#ids.set(key, id);
			this.#worth.push((classes & UPPER) !== 0 ? NAME : 1);
			this.#frequency.push(0);
			this.#lastSeen.push(0);
		}
		const isParticle = lower.length < 3 && classes === LOWER && /^[a-z]/.test(lower);
		const { values, cue } = readSecretHints(token);
		return {
			id,
			cues: WORD_CUES.get(lower) ?? 0,
			counts: !isParticle && !STOP.has(lower),
			guarded: values.length > 0 || cue !== undefined,
		};
	}

	/** What covering each word is worth, by id: rare words and words that are named again count most. */
	weights(): Float64Array {
		const weights = new Float64Array(this.#frequency.length);
		for (let id = 0; id < weights.length; id += 1) {
			const frequency = this.#frequency[id] ?? 0;
			if (frequency === 0) continue;
			const rarity = Math.log(1 + (this.#sentences - frequency + 0.5) / (frequency + 0.5));
			weights[id] = Math.max(0, rarity) * Math.sqrt(Math.min(frequency, 8)) * (this.#worth[id] ?? 1);
		}
		return weights;
	}
}

const ENDING = /(?:ies|ing|ed|es|s|ly)$/;

/** A word of Latin letters less the ending that English inflects it by; other languages lose little by it. */
function stemOf(word: string): string {
	if (word.length < 5) return word;
	return word.replace(ENDING, (ending) => (ending === "ies" ? "i" : ""));
}

/** Neighbouring characters of a script without spaces stand for its words. */
function pairsOf(token: string): readonly string[] {
	const signs = [...token];
	if (signs.length < 2) return signs;
	return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}
