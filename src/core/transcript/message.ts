/** Options by provider, as the AI SDK carries them on messages and parts. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * A part of a message, seen structurally: every part of every AI SDK major fits, unknown ones too. Only the
 * fields that compaction looks at are named.
 */
export interface Part {
	readonly type: string;
	readonly text?: string;
	readonly toolCallId?: string;
	readonly toolName?: string;
	readonly input?: unknown;
	readonly output?: unknown;
	readonly providerExecuted?: boolean | undefined;
	readonly approvalId?: string;
	readonly approved?: boolean;
	readonly data?: unknown;
	readonly image?: unknown;
	readonly mediaType?: string | undefined;
	readonly filename?: string | undefined;
	readonly providerOptions?: ProviderOptions | undefined;
}

/** A message, seen structurally: every AI SDK `ModelMessage` is one. */
export interface Message {
	readonly role: string;
	readonly content: string | readonly Part[];
	readonly providerOptions?: ProviderOptions | undefined;
}

/** What a message is to compaction. */
export const KINDS = ["system", "developer", "user", "assistant", "tool", "context", "notification"] as const;
export type Kind = (typeof KINDS)[number];

/** The parts of a message; a string content is one text part. */
export function partsOf(message: Message): readonly Part[] {
	return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}
