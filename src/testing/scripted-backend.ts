import type { GenerateAnswer, GenerateRequest, GeneratingBackend } from "../backend/contract.ts";

/** An answer of a scripted model: its text, an answer with more to say, or an error to throw. */
export type ScriptedAnswer = string | GenerateAnswer | Error;

/** A backend whose model answers from a list and remembers what it was asked. */
export interface ScriptedBackend extends GeneratingBackend {
	readonly requests: GenerateRequest[];
}

/** Makes a backend for `createCompactor(config, { backend })`; the last answer is given again when the list is used up. */
export function scriptedModel(...answers: readonly ScriptedAnswer[]): ScriptedBackend {
	const requests: GenerateRequest[] = [];
	return {
		requests,
		async generate(request) {
			const answer = answers[Math.min(requests.length, answers.length - 1)] ?? "";
			requests.push(request);
			if (answer instanceof Error) throw answer;
			return typeof answer === "string" ? { text: answer, finishReason: "stop" } : answer;
		},
	};
}
