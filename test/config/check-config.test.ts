import { describe, expect, test } from "vitest";
import { checkConfig, configError } from "../../src/config/check-config.ts";
import { readJsonWithComments } from "../../src/config/read-config.ts";
import { usesOf } from "../../src/config/uses.ts";

async function check(
	text: string,
): Promise<{ readonly messages: readonly string[]; readonly config: unknown }> {
	const read = readJsonWithComments(text, "c.json");
	const { config, problems } = await checkConfig(read.value, {
		name: "c.json",
		pointer: "",
		locate: read.locate,
	});
	return { messages: [...read.problems, ...problems].map(({ message }) => message), config };
}

describe("a config file", () => {
	test("may hold comments, trailing commas and a byte order mark", async () => {
		const { messages } = await check(
			'\uFEFF{\r\n // why\r\n "strategy": { "use": "keep-recent", },\r\n}\r\n',
		);
		expect(messages).toEqual([]);
	});

	test("gets its defaults filled in", async () => {
		const { config } = await check('{"strategy":{"use":"keep-recent"}}');
		expect(config).toMatchObject({
			plugins: [],
			templates: {},
			tokens: { counter: "heuristic", overheadTokens: 0 },
			minProgress: 0.05,
		});
	});

	test("that is no JSON is refused with line and column", async () => {
		await expect(check('{\n  "strategy": {\n')).rejects.toThrow(/c\.json:\d+:\d+/);
	});

	test("with the same key twice is refused: the first would be silently lost", async () => {
		const { messages } = await check(
			'{\n"strategy":{"use":"keep-recent"},\n"strategy":{"use":"structured"}}',
		);
		expect(messages).toHaveLength(1);
		expect(messages[0]).toContain("c.json:3:1 /strategy");
	});

	test("config-01: an unknown key is named with the close match, its pointer, line and column", async () => {
		const { messages } = await check('{\n  "strategys": [{ "use": "keep-recent", "keepLast": 4 }]\n}');
		expect(messages).toContainEqual(
			expect.stringMatching(/^c\.json:2:3 \/strategys: .*"strategys".*Did you mean "strategy"\?/),
		);
	});

	test('config-03: "$schema" is allowed as text, and only as text', async () => {
		expect((await check('{"$schema":"./x.json","strategy":{"use":"keep-recent"}}')).messages).toEqual([]);
		expect((await check('{"$schema":5,"strategy":{"use":"keep-recent"}}')).messages[0]).toMatch(
			/\/\$schema: found 5; expected a string/,
		);
	});

	test("all mistakes are reported at once, in the order of the file", async () => {
		const { messages } = await check(
			'{\n "tokens": { "window": -1, "modle": "x" },\n "trigger": {},\n "strategy": { "use": "keep-recent" },\n "minProgress": 2\n}',
		);
		expect(messages).toHaveLength(4);
		expect(messages.map((message) => message.split(" ").slice(0, 2).join(" "))).toEqual([
			"c.json:2:24 /tokens/window:",
			"c.json:2:28 /tokens/modle:",
			"c.json:3:13 /trigger:",
			"c.json:5:17 /minProgress:",
		]);
		expect(messages[0]).toContain("found -1; expected at least 1");
	});

	test("where several forms are allowed, the error is about the form that was meant", async () => {
		expect((await check('{"strategy":{"use":"keep-recent"},"target":{"percnt":50}}')).messages[0]).toMatch(
			/percnt|percent/,
		);
		expect((await check('{"strategy":[{"use":"keep-recent"},{"uze":"x"}]}')).messages).toEqual([
			expect.stringMatching(/\/strategy\/1: found no "use"/),
		]);
		expect((await check('{"strategy":7}')).messages).toEqual([
			expect.stringMatching(/\/strategy: found 7; expected/),
		]);
	});

	test("prototype-keys-01: keys of the prototype are unknown keys and pollute nothing", async () => {
		const { messages, config } = await check(
			'{"strategy":{"use":"keep-recent","keepLast":4},"__proto__":{"dropReasoning":true},"constructor":{"prototype":{"polluted":1}}}',
		);
		expect(messages).toEqual([expect.stringContaining("__proto__"), expect.stringContaining("constructor")]);
		expect(({} as { dropReasoning?: unknown }).dropReasoning).toBeUndefined();
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		expect((Object.getPrototypeOf(config) as { dropReasoning?: unknown }).dropReasoning).toBeUndefined();
	});

	test("config-08: a hostile value is refused quickly, and as unknown keys", async () => {
		const { messages } = await check(
			JSON.stringify({ strategy: { use: "keep-recent" }, pattern: "^(a+)+$", value: "a".repeat(40) }),
		);
		expect(messages).toHaveLength(2);
	});

	test("config-05: zero is a meaningful number", async () => {
		expect((await check('{"strategy":{"use":"keep-recent"},"minProgress":0}')).messages).toEqual([]);
	});

	test("one error lists every problem on a line of its own", async () => {
		const read = readJsonWithComments('{"a":1,"b":2}', "c.json");
		const { problems } = await checkConfig(read.value, { name: "c.json", pointer: "", locate: read.locate });
		const error = configError('"c.json"', problems);
		expect(error.code).toBe("CONFIG_INVALID");
		expect(error.message.split("\n")).toHaveLength(4);
		expect(error.problems.map(({ pointer }) => pointer)).toContain("/a");
	});
});

describe("the uses of a config", () => {
	test("are found in every place, nested ones included, with their pointers", async () => {
		const found = usesOf({
			strategy: [{ use: "pipeline", steps: [{ use: "a" }, { use: "fallback", steps: [{ use: "b" }] }] }],
			backend: [{ use: "x" }, { use: "y" }],
			trigger: { use: "any", of: [{ use: "messages", max: 1 }] },
			tokens: { counter: "heuristic" },
		});
		expect(found.map(({ kind, pointer, use }) => `${kind} ${pointer} ${use.use}`)).toEqual([
			"strategy /strategy/0 pipeline",
			"strategy /strategy/0/steps/0 a",
			"strategy /strategy/0/steps/1 fallback",
			"strategy /strategy/0/steps/1/steps/0 b",
			"backend /backend/0 x",
			"backend /backend/1 y",
			"trigger /trigger any",
			"trigger /trigger/of/0 messages",
			"counter /tokens/counter heuristic",
		]);
	});
});

describe("a config of a stranger", () => {
	test("with thousands of problems gets a message of a few lines, and all of them in its list", () => {
		const problems = Array.from({ length: 5000 }, (_, index) => ({
			message: `c.json ${index}`,
			pointer: `/${index}`,
		}));
		const error = configError('"c.json"', problems);
		expect(error.problems).toHaveLength(5000);
		expect(error.message.split("\n")).toHaveLength(22);
		expect(error.message).toContain("5000 problems");
		expect(error.message.split("\n").at(-1)).toBe("  … and 4980 more");
	});

	test("is refused where it is nested as deep as no config is", async () => {
		const nested = (depth: number): string => `{"strategy":${"[".repeat(depth)}${"]".repeat(depth)}}`;
		await expect(check(nested(101))).rejects.toThrow("it is nested more than 100 deep");
		await expect(check(nested(200_000))).rejects.toThrow("it is nested too deeply");
	});

	test("with a number that is too large is told so", async () => {
		const { messages } = await check('{"strategy":{"use":"keep-recent"},"minProgress":1e999}');
		expect(messages).toHaveLength(1);
		expect(messages[0]).toContain("/minProgress: found Infinity;");
	});
});

describe("a config made in code", () => {
	const checkValue = async (value: unknown): Promise<readonly string[]> =>
		(await checkConfig(value, { name: "the config", pointer: "" })).problems.map(({ message }) => message);

	test("may hold what has a toJSON, and undefined", async () => {
		const strategy = { toJSON: () => ({ use: "keep-recent", keepLast: 2 }) };
		expect(await checkValue({ strategy, target: undefined })).toEqual([]);
	});

	test.each([
		["function", () => undefined],
		["bigint", 5n],
		["symbol", Symbol("a")],
	])("with a %s is refused: as JSON it would be left out in silence", async (type, value) => {
		expect(
			await checkValue({ strategy: { use: "keep-recent" }, backend: { use: "acme", "a/b": [value] } }),
		).toEqual([`the config /backend/a~1b/0: found a ${type}; expected something that JSON can hold.`]);
	});

	test("that contains itself is refused", async () => {
		const strategy: Record<string, unknown> = { use: "keep-recent" };
		strategy.self = strategy;
		await expect(checkValue({ strategy })).rejects.toThrow("nested more than 100 deep");
	});
});
