import { messageProblem } from "../core/transcript/check-transcript.ts";
import type { Message } from "../core/transcript/message.ts";
import type { Archive, ArchivedMessage } from "./archive.ts";
import { fingerprint } from "./fingerprint.ts";

const keyOf = ({ id, index, message }: ArchivedMessage): string =>
	`${id ?? ""}\n${index}\n${fingerprint(message)}`;

const inOrder = (messages: Iterable<ArchivedMessage>, id: string | undefined): readonly ArchivedMessage[] =>
	[...messages]
		.filter((one) => id === undefined || one.id === id)
		.sort((left, right) => left.index - right.index);

/** An archive that lives as long as the process. */
export function memoryArchive(): Archive {
	const kept = new Map<string, ArchivedMessage>();
	return {
		async add(messages) {
			for (const one of messages) kept.set(keyOf(one), one);
		},
		list: async (id) => inOrder(kept.values(), id),
	};
}

/** Bytes as base64, which the AI SDK takes in their place. */
function writable(_: string, value: unknown): unknown {
	if (!(value instanceof Uint8Array)) return value;
	let binary = "";
	for (const byte of value) binary += String.fromCharCode(byte);
	return btoa(binary);
}

/** A line of an archive, or undefined where it is none: a crash may have cut the last one. */
function readLine(line: string): ArchivedMessage | undefined {
	try {
		const { index, message, id } = JSON.parse(line) as Readonly<Record<string, unknown>>;
		if (!Number.isSafeInteger(index) || messageProblem(message) !== undefined) return undefined;
		return {
			index: index as number,
			message: message as Message,
			...(typeof id === "string" ? { id } : {}),
		};
	} catch {
		return undefined;
	}
}

/** An archive in a JSONL file, one message a line, which is only ever added to. */
export function fileArchive(path: string): Archive {
	let loaded: Promise<Map<string, ArchivedMessage>> | undefined;
	let written: Promise<unknown> = Promise.resolve();
	const load = async (): Promise<Map<string, ArchivedMessage>> => {
		const { readTextFile } = await import("../platform/files.ts");
		const lines = ((await readTextFile(path)) ?? "").split("\n").flatMap((line) => readLine(line) ?? []);
		return new Map(lines.map((one) => [keyOf(one), one]));
	};
	const open = (): Promise<Map<string, ArchivedMessage>> => {
		loaded ??= load();
		// A disk that was full may have room at the next try.
		loaded.catch(() => {
			loaded = undefined;
		});
		return loaded;
	};
	async function append(messages: readonly ArchivedMessage[]): Promise<void> {
		const kept = await open();
		const fresh = messages.filter((one) => !kept.has(keyOf(one)));
		if (fresh.length === 0) return;
		const { appendLines } = await import("../platform/append-lines.ts");
		await appendLines(
			path,
			fresh.map((one) => JSON.stringify(one, writable)),
		);
		for (const one of fresh) kept.set(keyOf(one), one);
	}
	return {
		add(messages) {
			const done = written.then(() => append(messages));
			written = done.catch(() => undefined);
			return done;
		},
		list: async (id) => inOrder((await open()).values(), id),
	};
}
