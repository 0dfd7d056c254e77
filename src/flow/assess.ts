import type { ModelMessage } from "ai";
import type { CompactionReason } from "../backend/contract.ts";
import type { CheckedConfig } from "../config/check-config.ts";
import type { TokenAccount } from "../core/transcript/account.ts";
import type { Message } from "../core/transcript/message.ts";
import { type CorrectedTokens, createUsageMemory, type ReportedUsage } from "../core/transcript/usage.ts";
import type { TriggerState } from "../registry/contract.ts";
import { targetOf } from "./target.ts";
import type { TriggerNode } from "./trigger-tree.ts";

/** What a trigger may be told of the request that is about to be sent. */
export interface TriggerQuestion extends ReportedUsage {
	/** Tokens of tools and instructions that are sent beside the transcript, instead of the config's. */
	readonly overheadTokens?: number;
	/** Size of the context window in tokens, where the request goes to another model than the config's. */
	readonly windowTokens?: number;
	/** Asks as if the transcript had this many times its tokens: above 1 the trigger fires earlier. 1 by default. */
	readonly margin?: number;
}

/** How full the window is, and what the trigger says of it. */
export interface Assessment {
	/** Why the transcript should be compacted now, or undefined. */
	readonly reason: CompactionReason | undefined;
	/** Tokens of the next request as the provider counts them, overhead included. */
	readonly tokens: number;
	/** What to multiply estimates by to get tokens as the provider counts them; 1 where nothing was reported. */
	readonly scale: number;
	readonly windowTokens: number;
	/** The size that a pass aims at, as the provider counts. */
	readonly targetTokens: number;
}

function turnsOf(messages: readonly Message[]): number {
	return messages.filter(
		({ role, providerOptions }) => role === "user" && providerOptions?.precis?.summary === undefined,
	).length;
}

/** Answers questions of one config's trigger. */
export interface Assessor {
	/** Why the transcript should be compacted now, or undefined. */
	reasonFor(messages: readonly ModelMessage[], asked: TriggerQuestion): CompactionReason | undefined;
	assess(messages: readonly ModelMessage[], asked: TriggerQuestion): Assessment;
	/** What to multiply estimates by to get tokens as the provider counts them; the trigger is not asked. */
	scaleOf(messages: readonly ModelMessage[], asked: TriggerQuestion): number;
}

/** What a trigger sees. Figures are made on first use: one that counts messages costs no count of tokens. */
class State implements TriggerState {
	readonly messages: readonly ModelMessage[];
	readonly windowTokens: number;
	readonly #margin: number;
	readonly #measure: () => CorrectedTokens;
	#measured: CorrectedTokens | undefined;
	#turns: number | undefined;

	constructor(
		messages: readonly ModelMessage[],
		windowTokens: number,
		margin: number,
		measure: () => CorrectedTokens,
	) {
		this.messages = messages;
		this.windowTokens = windowTokens;
		this.#margin = margin;
		this.#measure = measure;
	}

	get tokens(): number {
		return Math.floor(this.measured.tokens * this.#margin);
	}

	get turns(): number {
		this.#turns ??= turnsOf(this.messages);
		return this.#turns;
	}

	get measured(): CorrectedTokens {
		this.#measured ??= this.#measure();
		return this.#measured;
	}

	get isMeasured(): boolean {
		return this.#measured !== undefined;
	}
}

/** Makes what answers questions of one config's trigger. It remembers reports of usage, weakly. */
export function createAssessor(
	config: CheckedConfig,
	ownWindow: number,
	trigger: TriggerNode,
	account: TokenAccount,
): Assessor {
	const memory = createUsageMemory(account);

	function stateOf(messages: readonly ModelMessage[], asked: TriggerQuestion, counted?: number): State {
		return new State(messages, asked.windowTokens ?? ownWindow, asked.margin ?? 1, () =>
			memory.correct(messages, asked.overheadTokens ?? config.tokens.overheadTokens, asked, counted),
		);
	}

	/** The state that an answer rests on, and the answer. */
	function ask(
		messages: readonly ModelMessage[],
		asked: TriggerQuestion,
	): { readonly state: State; readonly reason: CompactionReason | undefined } {
		const state = stateOf(messages, asked);
		const reason = trigger.check(state);
		if (reason === undefined || !state.isMeasured) return { state, reason };
		// The running total may be late to notice a message put in another's place; before it sets off a pass, all
		// are looked at.
		const sure = stateOf(messages, asked, account.total(messages));
		return { state: sure, reason: trigger.check(sure) };
	}

	return {
		reasonFor: (messages, asked) => ask(messages, asked).reason,
		scaleOf: (messages, asked) => stateOf(messages, asked).measured.scale,
		assess(messages, asked) {
			const { state, reason } = ask(messages, asked);
			const { windowTokens } = state;
			return {
				reason,
				get tokens(): number {
					return state.measured.tokens;
				},
				get scale(): number {
					return state.measured.scale;
				},
				windowTokens,
				get targetTokens(): number {
					return targetOf(config, windowTokens, trigger.thresholds(windowTokens));
				},
			};
		},
	};
}
