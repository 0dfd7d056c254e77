import { LOWER, scanRuns } from "./scan-tokens.ts";

/** Shapes that issuers give to keys and tokens. */
const ISSUED = new RegExp(
	[
		/^(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{8,}/,
		/^gh[pousr]_[A-Za-z0-9]{16,}/,
		/^github_pat_\w{16,}/,
		/^glpat-[\w-]{16,}/,
		/^xox[a-z]-[\w-]{8,}/,
		/^(?:AKIA|ASIA)[A-Z0-9]{12,}/,
		/^AIza[\w-]{20,}/,
		/^ya29\.[\w.-]{16,}/,
		/^eyJ[\w-]{8,}\.[\w-]{4,}/,
		/^npm_[A-Za-z0-9]{20,}/,
		/^hf_[A-Za-z0-9]{16,}/,
		/^SG\.[\w-]{10,}/,
		/^whsec_\w{12,}/,
		/^dop_v1_\w{16,}/,
		/^AGE-SECRET-KEY-/,
	]
		.map(({ source }) => source)
		.join("|"),
);

const STRONG =
	/(?:password|passwd|passphrase|pwd|secret|client[-_]?secret|kennwort|passwort|contraseña|密码|密碼|パスワード)$/i;
const WEAK =
	/(?:(?:^|[-_.a-z])token|(?:^|[-_])key|api[-_]?key|access[-_]?key(?:[-_]id)?|private[-_]?key|credentials?|authorization|bearer|auth)$/i;

/** What stands between a cue and its value. */
const AFTER_CUE =
	/^["'`\]]{0,2}\s{0,4}(?:(:|=>?|：|\b(?:is|was|ist|es)\b|是)\s{0,4})?(?:(?:Bearer|Basic|Token)\s+)?["'`]{0,2}([^\s"'`,;)\]}<>]{4,256})/i;

/** Words that stand where a value would, in code and prose. */
const NO_VALUE =
	/^(?:string|number|boolean|true|false|null|undefined|none|nil|required|optional|missing|invalid|expired|empty|unset|not|the|this|that|wrong|process\.env.*|os\.environ.*|env\..*|\$.*|<.*|\{.*|\*+|\.+|x+|…)$/i;

const LETTER = /[A-Za-z]/;
const NUMERAL = /\d/;

/** Whether a run of characters is a key or a token by its looks alone. */
export function isSecretShaped(token: string): boolean {
	if (token.length < 12) return false;
	if (ISSUED.test(token)) return true;
	return looksRandom(token);
}

/** Long, of mixed case and digits that alternate as no name's do. */
function looksRandom(token: string): boolean {
	if (token.length < 20 || token.length > 4096 || token.includes("://")) return false;
	let digits = 0;
	let upper = 0;
	let lower = 0;
	let turns = 0;
	let joints = 0;
	let last = 0;
	const length = Math.min(token.length, 160);
	for (let at = 0; at < length; at += 1) {
		const code = token.charCodeAt(at);
		let kind = 0;
		if (code >= 48 && code <= 57) {
			digits += 1;
			kind = 1;
		} else if (code >= 65 && code <= 90) {
			upper += 1;
			kind = 2;
		} else if (code >= 97 && code <= 122) {
			lower += 1;
			kind = 3;
		} else joints += 1;
		// A capital that begins a word is no turn: "ParseJson" is a name.
		if (kind !== last && !(last === 2 && kind === 3)) turns += 1;
		last = kind;
	}
	return digits >= 3 && upper >= 3 && lower >= 3 && joints <= length / 12 && turns >= length / 4;
}

function isValue(value: string, strong: boolean, linked: boolean): boolean {
	if (NO_VALUE.test(value)) return false;
	if (strong) return linked || (value.length >= 6 && LETTER.test(value) && NUMERAL.test(value));
	if (value.length >= 8 && LETTER.test(value) && NUMERAL.test(value)) return linked || value.length >= 16;
	return linked && value.length >= 24 && !value.includes(".") && !value.includes("/");
}

/** The last two letters of every cue: rd of password, ey of key, id of access_key_id; a bit for each second letter. */
const CUE_ENDINGS: Uint32Array = (() => {
	const table = new Uint32Array(128);
	for (const ending of ["rd", "wd", "se", "et", "rt", "en", "ey", "id", "al", "ls", "on", "er", "th"])
		for (const first of [ending.charCodeAt(0), ending.charCodeAt(0) - 32])
			table[first] = (table[first] ?? 0) | (1 << (ending.charCodeAt(1) & 31));
	return table;
})();

/** Whether a word that ends here can announce a secret; tells most words apart without reading them. */
export function endsLikeCue(text: string, end: number): boolean {
	const first = text.charCodeAt(end - 2);
	const second = text.charCodeAt(end - 1);
	// Words of other scripts are few.
	if (first > 127 || second > 127) return true;
	return second > 64 && ((CUE_ENDINGS[first] ?? 0) & (1 << (second & 31))) !== 0;
}

/** What a token says of secrets: those that stand in it, and whether it announces that one follows. */
export interface SecretHints {
	readonly values: readonly string[];
	readonly cue: "strong" | "weak" | undefined;
}

const NO_HINTS: SecretHints = { values: [], cue: undefined };

/** What a token by itself says of secrets. */
export function readSecretHints(token: string): SecretHints {
	if (token.length < 2 || token.length > 4096) return NO_HINTS;
	const values = isSecretShaped(token) ? [token] : [];
	for (const sign of ["=", ":"]) {
		const at = token.indexOf(sign);
		if (at < 2 || at > 64) continue;
		const cue = cueOf(token.slice(0, at));
		const value = token.slice(at + 1).replace(/^[:=]+/, "");
		if (cue !== undefined && value.length >= 4 && isValue(value, cue === "strong", true)) values.push(value);
		if (isSecretShaped(value)) values.push(value);
	}
	noteCredentials(token, values);
	const cue = token.length > 64 ? undefined : cueOf(withoutSign(token));
	return values.length === 0 && cue === undefined ? NO_HINTS : { values, cue };
}

/** A name without the sign that links it to its value. */
function withoutSign(token: string): string {
	let end = token.length;
	while (end > token.length - 2 && (token[end - 1] === ":" || token[end - 1] === "=")) end -= 1;
	return end === token.length ? token : token.slice(0, end);
}

function cueOf(name: string): SecretHints["cue"] {
	if (!endsLikeCue(name, name.length)) return undefined;
	if (STRONG.test(name)) return "strong";
	return WEAK.test(name) ? "weak" : undefined;
}

/** The secret that follows a cue which ends at `end`, if one does. */
export function secretAfter(
	text: string,
	token: string,
	end: number,
	cue: "strong" | "weak",
): string | undefined {
	const name = withoutSign(token);
	const match = AFTER_CUE.exec(text.slice(end - (token.length - name.length), end + 300));
	const value = match?.[2]?.replace(/[.:!?]+$/, "");
	if (value === undefined || value.length < 4) return undefined;
	const linked = match?.[1] !== undefined || name.startsWith("--") || /^bearer$/i.test(name);
	return isValue(value, cue === "strong", linked) ? value : undefined;
}

/** Adds to `found` every value that the text names as a password, key or token, or that looks like one. */
export function collectSecrets(text: string, found: Set<string>): void {
	scanRuns(text, (classes, start, end) => {
		// Most runs are plain words; few of them can announce a secret.
		if (classes === LOWER && !endsLikeCue(text, end)) return;
		const token = text.slice(start, end);
		const { values, cue } = readSecretHints(token);
		for (const value of values) found.add(value);
		const next = cue === undefined ? undefined : secretAfter(text, token, end, cue);
		if (next !== undefined) found.add(next);
	});
}

/** The password of a URL with one. */
function noteCredentials(token: string, found: string[]): void {
	const scheme = token.indexOf("://");
	if (scheme < 0) return;
	const at = token.indexOf("@", scheme);
	const colon = token.indexOf(":", scheme + 3);
	const slash = token.indexOf("/", scheme + 3);
	if (at > 0 && colon > 0 && colon < at && (slash < 0 || slash > colon) && at - colon > 1)
		found.push(token.slice(colon + 1, at));
}

/** The text with every known or secret-shaped value replaced by an ellipsis. */
export function maskSecrets(text: string, known: ReadonlySet<string>): string {
	const found = new Set<string>();
	collectSecrets(text, found);
	let masked = text;
	for (const secret of found) masked = masked.replaceAll(secret, "…");
	for (const secret of known) if (masked.includes(secret)) masked = masked.replaceAll(secret, "…");
	return masked;
}
