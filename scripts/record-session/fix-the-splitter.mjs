// A developer's afternoon: a fault in the splitter, an option for a trigger, questions, documentation. The model's
// part is written here; what the tools answer is what they really answer on the project at the commit below.

const STRUCTURED = "plugins/strategies/structured.ts";
const MESSAGES = "plugins/triggers/messages.ts";
const MESSAGES_SCHEMA = "schemas/triggers/messages.schema.json";
const SPLIT_TEST = "test/plugins/strategies/structured-split.test.ts";
const TRIGGERS_TEST = "test/plugins/triggers/triggers.test.ts";
const TRIGGER_TEST = "test/plugins/messages-trigger.test.ts";

const read = (path, from, to) => ["read_file", { path, ...(from === undefined ? {} : { from, to }) }];
const list = (path) => ["list_files", { path }];
const search = (pattern, path) => ["search", { pattern, ...(path === undefined ? {} : { path }) }];
const edit = (path, old, replacement) => ["edit_file", { path, old, new: replacement }];
const tests = (path) => ["run_tests", { path }];
const lint = (path, fix) => ["lint", { path, ...(fix === undefined ? {} : { fix }) }];
const script = (name) => ["run_script", { name }];
const diff = ["diff", {}];

const RIGHT = "for (let index = 0; index < length; index += 1) lastOf[unitOf[index] ?? 0] = index;";
const WRONG = "for (let index = length - 1; index >= 0; index -= 1) lastOf[unitOf[index] ?? 0] = index;";

const findTheFault = {
	user: `Since last week's clean-up of the strategies the nightly compaction of our support transcripts fails. The config is

  { "strategy": { "use": "structured", "preserveRecent": 6 }, "trigger": { "use": "messages", "max": 40 } }

and the error is: PLUGIN_INVALID: Cannot accept the edits of the strategy "structured": they break the law "pairs". It happens only in transcripts where one assistant message calls several tools at once. Please find the cause, fix it, and leave a regression test. Do not weaken the laws: they are the only reason why we noticed.`,
	steps: [
		{
			think:
				"The law found a broken pair, so the split of the strategy is not at a unit's border. I start with the strategy and with the law that refused its edits.",
			say: "I start with the strategy that made the edits and with the law that refused them.",
			calls: [
				list("plugins/strategies"),
				search("findSafeCuts|isSafe", "plugins"),
				search("PLUGIN_INVALID", "src/result"),
			],
		},
		{
			say: "The split is in one place. Reading it together with the law.",
			calls: [read(STRUCTURED), read("src/result/pairs-law.ts")],
		},
		{
			say: "A cut is safe where no unit reaches across it, so the question is what findSafeCuts knows of a unit. How units are numbered decides that.",
			calls: [read("src/core/transcript/units.ts"), read("src/core/transcript/ties.ts", 1, 120)],
		},
		{
			think:
				"unitOf numbers by first appearance. lastOf must hold the last index of each unit. The loop runs from the end to the start, so the smallest index is written last: it holds the first index instead.",
			say: "I have a suspicion: in findSafeCuts the loop that fills lastOf runs backwards, so each unit is left with its first message instead of its last. Before I change anything I want to see it fail. What do the tests cover?",
			calls: [tests("test/plugins/strategies"), read("test/plugins/strategies/structured.test.ts")],
		},
		{
			say: "The property tests fail, and in each counterexample a call and its result stand on the two sides of the cut: that fits. There is no test of structured alone. Looking at how the tests run a strategy.",
			calls: [
				list("test"),
				read("test/plugins/strategies/properties.test.ts", 1, 80),
				read("test/support/steps.ts"),
			],
		},
		{
			say: "runStep plans with one strategy, applies the edits and checks the laws, which is what I need. Where else is the option used?",
			calls: [search("preserveRecent"), search("unitOf\\[", "plugins")],
		},
		{
			say: "A test that reproduces the report: one assistant message with three calls, answered by three tool messages, and the split wanted in the middle of the answers.",
			calls: [
				edit(
					SPLIT_TEST,
					"",
					`import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/core/transcript/message.ts";
import { outOf, runStep } from "../../support/steps.ts";

const PAD = "The crate list repeats the same long row of words for every crate on every shelf. ".repeat(20);

function call(toolCallId: string): object {
	return { type: "tool-call", toolCallId, toolName: "count", input: { shelf: toolCallId } };
}

function result(toolCallId: string): Message {
	const output = { type: "text", value: PAD };
	return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName: "count", output }] };
}

/** Three calls in one message, each answered by a message of its own. */
const PARALLEL: readonly Message[] = [
	{ role: "user", content: \`Count the shelves. \${PAD}\` },
	{ role: "assistant", content: [call("a1"), call("a2"), call("a3")] as never },
	result("a1"),
	result("a2"),
	result("a3"),
	{ role: "assistant", content: "Fourteen, nine and twenty." },
	{ role: "user", content: "And A4?" },
];

describe("structured, where one message calls several tools", () => {
	test.each([2, 3, 4, 5, 6])("%i recent messages never part a call from its results", async (preserveRecent) => {
		const step = await runStep({ use: "structured", preserveRecent, minMessages: 2 }, PARALLEL);
		const kept = outOf(step).filter((index) => index !== "S");
		const parts = [1, 2, 3, 4].filter((index) => kept.includes(index));
		expect([0, 4]).toContain(parts.length);
	});
});
`,
				),
				tests(SPLIT_TEST),
			],
		},
		{
			say: "It fails as in the report, and only where the wanted position lies inside of the answers. So the cause is the loop. Was it always so?",
			calls: [search("lastOf", "plugins"), search("function findSafeCuts", "plugins")],
		},
		{
			say: "Correcting the loop: forwards, so that the last message of a unit wins.",
			calls: [
				edit(
					STRUCTURED,
					"for (let index = length; index >= 0; index -= 1)",
					"for (let index = 0; index < length; index += 1)",
				),
			],
		},
		{ say: "My text was not exact. Reading the lines again.", calls: [read(STRUCTURED, 15, 28)] },
		{ calls: [edit(STRUCTURED, WRONG, RIGHT)] },
		{ calls: [tests(SPLIT_TEST), tests("test/plugins/strategies")] },
		{
			say: "Both pass. The pass as a whole must accept it too, and the laws have tests of their own.",
			calls: [tests("test/flow"), list("test/result")],
		},
		{
			say: `Fixed. Cause: in plugins/strategies/structured.ts, findSafeCuts filled lastOf from the end to the start, so that each unit was left with the index of its first message. A cut between a call and its results then looked safe, and the law "pairs" refused the edits.

- Decision: only the direction of the loop is changed; the laws are untouched, because they did what they are for.
- The regression test is test/plugins/strategies/structured-split.test.ts: three calls in one message, preserveRecent from 2 to 6.
- Still to do: find out why the merge of the clean-up did not run test/plugins; its property tests fail with the fault.
- Open question: should a strategy that breaks a law be retried with the next best cut, or is refusing the pass right?`,
		},
	],
};

const addTheOption = {
	user: `Thanks. Refusing is right, do not retry. The merge job ran test/flow only; I have corrected that.

Next: our trigger { "use": "messages", "max": 40 } also counts the system messages that our host puts at the head, eleven of them for some tenants, so these tenants are compacted far too early. Please add an option ignoreSystem (boolean, default false) to the messages trigger: with true, leading system messages are not counted. Schema first, as the recipes in ARCHITECTURE.md say.`,
	steps: [
		{
			say: "Reading the recipe, the schema and the trigger.",
			calls: [read("ARCHITECTURE.md"), read(MESSAGES_SCHEMA), read(MESSAGES)],
		},
		{
			say: "How do other option schemas write a boolean with a default, and which helper counts the head?",
			calls: [search('"type": "boolean"', "schemas"), search("leadingSystemCount"), list("schemas/triggers")],
		},
		{
			say: "leadingSystemCount is exported for plugins already. Schema first.",
			calls: [
				edit(
					MESSAGES_SCHEMA,
					`"description": "Fires when the transcript has more than this many messages."
		}`,
					`"description": "Fires when the transcript has more than this many messages."
		},
		"ignoreSystem": {
			"type": "boolean",
			"default": false,
			"description": "Whether the system messages at the head are not counted."
		}`,
				),
				script("codegen"),
			],
		},
		{
			say: "Printed. Checking what the types and the bundled schemas say now.",
			calls: [
				search("ignoreSystem", "src/generated/types.ts"),
				search("MessagesTriggerOptions", "src/generated"),
				read("src/generated/schemas.ts"),
			],
		},
		{
			calls: [
				edit(
					MESSAGES,
					`		create({ max }) {
			return {
				check({ messages }) {
					return messages.length > max
						? \`The transcript has \${messages.length} messages, more than \${max}.\`
						: undefined;
				},
			};
		},`,
					`		create({ max, ignoreSystem }) {
			return {
				check({ messages }) {
					const count = messages.length - (ignoreSystem ? leadingSystemCount(messages) : 0);
					const beside = ignoreSystem ? " beside the system messages at its head" : "";
					return count > max ? \`The transcript has \${count} messages\${beside}, more than \${max}.\` : undefined;
				},
			};
		},`,
				),
				edit(MESSAGES, "	defineTrigger,\n", "	defineTrigger,\n	leadingSystemCount,\n"),
			],
		},
		{
			say: "Now a test: the count, the head, and a system message in the middle, which still counts.",
			calls: [search("shouldCompact", "test"), list("test/plugins")],
		},
		{
			calls: [
				edit(
					TRIGGER_TEST,
					"",
					`import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { createCompactor } from "../../src/index.ts";

const system: ModelMessage = { role: "system", content: "Rules of the house." };

function talk(count: number): ModelMessage[] {
	return Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content: \`m\${index}\` }));
}

async function fires(options: object, messages: ModelMessage[]): Promise<string | undefined> {
	const trigger = { use: "messages", max: 4, ...options } as never;
	const compactor = await createCompactor({ strategy: { use: "keep-recent" }, trigger });
	return compactor.shouldCompact(messages)?.detail;
}

describe("the trigger messages", () => {
	test("counts every message by default", async () => {
		expect(await fires({}, [system, ...talk(3)])).toBeUndefined();
		expect(await fires({}, [system, ...talk(4)])).toBe("The transcript has 5 messages, more than 4.");
	});

	test("with ignoreSystem it does not count the system messages at the head", async () => {
		expect(await fires({ ignoreSystem: true }, [system, system, ...talk(4)])).toBeUndefined();
		expect(await fires({ ignoreSystem: true }, [system, system, ...talk(5)])).toContain("has 5 messages beside");
	});

	test("a later system message is an ordinary one", async () => {
		expect(await fires({ ignoreSystem: true }, [...talk(4), system])).toContain("has 5 messages");
	});

	test("ignoreSystem is true or false", async () => {
		await expect(fires({ ignoreSystem: "yes" }, talk(1))).rejects.toMatchObject({ code: "CONFIG_INVALID" });
	});
});
`,
				),
				tests(TRIGGER_TEST),
			],
		},
		{
			say: "All pass. Generated files must be up to date, and the registry tests read the schemas.",
			calls: [script("codegen:check"), tests("test/registry"), tests("test/config")],
		},
		{
			say: "Is the trigger described anywhere else that would now be wrong?",
			calls: [
				search("messages \\{ max \\}"),
				search("more than this many messages"),
				read("docs/triggers.md"),
			],
		},
		{
			say: "There is no page on triggers; docs/config.md does not list their options. The changelog gets a line.",
			calls: [read("CHANGELOG.md"), search("ignoreSystem", "docs")],
		},
		{
			calls: [
				edit(
					"CHANGELOG.md",
					"- The command `precis`.",
					"- The command `precis`.\n- The trigger `messages` takes `ignoreSystem`: system messages at the head are not counted.",
				),
			],
		},
		{ calls: [lint(TRIGGER_TEST), lint("plugins/triggers")] },
		{
			say: "Only the layout of my test. Correcting it, and running it once more.",
			calls: [lint(TRIGGER_TEST, true), tests(TRIGGER_TEST)],
		},
		{
			say: `The messages trigger takes ignoreSystem now.

- schemas/triggers/messages.schema.json: the option, default false, so no config changes its meaning.
- plugins/triggers/messages.ts: with true it counts messages.length minus leadingSystemCount(messages), and the reason says "beside the system messages at its head".
- test/plugins/messages-trigger.test.ts: four tests, among them that "yes" is refused with CONFIG_INVALID.
- Decision: a system message later in the transcript still counts, because only the leading ones are protected from compaction.
- Pending: docs/config.md lists no trigger options at all; a table printed from the schemas would be better than a hand-written one.`,
		},
	],
};

const askAboutTargets = {
	user: `Good. A question before you go on: one tenant uses { "use": "all", "of": [{ "use": "tokens", "max": 60000 }, { "use": "messages", "max": 40 }] }, another one "any" with two token limits, 60000 and 120000. What does a pass aim at in each case? I do not want changes, only the answer with the places in the code.`,
	steps: [
		{
			say: "The target is computed in the flow. Looking for it.",
			calls: [search("targetOf|OF_THRESHOLD"), search("thresholdTokens")],
		},
		{ calls: [read("src/flow/target.ts"), read("src/flow/trigger-tree.ts")] },
		{
			say: "The tree flattens the thresholds of both modes. What do the leaves report?",
			calls: [
				read("plugins/triggers/tokens.ts"),
				read("plugins/triggers/all.ts"),
				read("plugins/triggers/any.ts"),
				read("plugins/triggers/context-window.ts"),
			],
		},
		{
			say: "And how it reaches the pass, with a targetTokens of the caller's.",
			calls: [read("src/flow/create-compactor.ts", 130, 260), search("minProgress", "src/flow")],
		},
		{
			say: "One more place: which passes are called unchanged because they won too little.",
			calls: [read("src/flow/compact.ts", 1, 60), tests("test/flow")],
		},
		{ calls: [search("0\\.7|0\\.56|OF_WINDOW", "."), read("schemas/config.schema.json", 60, 120)] },
		{
			say: `Both tenants aim at 42000 tokens.

- src/flow/trigger-tree.ts: thresholds() of "any" and of "all" is the flat list of what their members report. tokens reports max, context-window its share of the window, messages reports nothing.
- src/flow/target.ts: without "target" in the config, a pass aims at 0.7 of the smallest threshold (OF_THRESHOLD = 700 thousandths), so 0.7 × 60000 = 42000 in both cases. With no threshold at all it is 0.56 of the window: 112000 of 200000.
- minProgress is 0.05: a pass that wins less than 5 % of what was over the target is "unchanged", with "no-progress".
- For the tenant with "any" and 60000/120000 the larger limit never matters, because the smaller one fires first. That is probably not what they meant.
- Open question for you: with "all", the largest threshold is the one that decides when it fires. Should the target follow it? The documentation says the smallest, so I left it.`,
		},
	],
};

const askAboutJapanese = {
	user: `Leave it as documented; I will tell the second tenant to remove the 120000. Next question, also without changes: our Japanese tenant says that their context overflows although we compact at 80 %. Which counter do they get, how does it treat Japanese, and is there a test with figures?`,
	steps: [
		{
			say: "The default counter is heuristic. Reading what it does.",
			calls: [
				list("plugins/counters"),
				read("plugins/counters/heuristic.ts"),
				read("plugins/counters/estimate-tokens.ts"),
			],
		},
		{ calls: [read("plugins/counters/character-classes.ts"), read("plugins/counters/token-weights.ts")] },
		{
			say: "It weighs pairs of character classes, so Japanese has weights of its own. What does a message cost beside its text?",
			calls: [
				search("messageTokens"),
				read("src/core/transcript/part-tokens.ts"),
				read("src/core/transcript/account.ts"),
			],
		},
		{
			say: "Is there a test or a benchmark that names figures for Japanese?",
			calls: [search("[Jj]apan", "test"), search("[Jj]apan", "bench"), list("bench")],
		},
		{ calls: [search("(", "bench"), read("plugins/counters/ratio.ts"), read("plugins/counters/o200k.ts")] },
		{
			say: "My pattern was no regular expression. Once more, for the corpus.",
			calls: [search("o200k", "bench"), search("overheadTokens", "src")],
		},
		{
			say: "Now the other suspect: what is sent beside the transcript.",
			calls: [search("overheadTokens", "docs"), read("docs/config.md")],
		},
		{
			say: `They get "heuristic", and it is not the culprit as far as I can see; overheadTokens is.

- plugins/counters/estimate-tokens.ts weighs pairs of neighbouring characters by class; kana and Han characters have classes of their own in plugins/counters/character-classes.ts, so Japanese is not counted as characters divided by four. Long texts are sampled in windows.
- "ratio" would undercount Japanese badly: with charsPerToken 4 a Japanese character counts as a quarter of a token, while a tokenizer needs about one for one and a half characters. If the tenant switched to "ratio" with the preset "openai", that explains the overflow alone.
- tokens.overheadTokens is 0 by default. Tools and instructions that are sent beside the transcript are not in the count. With 30 tools that is easily 6000 to 10000 tokens.
- Decision: no change in the code; the tenant should set tokens.overheadTokens and stay with "heuristic", or install gpt-tokenizer and use "o200k", which is exact.
- To find out: ask the tenant for their config and for the provider's error text, with the reported token count.`,
		},
	],
};

const improveTheHint = {
	user: `They do use "ratio". I have told them. Now something small: people who come from the Rust version write "keep_recent" or "SummarizeOlder" under "use". Do they get a helpful hint? If not, make the hint better, but keep names strict: no aliases.`,
	steps: [
		{
			say: "Names are looked up in the registry; the hint comes from a helper.",
			calls: [search("didYouMean|closest\\("), read("src/core/text/closest.ts")],
		},
		{ calls: [read("src/registry/registry.ts", 150, 240), search("Did you mean", "test")] },
		{
			think:
				"distance is on lower-cased words. keep_recent vs keep-recent: 1, fine. summarizeolder vs summarize-older: 1, fine. SummarizeOlderStrategy: distance to summarize-older is 9, limit is max(2, 7) = 7: no hint. So only the long form fails.",
			say: "By the code, keep_recent and SummarizeOlder are one edit away from the right names, since case is ignored. A long form such as SummarizeOlderStrategy is not: it is nine edits away and the limit for its length is seven. A test will show it.",
			calls: [
				edit(
					"test/core/closest.test.ts",
					"",
					`import { describe, expect, test } from "vitest";
import { closest } from "../../src/core/text/closest.ts";

const NAMES = ["drop-reasoning", "keep-recent", "pipeline", "structured", "summarize-older"];

describe("the name that was most likely meant", () => {
	test.each([
		["keep_recent", "keep-recent"],
		["KeepRecent", "keep-recent"],
		["SummarizeOlder", "summarize-older"],
		["SummarizeOlderStrategy", "summarize-older"],
		["KeepRecentStrategy", "keep-recent"],
		["DropReasoningStrategy", "drop-reasoning"],
		["pipelin", "pipeline"],
	])("%s is taken for %s", (word, name) => {
		expect(closest(word, NAMES)).toBe(name);
	});

	test.each(["acme", "my-own-strategy", ""])("%s is taken for nothing", (word) => {
		expect(closest(word, NAMES)).toBeUndefined();
	});
});
`,
				),
				tests("test/core/closest.test.ts"),
			],
		},
		{
			say: "As expected: only the names with the suffix fail. A word that begins with a candidate, separators and case aside, should count as meant.",
			calls: [read("src/core/text/closest.ts", 18, 40), search("core/text/closest", "src")],
		},
		{
			calls: [
				edit(
					"src/core/text/closest.ts",
					`	let best: string | undefined;
	let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
	for (const candidate of candidates) {
		const found = distance(word.toLowerCase(), candidate.toLowerCase());`,
					`	let best: string | undefined;
	let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
	const bare = withoutSeparators(word);
	for (const candidate of candidates) {
		const isBeginning = candidate !== "" && bare.startsWith(withoutSeparators(candidate));
		const found = isBeginning ? 0 : distance(word.toLowerCase(), candidate.toLowerCase());`,
				),
				edit(
					"src/core/text/closest.ts",
					"/** The candidate that a mistyped word most likely meant",
					`/** A name as other spellings have it too: without case, hyphens and underscores. */
function withoutSeparators(name: string): string {
	return name.toLowerCase().replaceAll(/[-_]/g, "");
}

/** The candidate that a mistyped word most likely meant`,
				),
			],
		},
		{ calls: [tests("test/core/closest.test.ts"), tests("test/registry"), tests("test/config")] },
		{
			say: "Names of options go through the same helper, so a test of the config's errors matters too; they pass. Does the architecture test still hold?",
			calls: [tests("test/architecture.test.ts")],
		},
		{
			say: `The hint knows the Rust spellings now, and names stay strict.

- Before: "keep_recent" and "SummarizeOlder" had a hint already; "SummarizeOlderStrategy" and "KeepRecentStrategy" had none, because they are more than a third of their length away.
- src/core/text/closest.ts: a word that begins with a candidate, case and separators aside, counts as that candidate.
- test/core/closest.test.ts: seven spellings with a hint, three words without.
- Decision: no aliases; a wrong name is still PLUGIN_NOT_FOUND or CONFIG_INVALID, only the sentence is better.`,
		},
	],
};

const runTheChecks = {
	user: "Please run the type check over everything and the lint over what was touched, and correct what is ours.",
	steps: [
		{ calls: [script("check"), lint("test/plugins"), lint("src/core/text")] },
		{
			say: "The two findings of the type check are ours. My test writes an option where the type of a use names none, and the tests of all triggers make this one by hand, without the new option. Reading both places.",
			calls: [read(SPLIT_TEST, 26, 36), search("item_count", TRIGGERS_TEST), read(TRIGGERS_TEST, 1, 70)],
		},
		{
			calls: [
				edit(
					SPLIT_TEST,
					`		const step = await runStep({ use: "structured", preserveRecent, minMessages: 2 }, PARALLEL);`,
					`		const use = { use: "structured", preserveRecent, minMessages: 2 };
		const step = await runStep(use, PARALLEL);`,
				),
				edit(
					TRIGGERS_TEST,
					"{ max: item_count ?? 0 }, {",
					"{ max: item_count ?? 0, ignoreSystem: false }, {",
				),
			],
		},
		{
			say: "Factories get options with their defaults filled in, so a test that calls one must fill them in too.",
			calls: [tests(SPLIT_TEST), tests(TRIGGERS_TEST)],
		},
		{ calls: [script("check"), lint("test/plugins", true)] },
		{
			say: "The types hold. What did the formatter change, and does the rest of our files pass?",
			calls: [diff, lint("test/plugins"), lint("test/core/closest.test.ts", true)],
		},
		{
			calls: [script("codegen:check"), tests("test/plugins/strategies"), tests("test/core/closest.test.ts")],
		},
		{
			say: "The import law has a test of its own; my tests import from plugins and from core.",
			calls: [tests("test/architecture.test.ts"), search("Plugins import", "ARCHITECTURE.md")],
		},
		{
			say: `Both are clean now.

- The type check had two findings, both ours: test/plugins/strategies/structured-split.test.ts gave an option in place, and test/plugins/triggers/triggers.test.ts made the trigger without ignoreSystem. Corrected.
- The lint had layout only; it is corrected in our test files.
- codegen:check passes, so the generated files fit the schemas.
- Decision: ignoreSystem stays required in the resolved options; whoever calls a factory by hand has to fill in the defaults, as with every other option.`,
		},
	],
};

const writeTheDocs = {
	user: "Then the documentation. docs/config.md should say what the triggers are, with the new option and with what you told me about targets of any and all. Half a page, a table, nothing that the schemas say better. And the README must not promise anything that is not so.",
	steps: [
		{ calls: [read("docs/config.md"), read("README.md"), list("docs")] },
		{
			say: "Collecting the facts from the schemas, so that the table says what they say.",
			calls: [
				read("schemas/triggers/any.schema.json"),
				read("schemas/triggers/context-window.schema.json"),
				read("schemas/triggers/tokens.schema.json"),
				read("schemas/triggers/never.schema.json"),
			],
		},
		{
			say: "How are decisions written down here? The page on targets should point to one if it exists.",
			calls: [list("docs/decisions"), search("threshold", "docs")],
		},
		{
			calls: [
				read("docs/decisions/2026-12-01-composites-are-data.md"),
				read("docs/decisions/2026-12-01-targets.md"),
			],
		},
		{
			say: "There is no decision on targets, so the page states the rule itself.",
			calls: [
				edit(
					"docs/config.md",
					"## Where plugins come from",
					`## When

| trigger | fires |
|---|---|
| \`context-window\` | when the next request fills \`percent\` of the window (80) |
| \`tokens\` | above \`max\` tokens |
| \`messages\` | above \`max\` messages; with \`ignoreSystem\` the system messages at the head are not counted |
| \`turns\` | above \`max\` turns; a turn starts at a user's message |
| \`any\`, \`all\` | when one, or every one, of the triggers in \`of\` fires |
| \`never\` | never: only code and \`--force\` start a pass |

Without \`target\`, a pass aims at 0.7 of the smallest token threshold among all triggers named, also under \`all\`. With
two token limits under \`any\` the larger one never matters.

## Where plugins come from`,
				),
			],
		},
		{
			say: "Is what I wrote of turns and of never true?",
			calls: [
				read("plugins/triggers/turns.ts"),
				read("plugins/triggers/never.ts"),
				search("function turnsOf", "src"),
			],
		},
		{
			say: "turnsOf does not count inserted summaries as turns, which the table need not say. Checking the README's claims against the code: the budget, the two calls, the codes.",
			calls: [
				search("twoCalls|MAX_CALLS", "src/backend"),
				search("never exceeds", "."),
				read("src/errors/codes.ts"),
			],
		},
		{ calls: [read("docs/config.md", 36, 75), search("keepLast", "README.md")] },
		{
			say: "One more claim: last user message. The law last-user says it stays.",
			calls: [search("last-user|lastUserIndex", "src"), read("src/result/laws.ts", 1, 60)],
		},
		{
			say: `docs/config.md has a section "When" now: seven triggers in a table, and two sentences on the target.

- The README promises nothing that I found untrue: at most two model calls for each summary, never over budget, the last user message never touched (law "last-user" in src/result/laws.ts).
- Decision: the rule on targets stands in docs/config.md, not in a decision page, since it is documented behaviour and no change.
- Pending: docs/config.md repeats defaults that the schemas have; a script that prints the tables would keep them right.
- Open question: should "any" with several token limits be a warning of precis validate?`,
		},
	],
};

const lookAtFiles = {
	user: "No warning. Next topic: the host's log writer sometimes loses a line break, so two messages stand on one line of the JSONL file. Does reading such a file work, what happens to the bytes when we write it again, and what if the second half of the line is cut off?",
	steps: [
		{
			calls: [list("src/formats"), read("src/formats/read-transcript.ts"), read("src/formats/json-lines.ts")],
		},
		{ calls: [read("src/formats/json-spans.ts"), read("src/formats/json-fault.ts")] },
		{
			say: "Both halves are read. What do the tests say, and is a cut-off half among them?",
			calls: [search("glued|cut off", "test/formats"), tests("test/formats")],
		},
		{ calls: [read("test/formats/read-transcript.test.ts"), read("src/formats/transcript.ts")] },
		{
			say: "Two values on a line with the second cut off is not among the tests; the last line cut off is. I add the missing row to the table of errors.",
			calls: [search("a bad second value on a line", "test/formats")],
		},
		{ calls: [read("test/formats/read-transcript.test.ts", 150, 200)] },
		{
			calls: [
				edit(
					"test/formats/read-transcript.test.ts",
					`		["a text that is a number", "3", 1, 1,`,
					`		[
			"a cut off second value on a line",
			'{"role":"user","content":"a"}{"role":"user","content":"b\\n',
			1,
			57,
			"unfinished",
		],
		["a text that is a number", "3", 1, 1,`,
				),
				tests("test/formats/read-transcript.test.ts"),
			],
		},
		{
			say: `It works, and the new test pins the last case.

- src/formats/json-lines.ts: a line that is no JSON as a whole is split into the values that stand on it, strings with "}{" inside are no border, and every value becomes a message.
- Writing: each kept message is written as it stood, byte for byte, but on a line of its own; so the lost line break is repaired by the first compaction.
- A cut-off second half is TRANSCRIPT_INVALID with the line and the column where the text ends; nothing is dropped silently, and the command exits with 2.
- Decision: no tolerance for half messages, because a lost message could be the answer to a call.
- Pending on your side: the log writer should write a line and its end in one call.`,
		},
	],
};

const cutLongResults = {
	user: `Right, next: with { "use": "truncate-tool-results", "maxTokens": 400, "keep": "both" } in front of structured, one of our log tools gives results of 90000 characters without a single line break. Is what is left of them within 400 tokens, the marker included, and is the cut ever inside an emoji? Show me by a test rather than by reading.`,
	steps: [
		{
			say: "The strategy and the function that cuts.",
			calls: [
				read("plugins/strategies/truncate-tool-results.ts"),
				read("plugins/strategies/shorten-text.ts"),
			],
		},
		{
			say: "It measures and cuts in at most eight rounds. What else uses it, and what does a result look like after the cut?",
			calls: [
				search("shortenText|shortenMiddle"),
				read("plugins/strategies/tool-output.ts"),
				read("plugins/strategies/rewrite.ts"),
			],
		},
		{ calls: [read("schemas/strategies/truncate-tool-results.schema.json"), search("characters cut")] },
		{
			say: "A test with the report's figures: 90000 characters, no line break, emoji throughout, all three ends, and three counters of different tempers.",
			calls: [
				edit(
					"test/plugins/strategies/shorten-text.test.ts",
					"",
					`import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../plugins/counters/estimate-tokens.ts";
import { shortenText } from "../../../plugins/strategies/shorten-text.ts";

const LOG = "2026-11-30T23:59:59Z shelf=A1 boxes=14 📦 state=counted; ".repeat(1600);
const COUNTERS: readonly (readonly [string, (text: string) => number])[] = [
	["characters by four", (text) => text.length / 4],
	["the estimate", estimateTokens],
	["one token a character", (text) => text.length],
];

describe.each(COUNTERS)("a long result without line breaks, counted as %s", (_, count) => {
	test.each(["both", "head", "tail"] as const)("is within its budget, marker included, keeping %s", (keep) => {
		const shortened = shortenText(LOG, 400, keep, count);
		expect(LOG.length).toBeGreaterThan(90_000);
		expect(count(shortened)).toBeLessThanOrEqual(400);
		expect(shortened).toMatch(/\\[… \\d+ of \\d+ characters cut …\\]/);
	});

	test("is never cut inside of an emoji", () => {
		for (let budget = 60; budget < 120; budget += 1) {
			for (const keep of ["both", "head", "tail"] as const) {
				const shortened = shortenText("📦".repeat(5000), budget, keep, count);
				expect(Buffer.from(shortened).toString()).toBe(shortened);
			}
		}
	});
});
`,
				),
				tests("test/plugins/strategies/shorten-text.test.ts"),
			],
		},
		{
			say: "All hold. How near to the budget does it come? A result that is cut to a tenth of what it may have would be a loss too.",
			calls: [search("ROUNDS", "plugins"), read("plugins/strategies/shorten-text.ts", 30, 50)],
		},
		{
			calls: [
				edit(
					"test/plugins/strategies/shorten-text.test.ts",
					`	test("is never cut inside of an emoji", () => {`,
					`	test("uses most of its budget", () => {
		expect(count(shortenText(LOG, 400, "both", count))).toBeGreaterThan(200);
	});

	test("is never cut inside of an emoji", () => {`,
				),
				tests("test/plugins/strategies/shorten-text.test.ts"),
			],
		},
		{
			say: "And through the strategy itself, so that the pair stays whole: the property tests run it among the others.",
			calls: [search("truncate-tool-results", "test"), tests("test/plugins/strategies")],
		},
		{
			say: `Yes to the budget, no to the emoji, and both are tests now: test/plugins/strategies/shorten-text.test.ts.

- plugins/strategies/shorten-text.ts: at most eight rounds of measuring and cutting; the marker is measured with the rest, so 400 tokens are 400 tokens, with each of three counters.
- Cuts are moved off the middle of a surrogate pair, at both ends.
- It uses more than half of its budget on your log lines; the rest is the price of never measuring character by character.
- Decision: no change in the code. "keep": "tail" suits the log tool better, because its last lines say how it ended.
- Pending on your side: set "keep": "tail" for that tool; "tools" limits a step to named tools, so it can be a step of its own.`,
		},
	],
};

const explainThePlan = {
	user: "I will do that. Our dashboard shows what precis plan says, and yesterday it said 38 summarized while the pass then replaced 41. Can plan and compact differ, and where? Answer only.",
	steps: [
		{
			say: "Both verbs go through the same flow. Reading it from the top.",
			calls: [read("src/flow/compact.ts"), list("src/flow")],
		},
		{ calls: [read("src/flow/run-strategy.ts"), read("src/flow/summarize-slots.ts")] },
		{
			say: "A plan uses a stand-in for each summary. What does that change for a later step?",
			calls: [search("dryRun|standInTokens", "src"), read("src/flow/pass.ts")],
		},
		{
			say: "And how the result counts what was replaced.",
			calls: [
				read("src/result/assemble-result.ts"),
				search("replaced", "src/result"),
				read("src/result/compaction-result.ts"),
			],
		},
		{
			say: "One more suspect is an earlier summary, which is folded in.",
			calls: [search("previous", "src/core/edits"), read("src/core/edits/apply-edits.ts")],
		},
		{ calls: [tests("test/flow"), search("plan\\(", "test/flow")] },
		{
			say: `They can differ, in two ways, and neither is a fault.

- "summarized" of a plan lists the messages behind the new summary. "replaced" of a result counts every distinct input message that was removed or rewritten: dropped and shortened ones too. With truncate-tool-results in front, rewritten results are in "replaced" but not in "summarized".
- A plan has a stand-in of the full budget in place of each summary (src/flow/pass.ts, standInTokens). The real summary is smaller, so a pipeline with "until": "fits" may stop one step earlier than planned.
- The numbers to compare are "summarized" + "dropped" + "rewritten" of the plan with "replaced" of the result.
- Open question: does your dashboard show the plan's "rewritten" at all? If not, the three missing messages are shortened tool results.`,
		},
	],
};

const wrapUp = {
	user: "It does not show them, that explains it. Show me the whole change once more, run what you touched, and then list what is left, so that I can hand this over on Monday.",
	steps: [
		{ calls: [diff, tests("test/plugins/strategies")] },
		{
			calls: [
				tests(TRIGGER_TEST),
				tests("test/core/closest.test.ts"),
				tests("test/formats"),
				tests("test/registry"),
			],
		},
		{
			say: "One look at the new files as they stand, since the diff does not show them.",
			calls: [read(SPLIT_TEST), read(TRIGGER_TEST), read("test/core/closest.test.ts")],
		},
		{ calls: [script("codegen:check"), search("ignoreSystem")] },
		{
			say: `Everything that was touched passes. For Monday:

Done
- The splitter: findSafeCuts in plugins/strategies/structured.ts keeps the last index of each unit; test/plugins/strategies/structured-split.test.ts.
- The trigger messages takes ignoreSystem; schema, generated files, test/plugins/messages-trigger.test.ts, CHANGELOG.md.
- The hint for Rust spellings in src/core/text/closest.ts; test/core/closest.test.ts.
- docs/config.md, section "When"; a test for a cut-off second message on a line; tests of shortened results.

Left
- Check on Monday that the merge job runs test/plugins now.
- A script that prints the tables of docs/config.md from the schemas.
- Ask the Japanese tenant for the provider's error text, now that they have left "ratio".

Decided
- A strategy that breaks a law is refused, not retried. No aliases for names. The target follows the smallest threshold, as documented. No warning for "any" with several limits.`,
		},
	],
};

const confirm = {
	user: "Thank you. One last thing: the hand-over goes to someone who does not know the code. In which order should they read it?",
	steps: [
		{
			say: "Checking the sizes, so that the order is also one of effort.",
			calls: [list("src/flow"), list("src/core/transcript"), list("src/result")],
		},
		{ calls: [read("ARCHITECTURE.md"), search("^export function", "src/result")] },
		{
			say: `In this order, about 900 lines:

1. ARCHITECTURE.md, the flow and the import law.
2. src/flow/compact.ts, the whole pass on one screen.
3. src/core/transcript/units.ts and ties.ts: what belongs together.
4. plugins/strategies/structured.ts, with the fixed findSafeCuts, and select-older.ts.
5. src/result/laws.ts: what every output is held to.`,
		},
	],
};

export default {
	/** The project as it stood. */
	commit: "aedbb6cddaccc70373bfb5815ea1661b6eee452f",
	planted: [{ path: STRUCTURED, old: RIGHT, new: WRONG }],
	instructions:
		"You are a careful software engineer who works on précis, a TypeScript library that makes transcripts of LLM agents shorter. Read before you change anything, keep changes small, prove each by a test, and say what you decided and what is left open. Paths are relative to the project.",
	turns: [
		findTheFault,
		addTheOption,
		askAboutTargets,
		askAboutJapanese,
		improveTheHint,
		runTheChecks,
		writeTheDocs,
		lookAtFiles,
		cutLongResults,
		explainThePlan,
		wrapUp,
		confirm,
	],
};
