import type { ModelMessage } from "ai";
import type { CompactionReason } from "../backend/contract.ts";
import type { Message } from "../core/transcript/message.ts";
import { reportedInputTokens } from "../core/transcript/usage.ts";
import type { Assessment } from "../flow/assess.ts";
import type { Compactor } from "../flow/create-compactor.ts";
import { attempt, type Outcome } from "./attempt.ts";
import type { EngineOptions } from "./compaction-options.ts";
import type { CompactionRecord } from "./compaction-state.ts";
import { type AgentEvent, tellSafely } from "./events.ts";
import { chainOver } from "./fingerprint.ts";
import { type Located, locate, viewBy } from "./locate.ts";
import { type Conversation, Memory } from "./memory.ts";
import type { Overflow } from "./overflow.ts";
import { SharedPass } from "./shared-pass.ts";
import { trim } from "./trim.ts";
import { Windows } from "./windows.ts";

/** A request that is about to be sent. */
export interface Ask {
	readonly messages: readonly Message[];
	/** The conversation's name, where the host has one. */
	readonly id: string | undefined;
	/** Whether a call begins with it. */
	readonly isFirst: boolean;
	/** The model as "provider/model". */
	readonly model: string | undefined;
	/** Tokens of tools and instructions, where they are known. */
	readonly overheadTokens: number | undefined;
	/** The steps so far, with their reported usage; or the usage of the last request. */
	readonly steps?: readonly unknown[];
	readonly usage?: unknown;
	/** The record that stood in the last request of this run; absent at the first. */
	readonly sent?: { readonly record: CompactionRecord | undefined };
	readonly signal: AbortSignal | undefined;
	/** A reason of the caller's own, which needs no trigger. */
	readonly force?: CompactionReason;
	/** Whether what is made of it is stored: then nothing may be left out without a summary. */
	readonly isStored?: boolean;
}

/** What is to be sent. */
export interface Prepared {
	readonly messages: readonly Message[];
	/** Where the messages stand, before anything was left out for one request. */
	readonly located: Located;
	readonly assessment: Assessment;
	/** Whether older messages were left out of this request only. */
	readonly isTrimmed: boolean;
}

/** Where a request stands, and how full it makes the window. */
export interface Look {
	readonly located: Located;
	readonly assessment: Assessment;
}

/** Of what a refusal leaves room for, so much is aimed at. */
const RESCUE_SHARE = 0.7;
/** A provider that names no limit takes less than it was sent. */
const UNTOLD_SHARE = 0.9;

/** What stands between an agent and its model: it decides, pays once, remembers, and never stands in the way. */
export class Engine {
	readonly compactor: Compactor;
	readonly options: EngineOptions;
	readonly memory: Memory;
	readonly windows: Windows;

	constructor(compactor: Compactor, options: EngineOptions) {
		this.compactor = compactor;
		this.options = options;
		this.windows = new Windows(compactor);
		this.memory = new Memory(options, (stage, id, error) => {
			const words = error instanceof Error ? error.message : String(error);
			this.tell({ type: "failed", stage, code: "HOST_FAILED", message: words, error, action: "kept" }, id);
		});
	}

	tell(event: AgentEvent, id: string | undefined): void {
		tellSafely(this.options.onEvent, id === undefined ? event : { ...event, id });
	}

	/** What the request would be now, by what is known already. Linear, and no more than a few comparisons a message. */
	look(ask: Ask, conversation: Conversation, windowTokens: number, margin = 1): Look {
		const located = locate(ask.messages, conversation.records);
		const isTold = reportedInputTokens(ask) !== undefined;
		const question = {
			// Before the provider has counted, the window is as large as its count of another request was off.
			windowTokens: isTold ? windowTokens : Math.floor(windowTokens / this.windows.scaleOf(ask.model)),
			margin,
			...(ask.overheadTokens === undefined ? {} : { overheadTokens: ask.overheadTokens }),
			...(ask.steps === undefined ? {} : { steps: ask.steps }),
			...(ask.usage === undefined ? {} : { usage: ask.usage }),
		};
		// A report is of what was sent then. Where another record stands in its place by now, it is bound to that first.
		if (ask.sent !== undefined && ask.sent.record !== located.record) {
			const system = ask.messages.slice(0, located.head);
			const before = viewBy(ask.sent.record, system, located) as readonly ModelMessage[];
			// Reading the figure is what binds it.
			void this.compactor.assess(before, question).tokens;
		}
		const assessment = this.compactor.assess(located.view as readonly ModelMessage[], question);
		if (isTold) this.windows.learnScale(ask.model, assessment.scale);
		return { located, assessment };
	}

	/** Learns from what the provider counted: the last step of a call has no next one to learn from it. */
	learn(model: string | undefined, sent: readonly Message[], overheadTokens: number, usage: unknown): void {
		const counted = reportedInputTokens({ usage });
		if (counted === undefined) return;
		const own = this.compactor.assess(sent as readonly ModelMessage[], { overheadTokens }).tokens;
		if (own > 0) this.windows.learnScale(model, counted / own);
	}

	/** What a request is to be sent with. @throws the signal's reason; with "throw" what a pass failed with */
	async prepare(ask: Ask): Promise<Prepared> {
		// 1. What is known of the conversation, and of the window.
		const conversation = await this.memory.open(ask.id, ask.isFirst);
		const windowTokens = await this.windows.of(ask.model, conversation);
		// 2. The history with its summary in place; the trigger's word on it.
		let look = this.look(ask, conversation, windowTokens);
		const reason = look.assessment.reason ?? ask.force;
		if (reason === undefined) {
			this.#runAhead(ask, conversation, windowTokens);
			return this.#asItIs(look);
		}
		// 3. A summary that is under way is waited for, and not paid for twice.
		const ahead = conversation.ahead.get(look.located.first);
		if (ahead !== undefined) {
			await ahead.wait(ask.signal).catch(() => ask.signal?.throwIfAborted());
			look = this.look(ask, conversation, windowTokens);
			if (look.assessment.reason === undefined) return this.#asItIs(look);
		}
		// 4. The pass; after one that failed lately, nothing is tried again so soon.
		const { located, assessment } = look;
		if (conversation.isBackingOff(located.first, located.length)) return this.#withoutPass(ask, look);
		const target = Math.max(1, Math.floor(assessment.targetTokens / assessment.scale));
		const outcome = await this.#shared(ask, conversation, look, reason, target, "now").wait(ask.signal);
		if (outcome.error !== undefined && this.options.onFailure === "throw") throw outcome.error;
		// 5. The record of the pass stands in the view now. What still does not fit is trimmed.
		if (outcome.result?.status !== "compacted") return this.#withoutPass(ask, look);
		return this.#withoutPass(ask, this.look(ask, conversation, windowTokens), outcome);
	}

	/**
	 * What is to be sent once more after a provider refused it as too long.
	 * @returns undefined where nothing shorter can be sent
	 */
	async rescue(
		ask: Ask,
		overflow: Overflow,
		outputTokens: number,
		sent: readonly Message[],
	): Promise<Prepared | undefined> {
		const conversation = await this.memory.open(ask.id, false);
		const { scale } = this.look(ask, conversation, await this.windows.of(ask.model, conversation)).assessment;
		const overhead = ask.overheadTokens ?? 0;
		const sentTokens = Math.max(
			1,
			this.compactor.assess(sent as readonly ModelMessage[], { overheadTokens: overhead }).tokens,
		);
		const refused = overflow.promptTokens ?? sentTokens * scale;
		const limit = Math.max(1, Math.floor(overflow.limitTokens ?? refused * UNTOLD_SHARE));
		this.windows.learn(ask.model, limit, conversation);
		await this.memory.save(conversation);
		const room = outputTokens < limit ? limit - outputTokens : limit / 2;
		// The provider counts differently than we do: it says by how much, or at least that it is more than the room.
		const off = Math.max(
			refused / sentTokens,
			overflow.promptTokens === undefined ? room / sentTokens : 0,
			0.25,
		);
		this.windows.learnScale(ask.model, off);
		const windowTokens = await this.windows.of(ask.model, conversation);
		const look = this.look(ask, conversation, windowTokens);
		const aimed = Math.min(look.assessment.targetTokens / look.assessment.scale, (room * RESCUE_SHARE) / off);
		const target = Math.max(1, Math.floor(aimed));
		const detail = `The provider refused about ${Math.round(refused)} tokens; the limit is ${limit}.`;
		let shorter = look;
		let messages = look.located.view;
		if (!conversation.isBackingOff(look.located.first, look.located.length)) {
			const reason = { trigger: "overflow", detail };
			const outcome = await this.#shared(ask, conversation, look, reason, target, "rescue").wait(ask.signal);
			if (outcome.error !== undefined && this.options.onFailure === "throw") throw outcome.error;
			if (outcome.result?.status === "compacted") {
				shorter = this.look(ask, conversation, windowTokens);
				messages = outcome.record === undefined ? outcome.result.messages : shorter.located.view;
			}
		}
		const fits = Math.floor((room * UNTOLD_SHARE) / off);
		const trimmed = await trim(this, ask, messages, fits);
		const after = trimmed ?? messages;
		if (after.length === sent.length && after.every((message, index) => message === sent[index]))
			return undefined;
		return {
			messages: after,
			located: shorter.located,
			assessment: shorter.assessment,
			isTrimmed: trimmed !== undefined,
		};
	}

	/** Settles when nothing runs in the background any more. */
	async idle(): Promise<void> {
		const running = [...this.memory.conversations].flatMap(({ ahead }) => [...ahead.values()]);
		if (running.length === 0) return;
		await Promise.all(running.map((pass) => pass.settled()));
		await this.idle();
	}

	/** Ends what runs in the background. */
	close(): void {
		for (const { ahead } of this.memory.conversations) for (const pass of ahead.values()) pass.stop();
	}

	#asItIs({ located, assessment }: Look): Prepared {
		return { messages: located.view, located, assessment, isTrimmed: false };
	}

	/** The request with no summary made for it: as it is where that fits, else with what is oldest left out. */
	async #withoutPass(ask: Ask, look: Look, outcome?: Outcome): Promise<Prepared> {
		const { located, assessment } = look;
		const own = outcome !== undefined && outcome.record === undefined ? outcome.result?.messages : undefined;
		const messages = (own as readonly Message[] | undefined) ?? located.view;
		const { windowTokens, targetTokens, scale } = assessment;
		const tokens = own === undefined ? assessment.tokens : (outcome?.result?.tokens.after ?? 0) * scale;
		if (ask.isStored === true) return { ...this.#asItIs(look), messages };
		const mayStay = outcome !== undefined || this.options.onFailure !== "trim";
		if (mayStay && tokens <= windowTokens) return { ...this.#asItIs(look), messages };
		const target = mayStay ? windowTokens * UNTOLD_SHARE : targetTokens;
		const trimmed = await trim(this, ask, messages, Math.floor(target / scale));
		return { messages: trimmed ?? messages, located, assessment, isTrimmed: trimmed !== undefined };
	}

	/** The pass over a view: one for all requests that ask for it at the same time. */
	#shared(
		ask: Ask,
		conversation: Conversation,
		look: Look,
		reason: CompactionReason,
		targetTokens: number,
		when: "now" | "ahead" | "rescue",
	): SharedPass<Outcome> {
		const key = `${chainOver(look.located.view)} ${when === "rescue" ? targetTokens : ""}`;
		const known = conversation.passes.get(key) as SharedPass<Outcome> | undefined;
		if (known !== undefined) return known;
		const pass = new SharedPass<Outcome>(
			(signal) => attempt(this, { ask, conversation, look, reason, targetTokens, when, signal }),
			when === "ahead",
		);
		conversation.passes.set(key, pass);
		pass.settled().then(() => conversation.passes.delete(key));
		return pass;
	}

	/** Starts a summary before it is needed, so that no step has to wait for it. */
	#runAhead(ask: Ask, conversation: Conversation, windowTokens: number): void {
		if (this.options.when !== "ahead") return;
		const look = this.look(ask, conversation, windowTokens, 1 / this.options.aheadAt);
		const { located, assessment } = look;
		if (assessment.reason === undefined || conversation.ahead.has(located.first)) return;
		if (conversation.isBackingOff(located.first, located.length)) return;
		const target = Math.max(1, Math.floor(assessment.targetTokens / assessment.scale));
		const pass = this.#shared(ask, conversation, look, assessment.reason, target, "ahead");
		conversation.ahead.set(located.first, pass);
		pass.settled().then(() => conversation.ahead.delete(located.first));
	}
}
