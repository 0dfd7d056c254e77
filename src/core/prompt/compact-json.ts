import { shortenMiddle } from "../text/shorten.ts";

/** Nesting below this is not shown; transcripts that people make stay far above it. */
const MAX_DEPTH = 24;
/** A string inside a value may take this share of the room. */
const STRING_SHARE = 0.5;

function isBinary(value: object): value is { readonly byteLength: number } {
	return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Writes a value until the room is used up; what is left out is counted where it stood. */
class Writer {
	readonly #stringLength: number;
	#text = "";
	#room: number;

	constructor(room: number) {
		this.#room = room;
		this.#stringLength = Math.max(16, Math.floor(room * STRING_SHARE));
	}

	get text(): string {
		return this.#text;
	}

	#put(text: string): void {
		this.#text += text;
		this.#room -= text.length;
	}

	write(value: unknown, depth: number): void {
		if (typeof value === "string") {
			this.#put(JSON.stringify(shortenMiddle(value, Math.min(this.#stringLength, Math.max(16, this.#room)))));
		} else if (typeof value !== "object" || value === null) {
			this.#put(typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "null"));
		} else if (isBinary(value)) {
			this.#put(`"[${value.byteLength} bytes]"`);
		} else if (value instanceof URL || value instanceof Date) {
			this.write(String(value), depth);
		} else if (depth >= MAX_DEPTH) {
			this.#put('"..."');
		} else if (Array.isArray(value)) {
			this.#list(value, depth);
		} else {
			this.#record(value as Readonly<Record<string, unknown>>, depth);
		}
	}

	#list(list: readonly unknown[], depth: number): void {
		this.#put("[");
		for (const [index, item] of list.entries()) {
			if (this.#room <= 0) {
				this.#put(`${index === 0 ? "" : ","}"[... ${list.length - index} more items cut ...]"`);
				break;
			}
			if (index > 0) this.#put(",");
			this.write(item, depth + 1);
		}
		this.#put("]");
	}

	#record(record: Readonly<Record<string, unknown>>, depth: number): void {
		this.#put("{");
		const keys = Object.keys(record);
		let written = 0;
		for (const [index, key] of keys.entries()) {
			const value = record[key];
			if (value === undefined || typeof value === "function") continue;
			if (this.#room <= 0) {
				this.#put(`${written === 0 ? "" : ","}"...":"[... ${keys.length - index} more fields cut ...]"`);
				break;
			}
			if (written > 0) this.#put(",");
			this.#put(`${JSON.stringify(shortenMiddle(key, 200))}:`);
			this.write(value, depth + 1);
			written += 1;
		}
		this.#put("}");
	}
}

/**
 * A value as JSON without white space, of about so many characters at most: long strings are shortened, and of
 * long lists and records only the beginning is written, with a note of what was cut. The cost is bounded by the
 * room, not by the value.
 */
export function compactJson(value: unknown, room: number): string {
	const writer = new Writer(room);
	writer.write(value, 0);
	return writer.text;
}
