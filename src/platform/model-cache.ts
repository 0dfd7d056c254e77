import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { layerOf, type ModelLayer, type ModelRow } from "./model-layers.ts";

const VERSION = 1;

/** Where the fetched catalogue is kept: in `PRECIS_CACHE_DIR`, else in the folder that the system has for caches. */
export function modelCachePath(): string {
	const { PRECIS_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
	// Deno asks for a permission before it tells the home folder.
	const home = HOME || homedir();
	if (PRECIS_CACHE_DIR) return join(PRECIS_CACHE_DIR, "models.json");
	if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "precis", "models.json");
	if (process.platform === "win32" && LOCALAPPDATA)
		return join(LOCALAPPDATA, "precis", "Cache", "models.json");
	if (process.platform === "darwin") return join(home, "Library", "Caches", "precis", "models.json");
	return join(home, ".cache", "precis", "models.json");
}

function isRow(value: unknown): value is ModelRow {
	return (
		Array.isArray(value) && value.every((figure) => typeof figure === "number" && Number.isFinite(figure))
	);
}

/** The layer that was fetched last; undefined where there is none that can be read, which is no error. */
export async function readModelCache(): Promise<ModelLayer | undefined> {
	try {
		const { version, date, models } = JSON.parse(await readFile(modelCachePath(), "utf8"));
		if (version !== VERSION || typeof date !== "string" || typeof models !== "object" || models === null)
			return undefined;
		const rows = Object.entries(models).filter((entry): entry is [string, ModelRow] => isRow(entry[1]));
		return layerOf("cache", date, Object.fromEntries(rows));
	} catch {
		// No such file, no permission to look, or damaged: the shipped snapshot answers.
		return undefined;
	}
}

/** Keeps a fetched catalogue, whole or not at all. @returns the path that was written */
export async function writeModelCache(
	date: string,
	models: Readonly<Record<string, ModelRow>>,
): Promise<string> {
	const path = modelCachePath();
	await mkdir(dirname(path), { recursive: true });
	const temporary = `${path}.${process.pid}.${Date.now()}.tmp`;
	try {
		await writeFile(temporary, JSON.stringify({ version: VERSION, date, models }));
		await rename(temporary, path);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
	return path;
}
