import { rescuePrompt } from "../core/prompt/rescue.ts";
import { type PromptSubject, systemPrompt } from "../core/prompt/system-prompt.ts";
import { type UserPromptInput, userPrompt } from "../core/prompt/user-prompt.ts";
import type { Template } from "../core/template/template.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import type { BackendLimits } from "./contract.ts";
import { describe } from "./describe.ts";

/** Tokens of a window that nobody knows: what current hosted models have at least. */
export const DEFAULT_WINDOW = 128_000;
/** Counters estimate, and models count otherwise: so much of a window is used, in percent. */
const USED_PERCENT = 90;
/** The answer may take this share of a window at most. */
const OUTPUT_SHARE = 4;
/** Below this many tokens a prompt is not worth sending. */
export const LEAST_ROOM = 192;
/** An answer below this cannot be whole: models think, and JSON needs its marks. */
const LEAST_OUTPUT = 1024;

/** A summarizer's window. */
export interface Window {
	readonly tokens: number;
	readonly maxOutputTokens: number;
}

function checked(name: string, key: keyof BackendLimits, value: unknown): number | undefined {
	if (value === undefined) return undefined;
	if (typeof value === "number" && Number.isFinite(value) && value >= 1) return Math.floor(value);
	throw new CompactionError(
		"PLUGIN_INVALID",
		`Cannot summarize: the backend "${name}" gives ${typeof value === "number" ? value : describe(value)} as limits.${key}; expected a number of 1 or more.`,
	);
}

/** What a backend's model takes, with defaults for what it does not say. */
export function windowOf(name: string, limits: BackendLimits | undefined): Window {
	const tokens = checked(name, "windowTokens", limits?.windowTokens) ?? DEFAULT_WINDOW;
	const most = checked(name, "maxOutputTokens", limits?.maxOutputTokens) ?? Number.POSITIVE_INFINITY;
	return { tokens, maxOutputTokens: Math.max(1, Math.min(most, Math.floor(tokens / OUTPUT_SHARE))) };
}

/** The output limit of a call for so large a summary: twice its budget, as far as the model takes it. */
export function outputTokens(window: Window, budgetTokens: number): number {
	return Math.max(1, Math.min(window.maxOutputTokens, Math.max(LEAST_OUTPUT, 2 * Math.ceil(budgetTokens))));
}

/** What a prompt holds beside the text. */
export interface Frame {
	readonly template: Template;
	readonly subject: PromptSubject;
	readonly structured: boolean;
	readonly prompt: Omit<UserPromptInput, "rescue" | "text" | "subject">;
}

/** Tokens of the longest prompt that a frame makes, without the text. */
export function frameTokens(frame: Frame, countTokens: (text: string) => number): number {
	const { template, subject } = frame;
	// Placeholder figures are as long as real ones get; the longest rescue stands for all.
	const budgetTokens = 1_000_000;
	const faults = ["blank", "malformed", "over-budget", "cut-off", "empty"] as const;
	const rescue = faults
		.map((fault) => rescuePrompt(fault, template, budgetTokens))
		.reduce((longest, one) => (one.length > longest.length ? one : longest));
	// Of the two forms of the system prompt, text is what every second call may fall back to.
	const systems = (frame.structured ? [true, false] : [false]).map((structured) =>
		countTokens(systemPrompt({ template, budgetTokens, subject, structured })),
	);
	const user = countTokens(userPrompt({ ...frame.prompt, subject, text: "", rescue }));
	return Math.ceil(Math.max(...systems) + user);
}

/** Tokens that are left for the text in a window, beside a frame, the answer and a margin. */
export function roomIn(window: Window, output: number, frame: number): number {
	return Math.floor((window.tokens * USED_PERCENT) / 100) - output - frame;
}
