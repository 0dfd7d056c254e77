import { isOverflow, wordsOf } from "../backend/wrap-error.ts";

/** What a provider's refusal says; absent figures were not told. */
export interface Overflow {
	/** The most tokens that the model takes, prompt and answer together where the provider counts them so. */
	readonly limitTokens?: number;
	/** Tokens of the prompt that was refused. */
	readonly promptTokens?: number;
}

/** Forms that are not common to all; each is some provider's or server's own. */
const OTHER_WORDS = [
	"context limit",
	"context_window",
	"exceeds the limit of",
	"exceeds context",
	"exceeded model token limit",
	"reduce the length of the messages",
	"reduce the length of your",
	"maximum number of tokens",
	"maximum prompt length",
	"tokens in the prompt cannot exceed",
	"too large for model",
	"greater than the context length",
	"model_context_window_exceeded",
	"string_above_max_length",
	"input is too long",
	"prompt too long",
	"request_too_large",
	"context size has been exceeded",
	"longer than the model's context",
	"maximum allowed input length",
];
/** Words of refusals that are about something else, however large the request was. */
const NOT_OVERFLOW = ["rate limit", "tokens per min", "quota", "max_output_tokens must", "billing"];
/** Of a refusal so much is read. */
const MAX_WORDS = 8000;

type Loose = Readonly<Record<string, unknown>>;

function field(value: unknown, key: string): unknown {
	return typeof value === "object" && value !== null ? (value as Loose)[key] : undefined;
}

/** The error itself and those inside it: wrappers of retries, causes, and bare objects of a stream. */
function layersOf(error: unknown): readonly unknown[] {
	const layers: unknown[] = [];
	let layer = error;
	while (layer !== undefined && layer !== null && layers.length < 6) {
		layers.push(layer);
		layer = field(layer, "lastError") ?? field(layer, "cause") ?? field(layer, "error");
	}
	return layers;
}

function textOf(error: unknown): string {
	const texts: string[] = [];
	for (const layer of layersOf(error)) {
		if (typeof layer === "string") texts.push(layer);
		else texts.push(wordsOf(layer));
		for (const key of ["responseBody", "code", "type"]) {
			const text = field(layer, key);
			if (typeof text === "string") texts.push(text);
		}
	}
	return texts.join("\n").slice(0, MAX_WORDS);
}

const NUMBER = String.raw`(\d[\d,_]{2,11})`;
/** Where providers write the limit. The first that fits counts. */
const LIMITS = [
	`maximum context length (?:is|of) ${NUMBER}`,
	`maximum prompt length is ${NUMBER}`,
	`maximum number of tokens allowed \\(?${NUMBER}`,
	`exceed context limit: [\\d,]+ \\+ [\\d,]+ > ${NUMBER}`,
	`> ${NUMBER} maximum`,
	`exceeds the limit of ${NUMBER}`,
	`model token limit: ${NUMBER}`,
	`prompt cannot exceed ${NUMBER}`,
	`with ${NUMBER} maximum context`,
	`available context size \\(?${NUMBER}`,
	`"?n_ctx"?[ :=]{1,4}${NUMBER}`,
	`context length \\(?(?:of )?(?:only )?${NUMBER}`,
	`context window (?:is|of|size) \\(?${NUMBER}`,
	`maximum (?:allowed )?(?:input|context) (?:length|size|tokens)[^\\d\\n]{0,20}${NUMBER}`,
	`limit (?:is|of) ${NUMBER} tokens`,
].map((source) => new RegExp(source, "i"));
/** Where they write how large the prompt was. */
const PROMPTS = [
	`${NUMBER} in the messages`,
	`messages resulted in ${NUMBER}`,
	`prompt is too long: ${NUMBER}`,
	`input token count \\(?${NUMBER}`,
	`exceed context limit: ${NUMBER} \\+`,
	`prompt token count of ${NUMBER}`,
	`"?n_prompt_tokens"?[ :=]{1,4}${NUMBER}`,
	`prompt contains ${NUMBER}`,
	`request contains ${NUMBER}`,
	`\\(requested:? ${NUMBER}`,
	`request \\(${NUMBER} tokens`,
	`requested (?:about )?${NUMBER} tokens`,
].map((source) => new RegExp(source, "i"));

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
	for (const pattern of patterns) {
		const found = Number(pattern.exec(text)?.[1]?.replace(/[,_]/g, ""));
		if (Number.isSafeInteger(found) && found > 0) return found;
	}
	return undefined;
}

/** What a provider said of a prompt that is larger than its model's window; undefined for any other error. */
export function readOverflow(error: unknown): Overflow | undefined {
	const text = textOf(error);
	const words = text.toLowerCase();
	if (NOT_OVERFLOW.some((other) => words.includes(other))) return undefined;
	const isOne = layersOf(error).some(isOverflow) || OTHER_WORDS.some((other) => words.includes(other));
	if (!isOne) return undefined;
	const limitTokens = firstNumber(text, LIMITS);
	const promptTokens = firstNumber(text, PROMPTS);
	return {
		...(limitTokens === undefined ? {} : { limitTokens }),
		...(promptTokens === undefined ? {} : { promptTokens }),
	};
}
