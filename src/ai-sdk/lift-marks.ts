import { summaryMarkOf } from "../core/transcript/kinds.ts";
import type { Message } from "../core/transcript/message.ts";

const lifted = new WeakMap<Message, Message>();

/** A message that carries a summary as chats do: the mark is on its only part, and belongs on the message. */
function liftMark(message: Message): Message {
	const { content } = message;
	if (typeof content === "string" || content.length !== 1 || message.providerOptions !== undefined)
		return message;
	const precis = content[0]?.providerOptions?.precis;
	if (
		precis === undefined ||
		summaryMarkOf({ role: message.role, content: "", providerOptions: { precis } }) === undefined
	)
		return message;
	const known = lifted.get(message);
	if (known !== undefined) return known;
	const [part] = content;
	const made = {
		role: message.role,
		content: [{ type: "text", text: part?.text ?? "" }],
		providerOptions: { precis },
	};
	lifted.set(message, made);
	return made;
}

/** The same messages, with summaries that came through a chat's own messages known as what they are. */
export function liftMarks(messages: readonly Message[]): readonly Message[] {
	let out: Message[] | undefined;
	for (let index = 0; index < messages.length; index += 1) {
		const message = messages[index];
		if (message === undefined) continue;
		const made = liftMark(message);
		if (made === message) continue;
		out ??= messages.slice();
		out[index] = made;
	}
	return out ?? messages;
}
