import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonWithComments } from "../../src/config/read-config.ts";

describe("reading a config's text", () => {
	it("gives the same value with comments and without", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const text = JSON.stringify(value);
				const plain = readJsonWithComments(text, "c.json");
				const commented = readJsonWithComments(`// first\n${text} /* last */`, "c.json");
				expect(plain.value).toEqual(JSON.parse(text));
				expect(commented.value).toEqual(plain.value);
				expect(plain.problems).toEqual([]);
			}),
		);
	});

	it("names a key that stands twice, whatever the strings around it hold", () => {
		const text = '{ "a:b\\":": "x: \\" { y:", "k": [{ "k": 1, "k": 2 }] }';
		expect(readJsonWithComments(text, "c.json").problems).toEqual([
			{
				message: 'c.json:1:43 /k/0/k: found "k" a second time; expected each key once',
				pointer: "/k/0/k",
				line: 1,
				column: 43,
			},
		]);
	});

	it("knows the places of a text without comments", () => {
		const { locate } = readJsonWithComments('{\n  "trigger": { "use": "never" }\n}', "c.json");
		expect(locate("/trigger/use")).toEqual({ line: 2, column: 23 });
		expect(locate("/trigger", "use")).toEqual({ line: 2, column: 16 });
	});

	it('keeps "__proto__" a key like any other', () => {
		for (const text of ['{ "__proto__": { "a": 1 } }', '{ "__proto__": { "a": 1 } } // so']) {
			const { value } = readJsonWithComments(text, "c.json");
			expect(Object.keys(value as object)).toEqual(["__proto__"]);
			expect(({} as { a?: number }).a).toBeUndefined();
		}
	});
});
