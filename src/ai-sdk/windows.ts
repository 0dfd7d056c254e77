import type { Compactor } from "../flow/create-compactor.ts";
import type { Conversation } from "./memory.ts";

/** The part of a model that says which it is; a text goes to the gateway. */
type NamedModel = string | { readonly provider?: unknown; readonly modelId?: unknown };

/** A count that is off by more is of something else. */
const MAX_SCALE = 3;

/** A model as the catalogue names it: "provider/model"; undefined where it does not say. */
export function idOfModel(model: unknown): string | undefined {
	if (typeof model === "string") return model.includes("/") ? model : undefined;
	if (typeof model !== "object" || model === null) return undefined;
	const { provider, modelId } = model as Exclude<NamedModel, string>;
	if (typeof provider !== "string" || typeof modelId !== "string") return undefined;
	const [name = ""] = provider.split(".");
	return `${name}/${modelId}`;
}

/** The windows of models, looked up once each. */
export class Windows {
	readonly #compactor: Compactor;
	readonly #found = new Map<string, number | undefined>();
	/** What refusals told, in whichever conversation. */
	readonly #learned = new Map<string, number>();
	/** How many tokens the provider counts for one of ours, as last seen. */
	readonly #scales = new Map<string, number>();

	constructor(compactor: Compactor) {
		this.#compactor = compactor;
	}

	/**
	 * Tokens of the window that a request must fit: what the config says, else what the catalogue knows of the step's
	 * model, else the config's default; and never more than a provider's refusal has told.
	 */
	async of(model: string | undefined, conversation: Conversation): Promise<number> {
		const { windowTokens, windowSource } = this.#compactor;
		if (model === undefined) return windowTokens;
		if (!this.#found.has(model)) {
			const { lookupModel } = await import("../platform/models.ts");
			const facts = windowSource === "window" ? undefined : await lookupModel(model).catch(() => undefined);
			this.#found.set(model, facts?.windowTokens ?? facts?.maxInputTokens);
		}
		const known = this.#found.get(model) ?? windowTokens;
		return Math.min(known, this.#learned.get(model) ?? known, conversation.limits.get(model) ?? known);
	}

	/** What to multiply our count by before the provider has reported any of its own; never below 1. */
	scaleOf(model: string | undefined): number {
		return Math.max(1, this.#scales.get(model ?? "") ?? 1);
	}

	/** Keeps how far our count was off, for first requests to the same model. */
	learnScale(model: string | undefined, scale: number): void {
		this.#scales.set(model ?? "", Math.min(MAX_SCALE, scale));
	}

	learn(model: string | undefined, tokens: number, conversation: Conversation): void {
		if (model === undefined) return;
		this.#learned.set(model, tokens);
		conversation.limits.set(model, tokens);
	}
}
