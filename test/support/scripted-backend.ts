import type { GenerateAnswer, GenerateRequest, GeneratingBackend } from "../../src/backend/contract.ts";
import type { NamedBackend, SummaryJob } from "../../src/backend/job.ts";
import { resolveTemplate } from "../../src/core/template/resolve-template.ts";
import type { Template } from "../../src/core/template/template.ts";
import type { Message } from "../../src/core/transcript/message.ts";

/** What a scripted model does at one call: an answer, or an error that it throws. */
export type ScriptedAnswer = GenerateAnswer | { readonly error: unknown };

/** A model that answers from a list, the last answer for ever, and remembers what it was asked. */
export interface ScriptedBackend extends GeneratingBackend {
	readonly requests: readonly GenerateRequest[];
}

export function scriptedBackend(
	answers: readonly ScriptedAnswer[],
	settings: Partial<Omit<GeneratingBackend, "generate" | "summarize">> = {},
): ScriptedBackend {
	const requests: GenerateRequest[] = [];
	return {
		...settings,
		requests,
		async generate(request) {
			requests.push(request);
			const answer = answers[Math.min(requests.length, answers.length) - 1];
			if (answer === undefined) throw new Error("the script is empty");
			if ("error" in answer) throw answer.error;
			return answer;
		},
	};
}

/** The one backend of a chain. */
export function only(backend: NamedBackend["backend"], name = "scripted"): readonly NamedBackend[] {
	return [{ name, backend }];
}

/** Tokens as the given cases count them: code points and a constant for each message, divided by four. */
export function caseTokens(text: string): number {
	return Math.floor(([...text].length + 20) / 4);
}

export interface JobSettings {
	readonly messages?: readonly Message[];
	readonly template?: Template;
	readonly budgetTokens?: number;
	readonly request?: Partial<SummaryJob["request"]>;
	readonly options?: Partial<SummaryJob["options"]>;
	readonly measure?: (render: string) => number;
	readonly countTokens?: (text: string) => number;
	readonly signal?: AbortSignal;
	readonly emit?: SummaryJob["emit"];
}

/** Messages user, assistant, … in turn, each "m00", "m01", …, padded to some length. */
export function alternating(count: number, padding = 0): Message[] {
	return Array.from({ length: count }, (_, index) => ({
		role: index % 2 === 0 ? "user" : "assistant",
		content: `m${String(index).padStart(2, "0")}${" lorem".repeat(padding)}`,
	}));
}

/** A job with the defaults of the options, measured as the given cases measure. */
export function summaryJob(settings: JobSettings = {}): SummaryJob {
	const template = settings.template ?? resolveTemplate("default", {});
	return {
		request: {
			messages: settings.messages ?? alternating(6),
			template,
			budgetTokens: settings.budgetTokens ?? 6000,
			reason: { trigger: "manual", detail: "The caller asked for it." },
			metadata: {},
			guidance: {},
			...settings.request,
		},
		options: { parseOutput: true, malformed: "raw", empty: "accept", ...settings.options },
		measure: settings.measure ?? caseTokens,
		countTokens: settings.countTokens ?? ((text) => text.length / 4),
		signal: settings.signal ?? new AbortController().signal,
		emit: settings.emit ?? (() => undefined),
	};
}
