import { resolve } from "node:path";
import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutPoints } from "../../src/cli/eval/cut-points.ts";
import { findFaults } from "../../src/cli/eval/find-faults.ts";
import { IdentifierReader } from "../../src/cli/eval/identifier-reader.ts";
import { findUnits } from "../../src/core/transcript/units.ts";
import type { CompactionResult } from "../../src/result/compaction-result.ts";
import { assistant, call, result, system, tool, user } from "../../src/testing/builders.ts";
import { generateTranscript } from "../../src/testing/generate-transcript.ts";
import { hasSharedData } from "../support/shared-data.ts";
import { folderWith, lines, precis, talk } from "./command.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 300);

/** What stands at its start is named again later: by the user, in a call, and only after a result showed it. */
const job: readonly ModelMessage[] = [
	user("Look at src/alpha.ts, lib/beta.ts and docs/gamma.md; the password is hunter2_77_beta."),
	assistant("Looked with read_file."),
	user("Go on."),
	assistant("Went on."),
	user("Now change /home/me/house/src/alpha.ts, with hunter2_77_beta."),
	assistant(call("c1", "read_file", { file_path: "lib/beta.ts" })),
	tool(result("c1", "read_file", "It points to docs/gamma.md.")),
	assistant("docs/gamma.md is fine."),
	user("Thanks."),
	assistant("Done with it."),
];
const KEEP_TWO = '{ "strategy": { "use": "keep-recent", "keepLast": 2 } }';
const SUMMARIZE =
	'{ "strategy": [{ "use": "drop-reasoning" }, { "use": "summarize-older", "keepLast": 2 }] }';

/** A long talk in which every tenth message names a file that the last message names again. */
function longTalk(): readonly object[] {
	const messages = talk(40).map((message, index) =>
		index % 10 === 0
			? { ...message, content: `Open src/rooms/room-${index}.ts. ${message.content}` }
			: message,
	);
	const names = Array.from({ length: 5 }, (_, at) => `src/rooms/room-${at * 10}.ts`);
	return [...messages, user(`Close ${names.join(", ")}.`), assistant("Closed.")];
}

interface Told {
	readonly version: number;
	readonly transcripts: readonly { readonly cuts: readonly number[] }[];
	readonly skipped: readonly { readonly file: string; readonly why: string }[];
	readonly configs: readonly {
		readonly config: string;
		readonly budgets: readonly Record<string, never>[];
		readonly passes: readonly Record<string, never>[];
	}[];
}

function read(text: string): Told {
	return JSON.parse(text) as Told;
}

describe("where a transcript is cut", () => {
	test("at 40, 60 and 80 % of plain messages", () => {
		expect(cutPoints(talk(10) as readonly ModelMessage[])).toEqual([8, 12, 16]);
	});

	test("never inside of a unit, ascending, before the first message nor behind the last", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 12 }), (seed, turns) => {
				const messages = generateTranscript(seed, turns);
				const cuts = cutPoints(messages);
				expect([...new Set(cuts)].sort((left, right) => left - right)).toEqual(cuts);
				for (const cut of cuts) {
					expect(cut).toBeGreaterThan(0);
					expect(cut).toBeLessThan(messages.length);
					for (const unit of findUnits(messages).members)
						expect(unit.every((index) => index < cut) || unit.every((index) => index >= cut)).toBe(true);
				}
			}),
			{ numRuns },
		);
	});

	test("nowhere where all messages are one unit, or there is one", () => {
		expect(cutPoints([assistant(call("a", "t", {})), tool(result("a", "t", "x"))])).toEqual([]);
		expect(cutPoints([user("a")])).toEqual([]);
		expect(cutPoints([])).toEqual([]);
	});
});

describe("what later work needed", () => {
	const recall = (
		evicted: number,
		kept: readonly ModelMessage[] = [],
		inserted: readonly ModelMessage[] = [],
	) =>
		new IdentifierReader([...job, ...kept, ...inserted]).recall(
			job.slice(0, evicted),
			kept,
			inserted,
			job.slice(evicted),
		);

	test("is what the user and the agent use, not what a result shows first, no secret, tool or argument", () => {
		expect(recall(4)).toEqual({
			needed: ["src/alpha.ts", "lib/beta.ts"],
			missed: ["src/alpha.ts", "lib/beta.ts"],
		});
	});

	test("is not what the kept messages have", () => {
		expect(recall(4, [user("src/alpha.ts is open.")]).needed).toEqual(["lib/beta.ts"]);
	});

	test("is not lost where an inserted message says it, from whatever folder a path is written", () => {
		expect(recall(4, [], [user("./src/alpha.ts")])).toEqual({
			needed: ["src/alpha.ts", "lib/beta.ts"],
			missed: ["lib/beta.ts"],
		});
	});

	test("is nothing where nothing comes after", () => {
		expect(recall(job.length)).toEqual({ needed: [], missed: [] });
	});
});

describe("what a pass broke", () => {
	const before = [
		system("Rules."),
		user("Go."),
		assistant(call("a", "t", {})),
		tool(result("a", "t", "x")),
		user("On."),
	];
	const made = (messages: readonly ModelMessage[], kept: readonly number[]): CompactionResult =>
		({ messages, provenance: kept.map((index) => ({ kept: index })) }) as unknown as CompactionResult;
	const keep = (...kept: readonly number[]): CompactionResult =>
		made(
			kept.flatMap((index) => before[index] ?? []),
			kept,
		);

	test("is nothing where units went or stayed whole", () => {
		expect(findFaults(before, keep(0, 1, 2, 3, 4))).toEqual([]);
		expect(findFaults(before, keep(0, 4))).toEqual([]);
	});

	test("is named: a result, a call, a leading system message, a kept message that changed", () => {
		expect(findFaults(before, keep(0, 1, 3, 4))).toEqual(['the result "a" has lost its other half']);
		expect(findFaults(before, keep(0, 1, 2, 4))).toEqual(['the call "a" has lost its other half']);
		expect(findFaults(before, keep(1, 4))).toEqual(["the leading system message 0 is not there any more"]);
		expect(findFaults(before, made([system("Rules."), user("Went.")], [0, 1]))).toEqual([
			"message 1 was to be kept and is not what it was",
		]);
	});

	test("does not count what came in alone", () => {
		const alone = [user("Go."), tool(result("z", "t", "x")), user("On.")];
		expect(findFaults(alone, made(alone, [0, 1, 2]))).toEqual([]);
	});
});

describe("eval", () => {
	test("a config that does not summarize is measured once at each cut, by exact figures", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(job), "k.json": KEEP_TWO });
		const { code, stdout, stderr } = await precis(["eval", "s.jsonl", "--config", "k.json", "--json"], {
			cwd,
		});
		expect(stderr).toBe("");
		expect(code).toBe(0);
		const told = read(stdout);
		expect(told).toMatchObject({
			version: 1,
			cuts: [0.4, 0.6, 0.8],
			transcripts: [{ file: "s.jsonl", messages: 10, cuts: [4, 5, 8] }],
			skipped: [],
			configs: [{ config: "k.json" }],
		});
		expect(told.configs[0]?.budgets).toHaveLength(1);
		expect(told.configs[0]?.budgets[0]).toMatchObject({
			budget: "own",
			passes: 3,
			compacted: 3,
			failed: 0,
			identifiers: { needed: 3, kept: 0, recall: 0 },
			valid: 3,
			usage: { calls: 0, costUSD: 0 },
		});
		expect(told.configs[0]?.passes).toMatchObject([
			{ cut: 4, needed: 2, missed: ["src/alpha.ts", "lib/beta.ts"], faults: [] },
			{ cut: 5, needed: 1, missed: ["lib/beta.ts"] },
			{ cut: 8, needed: 0, missed: [] },
		]);
	});

	test("the summary has the share of the evicted tokens that was asked for, and saves what it can hold", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(longTalk()), "a.json": SUMMARIZE });
		const argv = ["eval", "s.jsonl", "--config", "a.json", "--budgets", "0.05,0.1,own", "--json"];
		const { code, stdout } = await precis(argv, { cwd });
		expect(code).toBe(0);
		const [config] = read(stdout).configs;
		expect(config?.budgets.map(({ budget }) => budget)).toEqual([0.05, 0.1, "own"]);
		for (const pass of config?.passes ?? []) {
			const { budget, tokens } = pass as unknown as {
				budget: number | "own";
				tokens: { evicted: number; summary: number; summaryBudget: number; before: number };
			};
			if (budget !== "own") expect(tokens.summaryBudget).toBe(Math.floor(tokens.evicted * budget));
			// As if the transcript had just reached the trigger.
			else expect(tokens.summaryBudget).toBe(Math.floor(Math.floor(tokens.before * 0.7) * 0.2));
			expect(tokens.summary).toBeGreaterThan(0);
			expect(tokens.summary).toBeLessThanOrEqual(tokens.summaryBudget);
		}
		expect(config?.budgets[1]).toMatchObject({ compacted: 3, valid: 3, usage: { costUSD: 0 } });
		const found = config?.budgets[1] as { identifiers: { needed: number; kept: number } } | undefined;
		expect(found?.identifiers.needed).toBeGreaterThanOrEqual(10);
		expect(found?.identifiers.kept).toBeGreaterThan(0);
	});

	test("the same run gives the same JSON but for times", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(longTalk()) });
		const timeless = async (): Promise<unknown> => {
			const { stdout } = await precis(["eval", "s.jsonl", "--json"], { cwd });
			return JSON.parse(stdout, (key, value: unknown) => (key === "milliseconds" ? undefined : value));
		};
		expect(await timeless()).toEqual(await timeless());
	});

	test("a strategy of a plugin gets its budget through the target", async () => {
		const plugin = `export default { name: "house", apiVersion: 1, strategies: [{
			name: "house-first", schema: { type: "object", additionalProperties: false },
			create: () => ({ summarizes: true, plan: (transcript) => [{ summarize: [0, 1, 2, 3, 4, 5, 6, 7] }] }),
		}] };`;
		const cwd = await folderWith({
			"s.jsonl": lines(longTalk()),
			"house.mjs": plugin,
			"h.json": '{ "plugins": ["./house.mjs"], "strategy": { "use": "house-first" } }',
		});
		const argv = ["eval", "s.jsonl", "--config", "h.json", "--budgets", "0.2", "--json"];
		const { code, stdout, stderr } = await precis(argv, { cwd });
		expect(stderr).toBe("");
		expect(code).toBe(0);
		for (const { tokens } of read(stdout).configs[0]?.passes ?? []) {
			const { evicted, summaryBudget } = tokens as unknown as { evicted: number; summaryBudget: number };
			expect(Math.abs(summaryBudget - evicted * 0.2)).toBeLessThanOrEqual(1);
		}
	});

	test("prints a block for each config, in the order given, with columns in line", async () => {
		const cwd = await folderWith({
			"t/b.json": JSON.stringify({ messages: longTalk() }),
			"t/a.jsonl": lines(longTalk()),
			"t/notes.txt": "not a transcript",
			"a.json": SUMMARIZE,
			"k.json": KEEP_TWO,
		});
		const argv = ["eval", "t", "--config", "a.json", "--config=k.json", "--budgets", "0.1,0.2"];
		const { code, stdout, stderr } = await precis(argv, { cwd });
		expect(stderr).toBe("");
		expect(code).toBe(0);
		const [head, ...rest] = stdout.split("\n");
		expect(head).toBe("2 transcripts, 6 cuts at about 40, 60, 80 % of the messages");
		const at = (line: string): number => rest.indexOf(line);
		expect(at("a.json")).toBeGreaterThan(-1);
		expect(at("k.json")).toBeGreaterThan(at("a.json"));
		const figures = rest.filter((line) => /^ +(?:budget|10 %|20 %|own) {2}/.test(line));
		expect(figures).toHaveLength(5);
		expect(new Set(figures.map((line) => line.length)).size).toBe(1);
		expect(figures.filter((line) => line.includes(" 6/6 "))).toHaveLength(3);
	});

	test("with no config the default is measured, offline, which is said; --quiet says nothing", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(longTalk()) });
		const loud = await precis(["eval", "s.jsonl"], { cwd });
		expect(loud.code).toBe(0);
		expect(loud.stderr).toContain("offline");
		expect(loud.stderr).not.toContain("\r");
		expect(loud.stdout).toContain("\ndefault\n");
		expect((await precis(["eval", "s.jsonl", "--quiet"], { cwd })).stderr).toBe("");
	});

	test("standard input is a transcript too", async () => {
		const cwd = await folderWith({ "precis.config.json": KEEP_TWO });
		const { code, stdout } = await precis(["eval", "-"], { cwd, stdin: lines(job) });
		expect(code).toBe(0);
		expect(stdout).toContain("0 % of 3");
		expect(stdout).toContain("\nprecis.config.json\n");
	});

	test("a transcript that cannot be read is reported and skipped, and the exit code is 1", async () => {
		const cwd = await folderWith({
			"t/a.jsonl": lines(job),
			"t/b.json": '{ "role": ',
			"t/c.jsonl": lines([job[0] ?? {}]),
			"precis.config.json": KEEP_TWO,
		});
		const { code, stdout, stderr } = await precis(["eval", "t", "--json"], { cwd });
		expect(code).toBe(1);
		expect(stderr).toMatch(/skipped: Cannot read the transcript "t\/b\.json": line 1/);
		expect(stderr).toContain('skipped: "t/c.jsonl" has no place to be cut');
		const told = read(stdout);
		expect(told.transcripts).toHaveLength(1);
		expect(told.skipped).toMatchObject([
			{ file: "t/b.json", why: "unreadable" },
			{ file: "t/c.jsonl", why: "too-short" },
		]);
	});

	test("a transcript that is too short is no failure beside others", async () => {
		const cwd = await folderWith({
			"a.jsonl": lines(job),
			"c.jsonl": lines([job[0] ?? {}]),
			"precis.config.json": KEEP_TWO,
		});
		expect((await precis(["eval", "a.jsonl", "c.jsonl"], { cwd })).code).toBe(0);
	});

	test("a budget that holds no summary is told, and is no failure", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(longTalk()), "a.json": SUMMARIZE });
		const argv = ["eval", "s.jsonl", "--config", "a.json", "--budgets", "0.0001"];
		const { code, stdout } = await precis(argv, { cwd });
		expect(stdout).toContain("0 %: of 3 passes 3 with too small a budget for any summary");
		expect(code).toBe(0);
	});

	test("a pass that fails is told once, the others are measured, and the exit code is 1", async () => {
		const dead = { use: "http", url: "http://127.0.0.1:9/summarize" };
		const cwd = await folderWith({
			"s.jsonl": lines(longTalk()),
			"dead.json": JSON.stringify({ ...JSON.parse(SUMMARIZE), backend: dead }),
			"k.json": KEEP_TWO,
		});
		const argv = ["eval", "s.jsonl", "--config", "dead.json", "--config", "k.json", "--budgets", "0.1"];
		const { code, stdout, stderr } = await precis(argv, { cwd });
		expect(code).toBe(1);
		expect(stderr.match(/precis: dead\.json: Cannot /g)).toHaveLength(1);
		expect(stdout).toContain("10 %: of 3 passes 3 failed");
		expect(stdout).toContain("3/3");
	});

	test("an interrupt is exit code 130", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(longTalk()) });
		const { code, stdout } = await precis(["eval", "s.jsonl"], { cwd, signal: AbortSignal.abort() });
		expect(code).toBe(130);
		expect(stdout).toBe("");
	});

	test.each([
		[["eval"], "Cannot measure: found no transcript in nothing"],
		[["eval", "empty"], 'Cannot measure: found no transcript in "empty"'],
		[["eval", "none.jsonl"], 'Cannot read "none.jsonl": there is no such file'],
		[["eval", "short.jsonl"], "no transcript is long enough"],
		[["eval", "s.jsonl", "--budgets", "0.9"], 'Cannot take "0.9" as a budget'],
		[["eval", "s.jsonl", "--budgets", "0.1,x"], 'Cannot take "x" as a budget'],
		[["eval", "s.jsonl", "--budgets", "0"], 'Cannot take "0" as a budget'],
		[["eval", "s.jsonl", "--config", "k.json", "--config", "none.json"], '"none.json"'],
		[["eval", "s.jsonl", "--config", "null.json"], '"backend" is null'],
	])("%j is wrong usage", async (argv, what) => {
		const cwd = await folderWith({
			"s.jsonl": lines(job),
			"short.jsonl": lines([job[0] ?? {}]),
			"empty/x.txt": "",
			"k.json": KEEP_TWO,
			"null.json": '{ "strategy": { "use": "summarize-older" }, "backend": null }',
		});
		const { code, stdout, stderr } = await precis([...argv, "--quiet"], { cwd });
		expect(stderr).toContain(what);
		expect(stdout).toBe("");
		expect(code).toBe(2);
	});

	const shared = resolve(process.env.PRECIS_SHARED ?? "../shared", "data");
	test.skipIf(!hasSharedData)(
		`a real session${hasSharedData ? "" : ` (absent: there is no ${shared}; set PRECIS_SHARED)`}`,
		async () => {
			const cwd = await folderWith();
			const file = resolve(shared, "openhands-ponyc-4595.json");
			const { code, stdout } = await precis(["eval", file, "--json", "--budgets", "0.1"], { cwd });
			expect(code).toBe(0);
			const { budgets } = read(stdout).configs[0] ?? { budgets: [] };
			expect(budgets[0]).toMatchObject({ passes: 3, compacted: 3, valid: 3 });
			const { identifiers, tokens } = budgets[0] as unknown as {
				identifiers: { needed: number; recall: number };
				tokens: { saved: number };
			};
			expect(identifiers.needed).toBeGreaterThan(0);
			expect(identifiers.recall).toBeGreaterThan(0);
			expect(tokens.saved).toBeGreaterThan(0.5);
		},
	);
});
