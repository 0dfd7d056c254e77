import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonFault } from "../../src/formats/json-fault.ts";

const runs = { numRuns: Number(process.env.PRECIS_RUNS ?? 300) };

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

describe("the first fault of a JSON text", () => {
	test.each([
		['[{"a":1},]', 9, 'found "]"; expected a value.'],
		['{"a" 1}', 5, 'found "1"; expected ":".'],
		["{a:1}", 1, 'found "a"; expected a key or "}".'],
		["[1 2]", 3, 'found "2"; expected "," or "]".'],
		['["\\x"]', 2, "found the unknown escape"],
		['["a\nb"]', 3, "found a line break or control character"],
		["[1] 2", 4, 'found "2"; expected the end.'],
		["[01]", 2, 'found "1"; expected "," or "]".'],
		["[😀]", 1, 'found "😀"; expected a value or "]".'],
		['{"a":tru', 8, "unfinished"],
		['{"a":"x\\u00', 11, "unfinished"],
		['[{"a":1},', 9, "unfinished"],
		['[{"a":"b', 8, "unfinished"],
	])("%s is explained at offset %i", (text, offset, what) => {
		const fault = findJsonFault(text);
		expect(fault?.offset).toBe(offset);
		expect(fault?.what).toContain(what);
	});

	test("any JSON has none, however it is laid out", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom(undefined, "\t", "  "), (value, indent) => {
				expect(findJsonFault(JSON.stringify(value, null, indent))).toBeUndefined();
			}),
			runs,
		);
	});

	test("a JSON text with one character removed, added or changed has one exactly when the parser refuses it", () => {
		fc.assert(
			fc.property(
				fc.jsonValue(),
				fc.nat(),
				fc.constantFrom("", ",", "]", "}", '"', "\\", "0", "-", "e", ".", "t", " ", "\u0001"),
				fc.nat(1),
				(value, at, insert, remove) => {
					const text = JSON.stringify(value);
					const start = at % (text.length + 1);
					const changed = text.slice(0, start) + insert + text.slice(start + remove);
					expect(findJsonFault(changed) === undefined).toBe(isJson(changed));
				},
			),
			runs,
		);
	});

	test("a text cut anywhere is said to be unfinished", () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ role: fc.string(), content: fc.jsonValue() }), { minLength: 1 }),
				fc.nat(),
				(value, at) => {
					const text = JSON.stringify(value);
					const cut = text.slice(0, at % text.length);
					expect(findJsonFault(cut)?.what).toContain("unfinished");
				},
			),
			runs,
		);
	});

	test("nesting of any depth is read without recursion", () => {
		expect(findJsonFault("[".repeat(1_000_000))?.offset).toBe(1_000_000);
		expect(findJsonFault(`${"[".repeat(300_000)}${"]".repeat(300_000)}`)).toBeUndefined();
	});
});
