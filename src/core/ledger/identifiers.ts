import type { LedgerKind } from "./kinds.ts";
import { DIGIT, FOREIGN, JOINT, LOWER, UNSPACED, UPPER } from "./scan-tokens.ts";
import { isSecretShaped } from "./secrets.ts";

/** An identifier as it stands in a text, less punctuation around it. */
export interface Identifier {
	readonly kind: LedgerKind;
	readonly text: string;
	/** How much a name of this shape says, from 0 to 1.5: a path says more than a number. */
	readonly weight: number;
}

const NONE: readonly Identifier[] = [];

const EXTENSIONS: ReadonlySet<string> = new Set(
	(
		"ts tsx js jsx mjs cjs mts cts py pyi ipynb go rs c h cc cpp hpp cs java kt swift rb php sh bash zsh ps1 bat pl lua r scala " +
		"ex exs erl hs ml clj dart vue svelte md mdx rst txt json jsonl ndjson json5 yaml yml toml ini cfg conf env lock log sql db " +
		"sqlite csv tsv xml html htm css scss less svg png jpg jpeg gif webp pdf doc docx xls xlsx ppt pptx zip gz tar tgz wasm " +
		"proto graphql gradle tf mod sum pony patch diff snap test spec mp4 mp3 wav"
	).split(" "),
);

const EDGE_START = /^[.,:;!?*#$%&~\-+=@^\\]+/;
const EDGE_END = /[.,:;!?*=~'+&#$^\\-]+$/;

function one(kind: LedgerKind, text: string, weight: number): readonly Identifier[] {
	return text.length < 2 || text.length > 200 ? NONE : [{ kind, text, weight }];
}

/** The identifiers in a token of these character classes; most tokens are plain words and hold none. */
export function readIdentifiers(token: string, classes: number): readonly Identifier[] {
	if (classes === LOWER || classes === UNSPACED || token.length > 400) return NONE;
	// A capital at the head of a plain word.
	if ((classes & (DIGIT | JOINT)) === 0 && (classes & FOREIGN) !== 0) return NONE;
	return read(token, 0);
}

function read(token: string, depth: number): readonly Identifier[] {
	if (depth > 4 || token.length < 2) return NONE;
	if (token.includes("://")) return readUrl(token);
	const issue = /^#(\d{1,7})[.,:;!?]*$/.exec(token);
	if (issue !== null) return one("id", `#${issue[1]}`, 0.8);
	const text = trimEdges(token);
	if (text.length < 2 || isSecretShaped(text)) return NONE;
	const equals = text.indexOf("=");
	if (equals > 0) return readPair(text, equals, depth);
	if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text)) {
		return /@v?\d/.test(text) ? one("version", text, 1) : one("id", text, 1.1);
	}
	if (/^[A-Za-z]:\\/.test(text) || (text.includes("\\") && /^[\w.\\ -]+$/.test(text)))
		return one("path", text.replace(/:\d+(?::\d+)?$/, ""), 1.2);
	if (text.includes("/")) return readPath(text);
	if (text.includes(":") && !text.includes("::")) return readColons(text, depth);
	return readName(text);
}

/** Punctuation around a name is no part of it, but "./", "~/", "@scope", ".env" and "--flag" are. */
function trimEdges(token: string): string {
	let text = token.replace(EDGE_END, "");
	const lead = EDGE_START.exec(text)?.[0] ?? "";
	if (lead !== "") {
		const rest = text.slice(lead.length);
		let keep = "";
		if (rest.startsWith("/") && /(?:^|[^.])(\.{1,2}|~)$/.test(lead))
			keep = lead.endsWith("..") ? ".." : lead.slice(-1);
		else if (lead.endsWith("--") && /^[a-z]/i.test(rest)) keep = "--";
		else if (lead.endsWith("@") && rest.includes("/")) keep = "@";
		else if (lead.endsWith(".") && /^[a-z][\w.-]*$/i.test(rest) && lead.length === 1) keep = ".";
		else if (lead.endsWith("$") && /^\d/.test(rest)) keep = "$";
		else if (lead.endsWith("-") && /^\d/.test(rest)) keep = "";
		text = keep + rest;
	}
	return text;
}

function readUrl(token: string): readonly Identifier[] {
	const start = /[a-z][a-z0-9+.-]*:\/\//i.exec(token);
	if (start === null) return NONE;
	const url = token.slice(start.index).replace(/[.,:;!?*'\\]+$/, "");
	const host = url.slice(start[0].length);
	const slash = host.indexOf("/");
	const authority = slash < 0 ? host : host.slice(0, slash);
	if (authority.length < 2 || authority.includes("@")) return NONE;
	const query = url.indexOf("?");
	// A query may carry a key of any name, and seldom carries what is needed.
	const bare = query > 0 && url.length - query > 40 ? url.slice(0, query) : url;
	if (/[?&#](?:[\w-]*(?:key|token|secret|password|signature|sig|auth|code))=/i.test(bare))
		return query > 0 ? one("url", url.slice(0, query), 1) : NONE;
	return one("url", bare, 1);
}

/** "name=value": a number keeps its name, everything else comes apart. */
function readPair(text: string, equals: number, depth: number): readonly Identifier[] {
	const name = text.slice(0, equals);
	const value = text.slice(equals + 1);
	const number =
		/^[A-Za-z][\w.-]*$/.test(name.replace(/^--?/, "")) && /^-?\d[\d.]*[a-zA-Z%]{0,3}$/.test(value);
	const left = read(name, depth + 1);
	if (number && left.length === 0) return one("number", text, 0.4);
	return [...left, ...read(value, depth + 1)];
}

function readColons(text: string, depth: number): readonly Identifier[] {
	if (/^\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:am|pm)?$/i.test(text)) return one("number", text, 0.25);
	if (/^\d{4}-\d{2}-\d{2}[T_]\d{2}:\d{2}/.test(text)) return one("number", text.slice(0, 10), 0.5);
	const place = /^([\w.@+-]+\.[a-z]{1,5}):\d+(?::\d+)?$/i.exec(text);
	if (place?.[1] !== undefined) return readName(place[1]);
	const host = /^([\w.-]+):(\d{2,5})$/.exec(text);
	if (host !== null) return one("number", text, /^\d+$/.test(host[1] ?? "") ? 0.2 : 0.7);
	return text.split(":", 8).flatMap((piece) => read(piece, depth + 1));
}

function readPath(raw: string): readonly Identifier[] {
	const text = raw.replace(/:\d+(?:[:-]\d+)*$/, "").replace(/^(?:a|b)\/(?=\w+\/)/, "");
	if (text.startsWith("//") || text.includes("//")) return NONE;
	if (!/[A-Za-z]/.test(text)) {
		return /^\d{1,4}\/\d{1,2}\/\d{1,4}$/.test(text) ? one("number", text, 0.5) : NONE;
	}
	if (/[^\w@.+~/:*-]/.test(text.replace(/[^\u0000-\u007f]/g, ""))) return NONE;
	const segments = text.split("/").filter((segment) => segment !== "" && !/^\.{1,2}$/.test(segment));
	if (segments.length === 0 || segments.some(({ length }) => length > 120)) return NONE;
	if (text.startsWith("@") && segments.length === 2) return one("symbol", text, 1);
	const last = segments.at(-1) ?? "";
	const rooted = /^(?:\.{0,2}|~)\//.test(text);
	const file = /\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(last) || last.startsWith(".");
	if (segments.length === 1 && !file) return NONE;
	// "and/or", "read/write": two plain words say little.
	const plain =
		segments.length < 3 && !rooted && !file && segments.every((segment) => /^[A-Za-z]+$/.test(segment));
	return one("path", text.replace(/(?<=.)\/+$/, ""), file ? 1.25 : plain ? 0.3 : 0.85);
}

/** A name without slash, colon and equals sign. */
function readName(text: string): readonly Identifier[] {
	if (/^\$?\d/.test(text)) {
		const numeric = readNumeric(text);
		if (numeric !== undefined) return numeric;
	}
	if (/^v\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$/.test(text)) return one("version", text, 1);
	if (text.startsWith("--")) return one("symbol", text, 0.9);
	const error = readError(text);
	if (error !== undefined) return error;
	if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text))
		return one("id", text, 0.9);
	if (/^[0-9a-f]{7,40}$/.test(text) && /\d/.test(text) && /[a-f]/.test(text)) return one("id", text, 0.9);
	const dot = text.lastIndexOf(".");
	if (dot >= 0) return readDotted(text, dot);
	return readWord(text);
}

function readNumeric(text: string): readonly Identifier[] | undefined {
	if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return one("number", text, 0.7);
	if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z?$/.test(text)) return one("number", text.slice(0, 10), 0.5);
	if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return one("id", text, 0.9);
	if (/^\d+(?:\.\d+){2,3}(?:[-+][\w.]+)?$/.test(text)) return one("version", text, 1);
	if (/^\$?\d+\.\d+$/.test(text)) return one("number", text, 0.4);
	if (/^\d{4,12}$/.test(text)) return one("number", text, 0.5);
	if (/^\$?\d+(?:\.\d+)?(?:ms|s|m|h|d|k|K|M|G|B|kB|KB|MB|GB|px|x|%)?$/.test(text))
		return text.length > 2 ? one("number", text, 0.2) : NONE;
	return undefined;
}

function readError(text: string): readonly Identifier[] | undefined {
	if (/^[A-Z]\w*(?:Error|Exception|Panic|Warning|Failure)$/.test(text)) return one("error", text, 1.1);
	if (
		/^(?:E[A-Z]{3,14}|ERR_[A-Z0-9_]+|SIG[A-Z]{2,6})$/.test(text) &&
		!/^E(?:VERY|NGLISH|XAMPLE|ITHER|LSE|VEN|NSURE)/.test(text)
	)
		return one(
			"error",
			text,
			text.startsWith("ERR_") ||
				/^(?:EACC|ENO|EEX|EPE|ETIME|ECON|EADDR|EPIPE|EMFILE|EISDIR|EAGAIN|EINVAL|SIG)/.test(text)
				? 1.1
				: 0.3,
		);
	if (/^(?:TS|E|CS|SQL|ORA|C|LNK|CVE|RUSTSEC|GHSA|PGRST|SA|B|W)-?\d{3,5}(?:-\d{2,6})*$/.test(text))
		return one("error", text, 1.1);
	return undefined;
}

function readDotted(text: string, dot: number): readonly Identifier[] {
	const extension = text.slice(dot + 1);
	if (/[^\w.@+-]/.test(text.replace(/[^\u0000-\u007f]/g, ""))) return NONE;
	if (EXTENSIONS.has(extension.toLowerCase()) || (dot === 0 && /^[a-z]/.test(extension)))
		return one("path", text, 1.1);
	if (dot === 0) return NONE;
	const segments = text.split(".");
	if (segments.some(({ length }) => length < 2) || /^(?:mr|mrs|ms|dr|prof|st)$/i.test(segments[0] ?? ""))
		return NONE;
	// The last segment names the thing where it is a name by itself: "config.GetDebugDir".
	const own = readWord(extension);
	if (own.length > 0 && (own[0]?.weight ?? 0) >= 0.9) return own;
	return segments.length > 4 ? NONE : one("symbol", text, /[A-Z_]/.test(text) ? 0.8 : 0.5);
}

function readWord(text: string): readonly Identifier[] {
	if (!/^[\w:-]+$/.test(text)) return NONE;
	const digits = /\d/.test(text);
	const underscored = /[A-Za-z0-9]{2}_[A-Za-z0-9]|[A-Za-z0-9]_[A-Za-z0-9]{2}/.test(text);
	if (underscored && /[A-Za-z]/.test(text))
		return one(/_\d{2,}/.test(text) ? "id" : "symbol", text, digits ? 1.1 : 1);
	if (text.includes("::")) return one("symbol", text, 1);
	if (/^[A-Z0-9]{4,12}$/.test(text) && digits && /[A-Z]/.test(text)) return one("id", text, 1);
	if (/[a-z0-9][A-Z]/.test(text) && !text.includes("-")) return one("symbol", text, 1);
	if (/^[A-Z]{2,}[a-z]{2,}/.test(text) && !text.includes("-")) return one("symbol", text, 0.7);
	if (/^[A-Z]{3,10}$/.test(text)) return one("symbol", text, 0.3);
	if (/^[A-Z]{2,10}-\d{1,7}$/.test(text)) return one("id", text, 1);
	if (/^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$/.test(text)) {
		return one("symbol", text, digits ? 0.6 : text.split("-").length > 2 ? 0.4 : 0.2);
	}
	return digits && /[A-Za-z]/.test(text) && text.length >= 4 ? one("id", text, 0.4) : NONE;
}

/** Whether a token of these classes may hold an identifier at all. */
export function mayIdentify(classes: number): boolean {
	return (classes & (DIGIT | JOINT | UPPER)) !== 0;
}
