import { type Identifier, mayIdentify, readIdentifiers } from "./identifiers.ts";
import { LOWER, scanRuns } from "./scan-tokens.ts";
import { endsLikeCue, readSecretHints, type SecretHints, secretAfter } from "./secrets.ts";

interface TokenFacts {
	readonly identifiers: readonly Identifier[];
	readonly hints: SecretHints;
}

/** Reads identifiers and secrets off texts. What a token is, is worked out once for all texts. */
export class NameReader {
	readonly secrets: Set<string> = new Set();
	/** Undefined for tokens that are neither. */
	readonly #facts = new Map<string, TokenFacts | undefined>();

	/** Calls `visit` for every identifier; `isKey` says that it names a field and not a value. */
	read(text: string, visit: (identifier: Identifier, isKey: boolean) => void): void {
		scanRuns(text, (classes, start, end) => {
			// Most tokens are plain words; few of them can announce a secret.
			if (classes === LOWER && !endsLikeCue(text, end)) return;
			const token = text.slice(start, end);
			const facts = this.#factsOf(token, classes);
			if (facts === undefined) return;
			const { identifiers, hints } = facts;
			for (const value of hints.values) this.secrets.add(value);
			if (hints.cue !== undefined) {
				const secret = secretAfter(text, token, end, hints.cue);
				if (secret !== undefined) this.secrets.add(secret);
			}
			if (identifiers.length === 0) return;
			const isKey = token.endsWith(":") || /^\\?["']:/.test(text.slice(end, end + 3));
			for (const identifier of identifiers) visit(identifier, isKey);
		});
	}

	#factsOf(token: string, classes: number): TokenFacts | undefined {
		const known = this.#facts.get(token);
		if (known !== undefined || this.#facts.has(token)) return known;
		const identifiers = mayIdentify(classes) ? readIdentifiers(token, classes) : [];
		const hints = readSecretHints(token);
		const facts =
			identifiers.length === 0 && hints.cue === undefined && hints.values.length === 0
				? undefined
				: { identifiers, hints };
		this.#facts.set(token, facts);
		return facts;
	}
}
