import type { Message } from "../core/transcript/message.ts";

/** A message that went out of a request, in its original form. */
export interface ArchivedMessage {
	/** Its place in the history, leading system messages aside. */
	readonly index: number;
	readonly message: Message;
	/** The conversation that it is of; absent where the host named none. */
	readonly id?: string;
}

/** Keeps what compaction evicts. */
export interface Archive {
	/** Keeps messages; what it has already is not kept twice. */
	add(messages: readonly ArchivedMessage[]): Promise<void>;
	/** All that it has of a conversation, by index; of all conversations where none is named. */
	list(id?: string): Promise<readonly ArchivedMessage[]>;
}
