import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CompactionError } from "../errors/compaction-error.ts";
import { CliError, reasonOf, usageError } from "./cli-error.ts";
import type { CliIo, Files } from "./io.ts";

const MAX_LINKS = 40;

async function statOf(files: Files, path: string): Promise<Stats | undefined> {
	try {
		return await files.stat(path);
	} catch (error) {
		if ((error as { code?: unknown }).code === "ENOENT") return undefined;
		throw error;
	}
}

/** Follows symbolic links to the file that they mean, whether it exists or not. */
async function followLinks(files: Files, path: string): Promise<string> {
	let target = path;
	for (let links = 0; links < MAX_LINKS; links += 1) {
		const next = await files.readlink(target).catch(() => undefined);
		if (next === undefined) return target;
		target = resolve(dirname(target), String(next));
	}
	throw Object.assign(new Error(`too many links at "${path}"`), { code: "ELOOP" });
}

function temporaryPath(folder: string): string {
	// Opened only where there is none of that name; loading a source of better randomness would cost start-up.
	return join(folder, `.precis-${Math.random().toString(36).slice(2)}.tmp`);
}

/** Makes a file in a folder and removes it: the only way to know on every system that it can be done. */
async function probeFolder(files: Files, folder: string): Promise<void> {
	const path = temporaryPath(folder);
	await (await files.open(path, "wx")).close();
	await files.unlink(path);
}

/**
 * Checks that a file can be written before anything is paid for.
 * @param name as messages name it
 * @throws CliError of usage
 */
export async function checkWritable(path: string, name: string, io: CliIo): Promise<void> {
	let reason: string;
	try {
		const target = await followLinks(io.files, path);
		const stats = await statOf(io.files, target);
		if (stats?.isDirectory() === true) reason = "it is a folder";
		else {
			if (stats === undefined || stats.isFile()) await probeFolder(io.files, dirname(target));
			if (stats?.isFile() === true) await (await io.files.open(target, "r+")).close();
			return;
		}
	} catch (cause) {
		const isMissing = (cause as { code?: unknown }).code === "ENOENT";
		reason = isMissing ? `there is no folder "${dirname(path)}"; make it first` : reasonOf(cause);
	}
	throw usageError(`Cannot write "${name}": ${reason}.`);
}

/** Whether two absolute paths mean one file, links of both kinds followed. */
export async function isSameFile(left: string, right: string, { files }: CliIo): Promise<boolean> {
	const [a, b] = await Promise.all([left, right].map((path) => followLinks(files, path).catch(() => path)));
	if (a === b) return true;
	const [one, other] = await Promise.all(
		[left, right].map((path) => statOf(files, path).catch(() => undefined)),
	);
	return one !== undefined && one.ino !== 0 && one.ino === other?.ino && one.dev === other.dev;
}

async function closeQuietly(handle: FileHandle | undefined): Promise<void> {
	await handle?.close().catch(() => undefined);
}

/** Makes a rename outlast a power cut, where the system can. */
async function syncFolder(files: Files, folder: string): Promise<void> {
	const handle = await files.open(folder, "r").catch(() => undefined);
	await handle?.sync().catch(() => undefined);
	await closeQuietly(handle);
}

/** What a replacement may rely on. */
export interface ReplaceOptions {
	/** How the file stood when it was read: if it has changed since, it is left alone. */
	readonly since?: Stats | undefined;
}

/**
 * Writes a file whole or not at all: a temporary file in the same folder, flushed, then renamed. Mode bits are
 * kept, and of a symbolic link the target is replaced.
 * @throws CliError and then the file is as it was and no temporary file is left
 */
export async function replaceFile(
	path: string,
	name: string,
	data: string | Uint8Array,
	io: CliIo,
	{ since }: ReplaceOptions = {},
): Promise<void> {
	const { files, signal } = io;
	let temporary: string | undefined;
	let handle: FileHandle | undefined;
	try {
		const target = await followLinks(files, path);
		const before = await statOf(files, target);
		if (before !== undefined && !before.isFile()) {
			// A device or a pipe has no content that a half-written file could harm.
			handle = await files.open(target, "w");
			await handle.writeFile(data);
			await handle.close();
			return;
		}
		temporary = temporaryPath(dirname(target));
		handle = await files.open(temporary, "wx", before === undefined ? 0o666 : 0o600);
		await handle.writeFile(data);
		if (before !== undefined) await handle.chmod(before.mode & 0o7777);
		await handle.sync();
		await handle.close();
		if (signal.aborted) throw new CompactionError("CANCELLED", `Cannot write "${name}": interrupted`);
		const now = since === undefined ? undefined : await statOf(files, target);
		if (since !== undefined && (now?.mtimeMs !== since.mtimeMs || now.size !== since.size)) {
			throw new CliError(1, `Cannot write "${name}": it was changed meanwhile. Run the command again.`);
		}
		await files.rename(temporary, target);
		temporary = undefined;
		await syncFolder(files, dirname(target));
	} catch (cause) {
		await closeQuietly(handle);
		if (temporary !== undefined) await files.unlink(temporary).catch(() => undefined);
		if (cause instanceof CliError || cause instanceof CompactionError) throw cause;
		throw new CliError(1, `Cannot write "${name}": ${reasonOf(cause)}. It is as it was.`, cause);
	}
}

/**
 * Appends whole lines to a file, which is made where there is none.
 * @returns takes the lines back, as long as nobody else has written since
 * @throws CliError and then the file is as it was
 */
export async function appendLines(
	path: string,
	name: string,
	lines: string,
	io: CliIo,
): Promise<() => Promise<void>> {
	const { files } = io;
	let handle: FileHandle | undefined;
	let undo: (() => Promise<void>) | undefined;
	try {
		const existed = (await statOf(files, path)) !== undefined;
		handle = await files.open(path, "a+");
		const { size } = await handle.stat();
		const last = Buffer.alloc(1);
		if (size > 0) await handle.read(last, 0, 1, size - 1);
		// A last line without its end would swallow the first of ours.
		const data = Buffer.from(size > 0 && last[0] !== 0x0a ? `\n${lines}` : lines);
		undo = async () => {
			const again = await files.open(path, "r+");
			try {
				if ((await again.stat()).size > size + data.length) return;
				await again.truncate(size);
			} finally {
				await closeQuietly(again);
			}
			if (!existed) await files.unlink(path);
		};
		await handle.writeFile(data);
		await handle.sync();
		await handle.close();
		return undo;
	} catch (cause) {
		await closeQuietly(handle);
		await undo?.().catch(() => undefined);
		throw new CliError(
			1,
			`Cannot append to "${basename(name)}": ${reasonOf(cause)}. It is as it was.`,
			cause,
		);
	}
}
