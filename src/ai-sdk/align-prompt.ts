import { leadingSystemCount } from "../core/transcript/kinds.ts";
import { type Message, type Part, partsOf } from "../core/transcript/message.ts";

/** Where the parts of one message stand in a prompt. */
interface Place {
	readonly prompt: number;
	readonly from: number;
	readonly to: number;
}

/** The AI SDK keeps approvals from models, unless the provider itself runs the tool. */
function isSent(part: Part): boolean {
	if (part.type === "tool-approval-request") return false;
	return part.type !== "tool-approval-response" || part.providerExecuted === true;
}

/** How many parts of a tool message are sent: neighbouring ones are joined to one message. */
const sentParts = (message: Message): number => partsOf(message).filter(isSent).length;

/** Finds each message in the prompt that the AI SDK made of all of them; undefined where they do not match. */
function placesOf(
	messages: readonly Message[],
	prompt: readonly Message[],
	lead: number,
): Place[] | undefined {
	const places: Place[] = [];
	let at = lead - 1;
	let open = 0;
	let before = "";
	for (const message of messages) {
		if (message.role !== "tool") {
			at += 1;
			if (prompt[at]?.role !== message.role) return undefined;
			places.push({ prompt: at, from: 0, to: prompt[at]?.content.length ?? 0 });
			before = message.role;
			continue;
		}
		const count = sentParts(message);
		if (count === 0 && before !== "tool") {
			places.push({ prompt: -1, from: 0, to: 0 });
			continue;
		}
		if (before !== "tool") {
			at += 1;
			open = 0;
		}
		if (prompt[at]?.role !== "tool") return undefined;
		places.push({ prompt: at, from: open, to: open + count });
		open += count;
		before = "tool";
	}
	return places;
}

/** A message as a prompt has it; for messages that hold no files. */
function asPrompt(message: Message): Message {
	if (message.role === "system") return message;
	return { ...message, content: partsOf(message).filter(isSent) };
}

/**
 * The prompt of other messages, made of the prompt of the messages before: what is still there is sent as the AI SDK
 * has converted it, files and cache marks included.
 * @param before what the prompt was made of
 * @param after what it is to be made of now; kept messages are the same objects
 * @returns undefined where the prompt was not made of `before`
 */
export function realignPrompt(
	before: readonly Message[],
	after: readonly Message[],
	prompt: readonly Message[],
): readonly Message[] | undefined {
	const lead = leadingSystemCount(prompt) - leadingSystemCount(before);
	if (lead < 0) return undefined;
	const places = placesOf(before, prompt, lead);
	if (places === undefined) return undefined;
	const placeOf = new Map<Message, Place>();
	for (const [index, message] of before.entries()) {
		const place = places[index];
		if (place !== undefined) placeOf.set(message, place);
	}
	const out: Message[] = prompt.slice(0, lead);
	const push = (message: Message): void => {
		const last = out.at(-1);
		if (message.role === "tool" && message.content.length === 0) return;
		if (message.role === "tool" && last?.role === "tool") {
			out[out.length - 1] = { ...last, content: [...partsOf(last), ...partsOf(message)] };
		} else out.push(message);
	};
	for (const message of after) {
		const place = placeOf.get(message);
		const sent = place === undefined ? undefined : prompt[place.prompt];
		if (place === undefined) push(asPrompt(message));
		else if (sent === undefined) continue;
		else if (sent.role === "tool") push({ ...sent, content: partsOf(sent).slice(place.from, place.to) });
		else push(sent);
	}
	// What was put behind the messages is not ours.
	const last = places.reduce((most, place) => Math.max(most, place.prompt), lead - 1);
	for (const message of prompt.slice(last + 1)) push(message);
	return out;
}
