import { describe, expect, test } from "vitest";
import type { Kind } from "../../src/core/transcript/message.ts";
import type { Config } from "../../src/generated/types.ts";
import {
	dropFailedToolResults,
	dropReasoning,
	keepRecent,
	summarizeOlder,
} from "../../src/strategy/fluent.ts";
import { isEqual } from "../../src/strategy/strategy-config.ts";
import cases from "../cases/seeds.json" with { type: "json" };

interface Written {
	readonly keep_last?: number;
	readonly preserve?: readonly Kind[];
}

interface Case {
	readonly id: string;
	readonly given: Written & { readonly parse?: string; readonly equal?: readonly Written[] };
	readonly expect: {
		readonly json?: string;
		readonly ok?: Written;
		readonly error?: string;
		readonly equal?: boolean;
	};
	readonly prefer?: { readonly ok?: Written };
}

const given = (id: string): Case => {
	const found = (cases as unknown as readonly Case[]).find((one) => one.id === id);
	if (found === undefined) throw new Error(`there is no case "${id}"`);
	return found;
};

function build({ keep_last: keepLast = 0, preserve = [] }: Written): ReturnType<typeof summarizeOlder> {
	return preserve.reduce((config, kind) => config.preserveKind(kind), summarizeOlder(keepLast));
}

describe("a config made in code", () => {
	test.each([
		["serialize-001", '{"use":"summarize-older","keepLast":8,"preserveKinds":["system"]}'],
		["serialize-002", '{"use":"summarize-older","keepLast":0,"preserveKinds":[]}'],
		[
			"serialize-003",
			'{"use":"summarize-older","keepLast":3,"preserveKinds":["system","user","context","notification"]}',
		],
	])("%s: is written in our own form, kinds in order and each once", (id, json) => {
		const config = build(given(id).given);
		expect(JSON.stringify(config)).toBe(json);
		// The seed's own form is read as the same.
		expect(isEqual(summarizeOlder.fromJSON(given(id).expect.json), config)).toBe(true);
	});

	test.each(["serialize-004", "serialize-008"])("%s: reads kinds in any case, order and number", (id) => {
		const { given: written, expect: expected, prefer } = given(id);
		const wanted = prefer?.ok ?? expected.ok;
		if (wanted === undefined) throw new Error("the case expects nothing");
		expect(isEqual(summarizeOlder.fromJSON(written.parse), build(wanted))).toBe(true);
	});

	test("serialize-007: is refused out of range, naming the option", () => {
		expect(() => summarizeOlder.fromJSON(given("serialize-007").given.parse)).toThrowError(
			expect.objectContaining({
				code: "CONFIG_INVALID",
				message: expect.stringContaining('"keepLast" is -1'),
			}),
		);
		expect(() => summarizeOlder(1.5)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
	});

	test.each(["serialize-009", "serialize-010"])("%s: is compared by number and set of kinds", (id) => {
		const { given: written, expect: expected } = given(id);
		const [left, right] = (written.equal ?? []).map(build);
		expect(isEqual(left, right)).toBe(expected.equal);
	});

	test("serialize-011: is never changed, only made anew", () => {
		const config = summarizeOlder(3);
		const more = config.preserveKind("user");
		expect(config.preserveKinds).toEqual([]);
		expect(more.preserveKinds).toEqual(["user"]);
		expect(Object.isFrozen(more) && Object.isFrozen(more.preserveKinds)).toBe(true);
	});

	test("reads back what it wrote, options of all sorts", () => {
		const config = summarizeOlder(4, { template: "action-only", summaryTokens: { max: 900 } }).preserveKind(
			"tool",
		);
		const back = summarizeOlder.fromJSON(JSON.stringify(config));
		expect(isEqual(back, config)).toBe(true);
		expect(back).toEqual(config);
		expect(isEqual(config, config.with({ keepTokens: 10 }))).toBe(false);
	});

	test.each([
		["an unknown option", '{"keepLst":3}', 'did you mean "keepLast"?'],
		["another strategy's", '{"use":"keep-recent"}', "keep-recent"],
		["a missing field of the Rust form", '{"preserve_kinds":[]}', "keep_last"],
		["a kind that is none", '{"keep_last":1,"preserve_kinds":["Robot"]}', "Robot"],
		["a list", "[8,[]]", "object"],
		["no JSON", "{", "JSON"],
	])("is not read from %s", (_, json, found) => {
		expect(() => summarizeOlder.fromJSON(json)).toThrowError(
			expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(found) }),
		);
	});

	test("passes over what the Rust form does not know", () => {
		expect(isEqual(keepRecent.fromJSON('{"keep_last":2,"since":"0.4"}'), keepRecent(2))).toBe(true);
	});

	test("reads the Rust forms of the others", () => {
		expect(dropReasoning.fromJSON({ drop_empty_items: false }).dropEmptyMessages).toBe(false);
		expect(JSON.stringify(dropFailedToolResults())).toBe(
			'{"use":"drop-failed-tool-results","dropEmptyMessages":true}',
		);
		expect(() => dropReasoning.fromJSON({ drop_empty_items: 1 })).toThrowError("true or false");
	});

	test("can stand wherever a config has a strategy", () => {
		const config: Config = { strategy: [dropReasoning(), summarizeOlder(8).preserveKind("system")] };
		expect(JSON.parse(JSON.stringify(config))).toEqual({
			strategy: [
				{ use: "drop-reasoning", dropEmptyMessages: true },
				{ use: "summarize-older", keepLast: 8, preserveKinds: ["system"] },
			],
		});
	});
});
