import { type Message, partsOf } from "../core/transcript/message.ts";

/** Bytes of binary data that are looked at; evenly spread, so that files of one length still differ. */
const SAMPLED_BYTES = 4096;
/** JSON that nests deeper is no message; it also ends values that contain themselves. */
const MAX_DEPTH = 200;

/** Two running 32-bit lanes: fast, and 64 bits are plenty to tell the messages of one chat apart. */
class Lanes {
	a = 0x2545f491;
	b = 0x4f6cdd1d;

	number(value: number): void {
		this.a = Math.imul(((this.a << 5) | (this.a >>> 27)) ^ value, 0x27d4eb2f);
		this.b = Math.imul(((this.b << 11) | (this.b >>> 21)) ^ value, 0x165667b1);
	}

	text(value: string): void {
		this.number(value.length);
		for (let index = 0; index < value.length; index += 1) this.number(value.charCodeAt(index));
	}

	toString(): string {
		const mixed = (lane: number): string => ((lane ^ (lane >>> 15)) >>> 0).toString(36);
		return `${mixed(this.a)}.${mixed(this.b)}`;
	}
}

function addBytes(lanes: Lanes, bytes: Uint8Array): void {
	lanes.number(bytes.length);
	const step = Math.max(1, Math.floor(bytes.length / SAMPLED_BYTES));
	for (let index = 0; index < bytes.length; index += step) lanes.number(bytes[index] ?? 0);
}

function addValue(lanes: Lanes, value: unknown, depth: number): void {
	if (typeof value === "string") lanes.text(value);
	else if (typeof value !== "object" || value === null || depth > MAX_DEPTH) lanes.text(String(value));
	else if (Array.isArray(value)) {
		lanes.number(value.length);
		for (const item of value) addValue(lanes, item, depth + 1);
	} else if (value instanceof URL) lanes.text(value.href);
	else if (value instanceof ArrayBuffer) addBytes(lanes, new Uint8Array(value));
	else if (ArrayBuffer.isView(value))
		addBytes(lanes, new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
	else {
		const entries = value as Readonly<Record<string, unknown>>;
		for (const key of Object.keys(entries).sort()) {
			// Cache marks and signatures come and go, and are not what a message says.
			if (key === "providerOptions" || entries[key] === undefined) continue;
			lanes.text(key);
			addValue(lanes, entries[key], depth + 1);
		}
	}
}

const known = new WeakMap<Message, string>();

/**
 * What a message says, as a short text: equal for equal content, in whatever order its keys stand and whatever its
 * provider options are. Each message object is read once.
 */
export function fingerprint(message: Message): string {
	const before = known.get(message);
	if (before !== undefined) return before;
	const lanes = new Lanes();
	lanes.text(message.role);
	for (const part of partsOf(message)) addValue(lanes, part, 0);
	const made = lanes.toString();
	known.set(message, made);
	return made;
}

/** The chain of no messages. */
export const NO_CHAIN = "0.0";

/** Grows by one message after the other. Two chains have the same text where all their messages are equal, in order. */
export class Chain {
	readonly #lanes = new Lanes();

	/** @param text the chain that it goes on from */
	constructor(text: string = NO_CHAIN) {
		const [a = 0, b = 0] = text.split(".").map((lane) => Number.parseInt(lane, 36));
		this.#lanes.a = a;
		this.#lanes.b = b;
	}

	add(message: Message): void {
		this.#lanes.text(fingerprint(message));
	}

	get text(): string {
		const { a, b } = this.#lanes;
		return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
	}
}

/** The chain of messages. */
export function chainOver(messages: Iterable<Message>): string {
	const chain = new Chain();
	for (const message of messages) chain.add(message);
	return chain.text;
}
