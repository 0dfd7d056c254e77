import { execFile } from "node:child_process";
import * as nodeFiles from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";
import type { CliIo, Files, Output } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";

const root = resolve(import.meta.dirname, "../..");

/** What one run of the command left behind. */
export interface Ran {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

/** What a run may be given. */
export interface RunOptions {
	readonly cwd: string;
	readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
	readonly env?: Readonly<Record<string, string>>;
	readonly files?: Partial<Files>;
	/** Columns of a terminal on standard error; absent means that it is none. */
	readonly columns?: number;
	readonly signal?: AbortSignal;
	/** Takes the place of writing to standard output. */
	readonly write?: (data: string | Uint8Array) => Promise<void>;
}

async function* once(data: string | Uint8Array): AsyncGenerator<Uint8Array> {
	const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
	// In two pieces, as pipes give them.
	const half = bytes.length >> 1;
	yield bytes.subarray(0, half);
	yield bytes.subarray(half);
}

function collect(columns: number | undefined, into: Uint8Array[], write?: RunOptions["write"]): Output {
	return {
		isTTY: columns !== undefined,
		columns: columns ?? 0,
		write: async (data) => {
			if (write !== undefined) await write(data);
			into.push(typeof data === "string" ? new TextEncoder().encode(data) : Uint8Array.from(data));
		},
	};
}

/** Runs the command in this process, on real files in a folder, with streams in memory. */
export async function precis(argv: readonly string[], options: RunOptions): Promise<Ran> {
	const out: Uint8Array[] = [];
	const err: Uint8Array[] = [];
	const { stdin = "" } = options;
	const io: CliIo = {
		stdin: typeof stdin === "string" || stdin instanceof Uint8Array ? once(stdin) : stdin,
		stdout: collect(undefined, out, options.write),
		stderr: collect(options.columns, err),
		files: { ...nodeFiles, ...options.files },
		cwd: options.cwd,
		env: options.env ?? {},
		signal: options.signal ?? new AbortController().signal,
	};
	const code = await run(argv, io);
	return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

/** A Node that runs TypeScript as it is. */
const node =
	Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : join(root, "node_modules/.bin/node");
const bin = join(root, "src/cli/bin.ts");

function runFile(
	file: string,
	args: readonly string[],
	cwd: string,
	stdin: string,
	more: NodeJS.ProcessEnv,
): Promise<Ran> {
	const env = { ...process.env, OPENAI_API_KEY: "", PRECIS_DEBUG: "", NODE_OPTIONS: "", ...more };
	return new Promise((resolve) => {
		const child = execFile(file, args, { cwd, env }, (error, stdout, stderr) => {
			resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
		});
		child.stdin?.end(stdin);
	});
}

/** Runs the command as a process of its own, unbuilt. */
export function precisProcess(argv: readonly string[], cwd: string, stdin = ""): Promise<Ran> {
	return runFile(node, [bin, ...argv], cwd, stdin, {});
}

/** Runs a line of a shell in which `"$PRECIS"` is the command, unbuilt. */
export async function shell(line: string, cwd: string): Promise<Ran> {
	const folder = await folderWith({ precis: `#!/bin/sh\nexec "${node}" "${bin}" "$@"\n` });
	await nodeFiles.chmod(join(folder, "precis"), 0o755);
	return runFile("bash", ["-c", line], cwd, "", { PRECIS: join(folder, "precis") });
}

const folders: string[] = [];

/** A folder of its own with files in it; removed when the test file ends. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
	const folder = await nodeFiles.mkdtemp(join(await nodeFiles.realpath(tmpdir()), "precis-cli-"));
	folders.push(folder);
	for (const [name, content] of Object.entries(files)) {
		await nodeFiles.mkdir(join(folder, name, ".."), { recursive: true });
		await nodeFiles.writeFile(join(folder, name), content);
	}
	return folder;
}

afterAll(async () => {
	for (const folder of folders) await nodeFiles.rm(folder, { recursive: true, force: true });
});

const WORDS = "shelf crate label count ledger hall pallet door number paper team morning".split(" ");

/** A user's and an assistant's messages in turns, long enough that a summary is smaller than what it replaces. */
export function talk(turns: number): readonly { readonly role: string; readonly content: string }[] {
	return Array.from({ length: turns * 2 }, (_, index) => {
		const words = Array.from({ length: 90 }, (_, at) => WORDS[(index * 7 + at * at) % WORDS.length]);
		return {
			role: index % 2 === 0 ? "user" : "assistant",
			content: `m${index} counts the ${words.join(" ")}.`,
		};
	});
}

/** Messages as JSONL. */
export function lines(messages: readonly object[]): string {
	return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

/** A config file's text. */
export const KEEP_RECENT =
	'{ "strategy": { "use": "keep-recent", "keepLast": 2 }, "trigger": { "use": "messages", "max": 6 } }';
