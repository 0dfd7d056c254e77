import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The text of a file, or undefined where there is none; other faults are thrown as the system's own. */
export async function readTextFile(path: string): Promise<string | undefined> {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		if ((error as { code?: unknown }).code === "ENOENT") return undefined;
		throw error;
	}
}

/** The nearest file of that name in a folder or above it, or undefined. */
export async function findUp(name: string, from: string): Promise<string | undefined> {
	for (let folder = resolve(from); ; folder = dirname(folder)) {
		const path = join(folder, name);
		const found = await stat(path).catch(() => undefined);
		if (found?.isFile() === true) return path;
		if (dirname(folder) === folder) return undefined;
	}
}

/** An absolute path, whether a path or a `file:` URL was given. */
export function toPath(pathOrUrl: string, from: string): string {
	return pathOrUrl.startsWith("file:") ? fileURLToPath(pathOrUrl) : resolve(from, pathOrUrl);
}

/** The `file:` URL, with a slash at the end, of the folder that holds a file. */
export function folderUrlOf(path: string): string {
	return `${pathToFileURL(dirname(resolve(path))).href}/`;
}

/** The `file:` URL, with a slash at the end, of the working directory. */
export function workingFolderUrl(): string {
	return `${pathToFileURL(process.cwd()).href}/`;
}
