import { rescuePrompt } from "../core/prompt/rescue.ts";
import { systemPrompt } from "../core/prompt/system-prompt.ts";
import { type UserPromptInput, userPrompt } from "../core/prompt/user-prompt.ts";
import { templateSchema } from "../core/template/template-schema.ts";
import { CompactionError, isCompactionError } from "../errors/compaction-error.ts";
import { ask } from "./ask.ts";
import { type Committed, commitBest } from "./commit-candidate.ts";
import type { GenerateAnswer, GeneratingBackend } from "./contract.ts";
import { describe } from "./describe.ts";
import type { Fault, SummaryJobOptions } from "./job.ts";
import { type Bounds, type Candidate, readCandidate } from "./read-candidate.ts";
import { FAULT_WORDS, type Trail } from "./trail.ts";
import { isUnstructured, wordsOf } from "./wrap-error.ts";

/** One summary asked for. */
export interface SummaryCall {
	readonly name: string;
	readonly backend: GeneratingBackend;
	readonly options: SummaryJobOptions;
	readonly signal: AbortSignal;
	readonly bounds: Omit<Bounds, "structured">;
	/** The figure that the prompt names; never above the budget. */
	readonly figureTokens: number;
	readonly maxOutputTokens: number;
	readonly prompt: Omit<UserPromptInput, "rescue">;
	readonly trail: Trail;
}

function checkAnswer(name: string, answer: unknown): GenerateAnswer {
	const text =
		typeof answer === "object" && answer !== null ? (answer as { readonly text?: unknown }).text : undefined;
	if (typeof text === "string") return answer as GenerateAnswer;
	throw new CompactionError(
		"PLUGIN_INVALID",
		`Cannot summarize: the backend "${name}" answered a call with ${describe(answer)}; expected { text } with a string.`,
	);
}

async function generate(
	call: SummaryCall,
	structured: boolean,
	fault: Fault | undefined,
): Promise<GenerateAnswer> {
	const { name, backend, signal, bounds, figureTokens, maxOutputTokens, prompt, trail } = call;
	const { template } = bounds;
	const system = systemPrompt({ template, budgetTokens: figureTokens, subject: prompt.subject, structured });
	const rescue =
		fault === undefined || fault === "error" ? {} : { rescue: rescuePrompt(fault, template, figureTokens) };
	const text = userPrompt({ ...prompt, ...rescue });
	trail.call(name, prompt.subject, fault);
	const answer = checkAnswer(
		name,
		await ask({
			name,
			timeoutMs: backend.timeoutMs,
			signal,
			run: (inner) => {
				trail.spending.add(1, undefined);
				return backend.generate({
					system,
					prompt: text,
					maxOutputTokens,
					signal: inner,
					...(structured ? { schema: templateSchema(template) } : {}),
				});
			},
		}),
	);
	trail.spending.add(0, answer.usage);
	if (Array.isArray(answer.notes)) for (const note of answer.notes) trail.said(name, String(note));
	return answer;
}

function isUsable({ empty, shape }: Candidate, options: SummaryJobOptions): boolean {
	return !empty && (shape !== "raw" || options.malformed === "raw");
}

/**
 * One summary: a call, and where its answer has a fault one more whose prompt fits the fault; the best answer seen
 * is committed. Falling back from structured output to text is the second call.
 * @throws CompactionError of the first call; of the second where the first brought nothing usable; or for want of
 * an answer that may be committed
 */
export async function summarizeInTwoCalls(call: SummaryCall): Promise<Committed> {
	const { name, backend, options, trail } = call;
	const candidates: Candidate[] = [];
	let structured = backend.structured === true && call.bounds.parseOutput;
	let fault: Fault | undefined;
	for (const attempt of [1, 2]) {
		let answer: GenerateAnswer;
		try {
			answer = await generate(call, structured, fault);
		} catch (error) {
			if (attempt === 1) {
				if (!structured || !isUnstructured(error)) throw error;
				fault = "unstructured";
				structured = false;
				trail.rescue(name, fault);
				continue;
			}
			const cancelled = isCompactionError(error) && error.code === "CANCELLED";
			if (cancelled || !candidates.some((candidate) => isUsable(candidate, options))) throw error;
			trail.note(`the second call failed, and the first answer is used: ${wordsOf(error)}`);
			break;
		}
		const reading = readCandidate(answer, { ...call.bounds, structured });
		if (reading.candidate !== undefined) candidates.push(reading.candidate);
		fault = reading.fault;
		if (fault === undefined) break;
		if (attempt === 2) {
			trail.note(`the second answer of "${name}" was ${FAULT_WORDS[fault]}`);
			break;
		}
		trail.rescue(name, fault);
		if (fault === "blank" || fault === "malformed" || fault === "unstructured") structured = false;
	}
	return commitBest(name, candidates, options, { ...call.bounds, structured });
}
