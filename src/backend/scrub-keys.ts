// Each pattern is a plain run without nested repetition, so that it stays linear.
const KEYS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
	// Names that go before a secret: `Authorization: Bearer …`, `api_key=…`, `"x-api-key": "…"`.
	[/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, "$1 [key]"],
	[
		/\b((?:x-)?api[-_ ]?key|access[-_]?token|auth[-_]?token|client[-_]?secret|password|secret)(["']?\s*[:=]\s*["']?)[^\s"',;&)}\]]{4,}/gi,
		"$1$2[key]",
	],
	// User and password in a URL.
	[/(:\/\/)[^\s/@:]{1,256}:[^\s/@]{1,256}@/g, "$1[key]@"],
	// Keys that show what they are.
	[/\b(?:sk|rk|gsk|xai|hf)[-_][A-Za-z0-9][\w-]{10,}/g, "[key]"],
	[/\bAIza[\w-]{20,}/g, "[key]"],
	[/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[\w-]{10,}/g, "[key]"],
	[/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, "[key]"],
	[/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, "[key]"],
];

/** The longest part of a foreign message that is repeated. */
const MAX_LENGTH = 1000;

/** A foreign error message fit for ours: keys and tokens replaced, and of bounded length. */
export function scrubKeys(message: string): string {
	let out = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
	for (const [pattern, replacement] of KEYS) out = out.replace(pattern, replacement);
	return out;
}
