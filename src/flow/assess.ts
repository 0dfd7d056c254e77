import type { ModelMessage } from "ai";
import type { CompactionReason } from "../backend/contract.ts";
import type { CheckedConfig } from "../config/check-config.ts";
import type { TokenAccount } from "../core/transcript/account.ts";
import type { Message } from "../core/transcript/message.ts";
import { createUsageMemory, type ReportedUsage } from "../core/transcript/usage.ts";
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

/** Makes what answers questions of one config's trigger. It remembers reports of usage, weakly. */
export function createAssessor(
	config: CheckedConfig,
	ownWindow: number,
	trigger: TriggerNode,
	account: TokenAccount,
): (messages: readonly ModelMessage[], asked: TriggerQuestion) => Assessment {
	const memory = createUsageMemory(account);
	return (messages, asked) => {
		const windowTokens = asked.windowTokens ?? ownWindow;
		const { margin = 1 } = asked;
		// Computed on first use: a trigger that counts messages costs no count of tokens.
		let corrected: { readonly tokens: number; readonly scale: number } | undefined;
		const measure = (): { readonly tokens: number; readonly scale: number } => {
			corrected ??= memory.correct(messages, asked.overheadTokens ?? config.tokens.overheadTokens, asked);
			return corrected;
		};
		let turns: number | undefined;
		const state: TriggerState = {
			messages,
			windowTokens,
			get tokens(): number {
				return Math.floor(measure().tokens * margin);
			},
			get turns(): number {
				turns ??= turnsOf(messages);
				return turns;
			},
		};
		return {
			reason: trigger.check(state),
			get tokens(): number {
				return measure().tokens;
			},
			get scale(): number {
				return measure().scale;
			},
			windowTokens,
			get targetTokens(): number {
				return targetOf(config, windowTokens, trigger.thresholds(windowTokens));
			},
		};
	};
}
