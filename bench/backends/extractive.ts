// The time that the default backend and the ledger take, in JSON.parse of the same transcript, on the shared agent
// sessions and meetings. Where they are too few for a size, copies follow whose letters are exchanged, so that every copy
// has words of its own.
// Usage: node_modules/.bin/node bench/backends/extractive.ts
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import extractive from "../../plugins/backends/extractive.ts";
import heuristic from "../../plugins/counters/heuristic.ts";
import { planLedger } from "../../src/core/ledger/build-ledger.ts";
import { resolveTemplate } from "../../src/core/template/resolve-template.ts";
import { createHost } from "../../src/platform/create-host.ts";
import type { Message, SummarizingBackend } from "../../src/plugin.ts";
import { ratio, timeInTurns } from "../plan/measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = process.env.PRECIS_SHARED ?? join(root, "../shared");
if (!existsSync(shared)) {
	console.error(
		`Cannot measure: there is no "${shared}". Set PRECIS_SHARED to the folder with "bench" and "data".`,
	);
	process.exit(2);
}
const host = createHost();
const counter = await heuristic.create({}, host);
const backend = (await extractive.create({}, host)) as SummarizingBackend;
const template = resolveTemplate("default", {});
const countTokens = (text: string): number => counter.text(text);

function transcripts(isMeeting: boolean): readonly Message[] {
	const folder = join(shared, "data");
	const names = readdirSync(folder).filter(
		(name) =>
			name.endsWith(".json") && !name.includes("compactions") && name.startsWith("qmsum") === isMeeting,
	);
	return names.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Message[]);
}

/** What letters are multiplied by, modulo 26: numbers that exchange them and lose none. */
const FACTORS = [1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25];

/** A message with the small letters of its texts exchanged, in another way for each of 312 copies. */
function exchanged(json: string, copy: number): unknown {
	const factor = FACTORS[Math.floor(copy / 26) % FACTORS.length] ?? 1;
	const letter = (one: string): string =>
		String.fromCharCode(97 + (((one.charCodeAt(0) - 97) * factor + copy) % 26));
	return JSON.parse(json, (key, value: unknown) =>
		typeof value === "string" && ["text", "content", "value"].includes(key)
			? value.replace(/[a-z]/g, letter)
			: value,
	);
}

/** The beginning of the messages, or so many copies of them, of a size in characters of JSON. */
function ofSize(messages: readonly Message[], size: number): { messages: readonly Message[]; json: string } {
	const out: Message[] = [];
	let length = 0;
	for (let copy = 0; length < size; copy += 1) {
		for (const message of messages) {
			const json = JSON.stringify(message);
			out.push(exchanged(json, copy) as Message);
			length += json.length;
			if (length >= size) break;
		}
	}
	const json = JSON.stringify(out);
	return { messages: JSON.parse(json) as Message[], json };
}

console.log(
	"| transcript | JSON.parse, ms | extractive, in parses | ledger, in parses |\n|---|---:|---:|---:|",
);
for (const [name, isMeeting] of [
	["agent sessions", false],
	["meetings", true],
] as const) {
	for (const megabytes of [1, 4, 20]) {
		const { messages, json } = ofSize(transcripts(isMeeting), megabytes * 1e6);
		const request = {
			messages,
			transcript: "",
			template,
			budgetTokens: 4000,
			reason: { trigger: "bench", detail: "bench" },
			metadata: {},
			guidance: {},
		};
		const context = { signal: new AbortController().signal, countTokens, emit: () => undefined };
		const found = await timeInTurns(
			{
				parse: { run: () => JSON.parse(json) },
				extractive: { run: () => backend.summarize(request, context) },
				ledger: {
					run: () => planLedger({ evicted: messages, kept: [], budgetTokens: 1400, countTokens }).entries(),
				},
			},
			megabytes > 4 ? 3 : 9,
		);
		console.log(
			`| ${name}, ${megabytes} MB | ${found.parse.toFixed(1)} | ${ratio(found.extractive, found.parse)}× | ${ratio(found.ledger, found.parse)}× |`,
		);
	}
}
