import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Message } from "../../src/core/transcript/message.ts";

const folder = resolve(process.env.PRECIS_SHARED ?? "../shared", "data");

/** Whether the shared transcripts are there; tests that need them say so when they are not. */
export const hasSharedData: boolean = existsSync(folder);

/** The names of the shared transcripts. */
export const sharedNames: readonly string[] = hasSharedData
	? readdirSync(folder)
			.filter((name) => name.endsWith(".json") && !name.endsWith(".compactions.json"))
			.map((name) => name.slice(0, -".json".length))
			.sort()
	: [];

/** A shared transcript, read at run time: nothing of it is copied into the project. */
export function sharedTranscript(name: string): readonly Message[] {
	return JSON.parse(readFileSync(resolve(folder, `${name}.json`), "utf8")) as Message[];
}
