// One program for every runtime: it runs in a folder that has the packed package, the AI SDK, two providers and a
// plugin package installed, a plugin file beside the configs, and a session to compact.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { ModelMessage } from "ai";
import type { Config } from "precis";
import {
	CompactionError,
	type CompactionResult,
	createCompactor,
	isCompactionError,
	isEqual,
	loadConfig,
	parseSummary,
	renderSummary,
	summarizeOlder,
	trimSummary,
} from "precis";

const messages = (await readFile("session.jsonl", "utf8"))
	.split("\n")
	.filter((line) => line.trim() !== "")
	.map((line) => JSON.parse(line) as ModelMessage);

/** What must hold after any compaction. */
function checkKept(result: CompactionResult): void {
	assert.equal(result.status, "compacted");
	assert.ok(result.tokens.after < result.tokens.before);
	for (const [index, from] of result.provenance.entries()) {
		if ("kept" in from) assert.equal(result.messages[index], messages[from.kept]);
	}
}

/** Every value that the package gives, with its members. */
const NAMES = [
	"CompactionError",
	"ERROR_CODES",
	"compact",
	"createCompactor",
	"createRegistry",
	"dropFailedToolResults.fromJSON",
	"dropReasoning.fromJSON",
	"isCompactionError",
	"isEqual",
	"keepRecent.fromJSON",
	"loadConfig",
	"parseSummary",
	"renderSummary",
	"summarizeOlder.fromJSON",
	"templateSchema",
	"trimSummary",
];

const checks: [string, () => Promise<void>][] = [
	[
		"a config file with extractive",
		async () => {
			const compactor = await createCompactor("./extractive.config.json");
			assert.ok(compactor.shouldCompact(messages) !== undefined);
			const result = await compactor.compact(messages);
			checkKept(result);
			assert.deepEqual(await compactor.compact(messages).then(({ summary }) => summary), result.summary);
		},
	],
	[
		"a third-party plugin by package name",
		async () => {
			const loaded = await loadConfig("./package.config.json");
			const result = await (await createCompactor(loaded)).compact(messages);
			checkKept(result);
			assert.ok((result.summary?.sections.key_facts?.length ?? 0) > 0);
		},
	],
	[
		"a third-party plugin by path",
		async () => {
			const result = await (await createCompactor("./path.config.json")).compact(messages);
			checkKept(result);
			assert.deepEqual(result.summary?.sections.key_facts, ["The house was here."]);
		},
	],
	...["openai-chat", "openai-responses", "anthropic", "openai-compatible"].map(
		(wire): [string, () => Promise<void>] => [
			`ai-sdk over the ${wire} wire format`,
			async () => {
				const result = await (await createCompactor(`./${wire}.config.json`)).compact(messages);
				checkKept(result);
				assert.deepEqual(result.summary?.sections.pending_tasks, ["Ship it"]);
				assert.equal(result.usage.calls, 1);
			},
		],
	),
	[
		"an unknown option is an error with its place",
		async () => {
			const error: unknown = await createCompactor("./wrong.config.json").then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			assert.ok(isCompactionError(error) && error.code === "CONFIG_INVALID");
			assert.match(
				error.message,
				/wrong\.config\.json:2:\d+ \/strategy\/keepLst: .*Did you mean "keepLast"\?/,
			);
		},
	],
	[
		"parse, render and trim",
		async () => {
			const parsed = parseSummary("## Pending tasks\n* Ship it");
			assert.deepEqual(parsed?.sections.pending_tasks, ["Ship it"]);
			const text = renderSummary(parsed?.sections ?? {});
			assert.equal(trimSummary(parsed?.sections ?? {}, "default", 1000).text, text);
		},
	],
	[
		"what the package gives is the same on every runtime",
		async () => {
			const own = Object.entries(await import("precis")).map(([name, value]) =>
				[name, ...Object.keys(name === "ERROR_CODES" ? {} : value)].join("."),
			);
			assert.deepEqual(own.sort(), NAMES);
			assert.ok(isEqual(summarizeOlder.fromJSON({ keep_last: 4 }), summarizeOlder(4)));
			// The error that code of another chunk throws is the class that the door gives.
			assert.throws(() => summarizeOlder(-1), CompactionError);
		},
	],
	[
		"a config made in code",
		async () => {
			const config: Config = { strategy: [{ use: "keep-recent", keepLast: 4 }] };
			checkKept(await (await createCompactor(config)).compact(messages));
		},
	],
];

for (const [name, run] of checks) {
	await run();
	console.log(`ok ${name}`);
}
console.log(`${checks.length} passed, 0 failed`);
