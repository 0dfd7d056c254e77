import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	LEDGER_SECTION,
	type LedgerInput,
	ledgerTokens,
	planLedger,
	renderLedger,
	splitLedgerEntry,
} from "../../../src/core/ledger/build-ledger.ts";
import { parseSummary } from "../../../src/core/parse/parse-summary.ts";
import { renderSummary } from "../../../src/core/render/render-summary.ts";
import type { Message } from "../../../src/core/transcript/message.ts";

const RUNS = Number(process.env.PRECIS_RUNS ?? 200);
const countTokens = (text: string): number => text.length / 4;
const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });
const call = (toolName: string, input: unknown): Message => ({
	role: "assistant",
	content: [{ type: "tool-call", toolCallId: "c", toolName, input }],
});
const result = (value: unknown): Message => ({
	role: "tool",
	content: [
		{
			type: "tool-result",
			toolCallId: "c",
			toolName: "read",
			output: typeof value === "string" ? { type: "text", value } : { type: "json", value },
		},
	],
});

function plan(evicted: readonly Message[], more: Partial<LedgerInput> = {}): ReturnType<typeof planLedger> {
	return planLedger({ evicted, kept: [], budgetTokens: 500, countTokens, ...more });
}

function namesOf(evicted: readonly Message[], more: Partial<LedgerInput> = {}): readonly string[] {
	return plan(evicted, more).entries().flatMap(splitLedgerEntry);
}

describe("the ledger", () => {
	test("lists paths, URLs, symbols, ids, versions, errors and numbers", () => {
		const names = namesOf([
			user("Fix parseHeader in src/http/parse.ts, it throws TypeError since v2.1.0, see https://e.test/142"),
			assistant("The limit is max_header=8192 and commit 3f2a9bc broke it."),
		]);
		expect(names).toEqual(
			expect.arrayContaining([
				"src/http/parse.ts",
				"parseHeader",
				"TypeError",
				"v2.1.0",
				"https://e.test/142",
				"max_header",
				"8192",
				"3f2a9bc",
			]),
		);
	});

	test("lists only the kinds that were asked for", () => {
		const evicted = [user("src/a.ts throws TypeError in parseHeader")];
		expect(namesOf(evicted, { kinds: ["error"] })).toEqual(["TypeError"]);
		expect(namesOf(evicted, { kinds: [] })).toEqual([]);
	});

	test("what people named comes before what a tool printed", () => {
		const names = namesOf([user("Look at src/wanted.ts."), result("src/printed.ts src/other.ts")]);
		expect(names[0]).toBe("src/wanted.ts");
	});

	test("what was named often and lately comes before what was named once and long ago", () => {
		const filler = Array.from({ length: 20 }, (_, index) => assistant(`Step ${index} is under way.`));
		const names = namesOf([
			assistant("src/early.ts"),
			...filler,
			assistant("src/later.ts"),
			call("read", { path: "src/later.ts" }),
		]);
		expect(names.indexOf("src/later.ts")).toBeLessThan(names.indexOf("src/early.ts"));
	});

	test("what lies beside the files that the kept messages touch is raised", () => {
		const evicted = [assistant("There are lib/alpha.ts and auth/alpha.ts.")];
		const [first] = namesOf(evicted, { kept: [assistant("Now I edit auth/login.ts.")] });
		expect(first).toBe("auth/alpha.ts");
	});

	test("what an open task of the previous summary names is raised", () => {
		const evicted = [assistant("There are alphaThing and omegaThing.")];
		const [first] = namesOf(evicted, { previous: { pending_tasks: ["Rename omegaThing."] } });
		expect(first).toBe("omegaThing");
	});

	test("what the summary says already is not listed again", () => {
		const made = plan([user("src/a.ts and src/b.ts")]);
		expect(made.entries({ key_facts: ["Read src/a.ts."] }).flatMap(splitLedgerEntry)).toEqual(["src/b.ts"]);
	});

	test("the names of the tools and of their fields give way to the values", () => {
		const names = namesOf([call("get_user_details", { user_id: "mia_li_3668" })]);
		expect(names[0]).toBe("mia_li_3668");
	});

	test("one file that was written in several ways is listed once", () => {
		const names = namesOf([user("./src/core/a.ts"), assistant("src/core/a.ts, that is core/a.ts or a.ts")]);
		expect(names).toEqual(["src/core/a.ts"]);
	});

	test("paths below a folder that most of them share are written from there", () => {
		const names = namesOf([
			call("read", { path: "/home/me/work/project/src/a.ts" }),
			call("read", { path: "/home/me/work/project/src/b.ts" }),
			call("read", { path: "/home/me/work/project/docs/c.md" }),
		]);
		expect(names).toContain("docs/c.md");
	});

	test("carries the previous ledger on", () => {
		const previous = { identifiers: ["src/old.ts oldSymbol", "v0.9.1"] };
		expect(namesOf([user("Go on, please.")], { previous })).toEqual(
			expect.arrayContaining(["src/old.ts", "oldSymbol", "v0.9.1"]),
		);
	});

	test("is parsed back from a render into the same entries", () => {
		const evicted = Array.from({ length: 30 }, (_, index) => user(`Read src/part${index}/file${index}.ts.`));
		const entries = plan(evicted).entries();
		const sections = [{ id: "key_facts", title: "Key facts", purpose: "Facts." }, LEDGER_SECTION];
		const text = renderSummary({ key_facts: ["One fact."] }, { sections }) + renderLedger(entries);
		expect(parseSummary(text, { sections })?.sections[LEDGER_SECTION.id]).toEqual(entries);
	});

	test("neither grows nor nests over ten passes", () => {
		let previous: Record<string, readonly string[]> = {};
		const sizes: number[] = [];
		for (let pass = 0; pass < 10; pass += 1) {
			const evicted = Array.from({ length: 20 }, (_, index) =>
				user(`Edit src/pass${pass}/file${index}.ts now.`),
			);
			const entries = plan(evicted, { previous, budgetTokens: 120 }).entries();
			previous = { identifiers: entries };
			sizes.push(countTokens(renderLedger(entries)));
			const names = entries.flatMap(splitLedgerEntry);
			expect(new Set(names).size).toBe(names.length);
		}
		expect(Math.max(...sizes)).toBeLessThanOrEqual(120);
	});

	test("never lists a secret, nor anything that holds one", () => {
		const names = namesOf([
			user(
				"Use API_KEY=abcd1234efgh5678 against https://app:pa55word@e.test/x, and ghp_16C7e42F292c6912E7710c838347Ae178B4a",
			),
			result("DB_PASSWORD=correct_horse_9"),
			assistant("I log in with correct_horse_9 and call https://e.test/x?key=abcd1234efgh5678"),
		]).join(" ");
		for (const secret of ["abcd1234efgh5678", "pa55word", "ghp_", "correct_horse_9"])
			expect(names).not.toContain(secret);
	});

	test("asks for less room than it may have where little is named, and for none where nothing is", () => {
		expect(plan([user("Please tell me a story about a fox.")]).reserveTokens).toBe(0);
		expect(plan([user("Please read src/a.ts.")]).reserveTokens).toBeLessThan(20);
	});
});

describe("the room of the ledger", () => {
	test("by default half of the budget, and no more than 1400 tokens", () => {
		expect(ledgerTokens({}, 1000)).toBe(500);
		expect(ledgerTokens({}, 199)).toBe(0);
		expect(ledgerTokens({ fraction: 0.5 }, 100)).toBe(50);
		expect(ledgerTokens({}, 6000)).toBe(1400);
	});

	test("a figure given alone holds alone, of two the smaller one holds, and false is none", () => {
		expect(ledgerTokens({ fraction: 0.9 }, 6000)).toBe(5400);
		expect(ledgerTokens({ maxTokens: 3000 }, 6000)).toBe(3000);
		expect(ledgerTokens({ maxTokens: 9000 }, 6000)).toBe(6000);
		expect(ledgerTokens({ fraction: 0.1, maxTokens: 1000 }, 6000)).toBe(600);
		expect(ledgerTokens(false, 6000)).toBe(0);
	});
});

const noise = fc.oneof(
	fc.string({ unit: "binary", maxLength: 80 }),
	fc.constantFrom(
		"src/a.ts",
		"a/b/c",
		"x=1",
		"::",
		"//",
		"./../",
		"https://",
		"https://a.b/c?d=e",
		"p@ss:w/ord@",
		"\\\\host\\a",
		"修改src/a.ts文件",
		"toString __proto__ constructor",
	),
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
	fc.array(noise, { maxLength: 8 }).map((texts) => user(texts.join(" "))),
	fc.jsonValue().map((value) => call("read", value)),
	fc.jsonValue().map((value) => result(value)),
);

describe("for any transcript", () => {
	test("the ledger never throws, keeps its budget, is the same twice and leaves its input alone", () => {
		fc.assert(
			fc.property(
				fc.array(anyMessage, { maxLength: 8 }),
				fc.integer({ min: 0, max: 200 }),
				(evicted, budgetTokens) => {
					const before = JSON.stringify(evicted);
					const entries = plan(evicted, { budgetTokens }).entries();
					expect(countTokens(renderLedger(entries))).toBeLessThanOrEqual(Math.max(0, budgetTokens));
					expect(plan(evicted, { budgetTokens }).entries()).toEqual(entries);
					expect(JSON.stringify(evicted)).toBe(before);
				},
			),
			{ numRuns: RUNS },
		);
	});

	test("every identifier stands in what was evicted", () => {
		fc.assert(
			fc.property(fc.array(noise, { maxLength: 20 }), (texts) => {
				const source = texts.join(" ");
				for (const name of namesOf([user(source)])) expect(source).toContain(name);
			}),
			{ numRuns: RUNS },
		);
	});

	test("the entries split into what was packed", () => {
		fc.assert(
			fc.property(fc.array(noise, { maxLength: 20 }), (texts) => {
				for (const entry of plan([user(texts.join(" "))]).entries())
					expect(splitLedgerEntry(entry).join(" ")).toBe(entry);
			}),
			{ numRuns: RUNS },
		);
	});
});

describe("hostile transcripts", () => {
	const seconds = (run: () => void): number => {
		const start = performance.now();
		run();
		return (performance.now() - start) / 1000;
	};

	test.each([
		["one run of full stops", ".".repeat(300_000)],
		["one run of slashes", "/a".repeat(150_000)],
		["one run of equals signs", "a=".repeat(150_000)],
		["one run of colons", "a:".repeat(150_000)],
		["a password cue over and over", "password: ".repeat(30_000)],
		[
			"thirty thousand secrets",
			Array.from({ length: 30_000 }, (_, index) => `password=pw${index}x`).join("\n"),
		],
		["sixty thousand paths", Array.from({ length: 60_000 }, (_, index) => `src/f${index}.ts`).join(" ")],
		[
			"one file name in many folders",
			Array.from({ length: 30_000 }, (_, index) => `d${index}/index.ts`).join(" "),
		],
	])("%s take no more than linear time", (_, text) => {
		expect(seconds(() => plan([user(text)]).entries())).toBeLessThan(5);
	});
});
