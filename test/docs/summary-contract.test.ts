import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as precis from "../../src/index.ts";

const FILE = new URL("../../docs/summary-contract.md", import.meta.url);

/** The examples of the page, each with the line that it starts at. */
function examples(): { readonly line: number; readonly code: string }[] {
	const text = readFileSync(FILE, "utf8");
	return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => ({
		line: text.slice(0, match.index).split("\n").length,
		code: match[1] ?? "",
	}));
}

/** Runs an example with its imports handed in, so that it sees the sources and not a build. */
function run(code: string): void {
	const names = [...code.matchAll(/^import \{ (.*) \} from "precis";$/gm)].flatMap((match) =>
		(match[1] ?? "").split(", "),
	);
	const known = new Map<string, unknown>(Object.entries(precis));
	for (const name of names) expect(known.has(name), `"precis" exports ${name}`).toBe(true);
	const body = code.replace(/^import .*$/gm, "");
	new Function("assert", ...names, body)(assert, ...names.map((name) => known.get(name)));
}

describe("docs/summary-contract.md", () => {
	it("has an example for each of its parts", () => {
		expect(examples()).toHaveLength(5);
	});

	for (const { line, code } of examples())
		it(`is true at line ${line}`, () => {
			expect(code).toContain("assert");
			run(code);
		});
});
