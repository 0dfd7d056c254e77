import { maskSecrets } from "../core/ledger/secrets.ts";

/** The longest part of a foreign message that is repeated. */
const MAX_LENGTH = 1000;
/** In an error of a provider these are keys whatever they look like. */
const CERTAIN = [/\bsk-[\w-]{6,}/g, /(?<=\bBearer\s)[\w.~+/=-]+/gi];
const NONE: ReadonlySet<string> = new Set();

/** A foreign error message fit for ours: keys and tokens replaced by an ellipsis, and of bounded length. */
export function scrubKeys(message: string): string {
	let out = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
	for (const pattern of CERTAIN) out = out.replace(pattern, "…");
	return maskSecrets(out, NONE);
}
