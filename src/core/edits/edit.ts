import type { Message } from "../transcript/message.ts";

/** What a strategy proposes; indices refer to the transcript that it was given. */
export type Edit =
	| { readonly drop: readonly number[]; readonly why?: string }
	| { readonly replace: number; readonly with: Message; readonly why?: string }
	| {
			readonly summarize: readonly number[];
			readonly options?: Readonly<Record<string, unknown>>;
			readonly why?: string;
	  };

/** Where an output message comes from, as indices of the pass's input. */
export type Provenance =
	| { readonly kept: number }
	| { readonly rewritten: number }
	| { readonly summaryOf: readonly number[] };
