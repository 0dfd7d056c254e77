import { describe, expect, test } from "vitest";
import { readIdentifiers } from "../../../src/core/ledger/identifiers.ts";
import { scanTokens } from "../../../src/core/ledger/scan-tokens.ts";

function identifiersIn(text: string): readonly string[] {
	const found: string[] = [];
	scanTokens(text, (token, classes) => {
		for (const { kind, text: name } of readIdentifiers(token, classes)) found.push(`${kind} ${name}`);
	});
	return found;
}

describe("what is an identifier", () => {
	test.each([
		["a path with folders", "Look at `src/core/a.ts`.", ["path src/core/a.ts"]],
		["a path with line and column", "src/core/a.ts:12:5 - broken", ["path src/core/a.ts"]],
		["a relative path", "open ./a/b.py, then ../c/d.py", ["path ./a/b.py", "path ../c/d.py"]],
		["a Windows path", 'in "C:\\Users\\me\\notes.txt"', ["path C:\\Users\\me\\notes.txt"]],
		["a file name alone", "README.md and .env", ["path README.md", "path .env"]],
		["a URL without the full stop after it", "See https://e.test/a?b=1.", ["url https://e.test/a?b=1"]],
		["a symbol in camel case", "call parseSummary(text)", ["symbol parseSummary"]],
		["a method by its own name", "cfg.GetDebugDir()", ["symbol GetDebugDir"]],
		["a symbol in snake case", "max_retries", ["symbol max_retries"]],
		["a flag", "run it with --dry-run", ["symbol --dry-run"]],
		[
			"a scoped package with its version",
			"@acme/tools, react@19.1.0",
			["symbol @acme/tools", "version react@19.1.0"],
		],
		["a commit and an issue", "fixed in 3f2a9bc, see #142", ["id 3f2a9bc", "id #142"]],
		["an id with its number", "user mia_li_3668, booking ZFA04Y", ["id mia_li_3668", "id ZFA04Y"]],
		["versions", "v1.2.3 and 20.19.4", ["version v1.2.3", "version 20.19.4"]],
		[
			"errors by name and by code",
			"TypeError, TS2345, ENOENT",
			["error TypeError", "error TS2345", "error ENOENT"],
		],
		["a number with its name", "timeout=30s", ["number timeout=30s"]],
		["a host with its port", "listens on localhost:4317", ["number localhost:4317"]],
		["a date", "on 2024-05-20", ["number 2024-05-20"]],
		["names inside text without spaces", "请修改src/a.ts文件", ["path src/a.ts"]],
		[
			"names inside quoted JSON with escapes",
			'{\\"file\\":\\"src/a.ts\\",\\n\\"retry_count\\":3}',
			["path src/a.ts", "symbol retry_count"],
		],
	])("%s", (_, text, expected) => {
		expect(identifiersIn(text)).toEqual(expected);
	});

	test.each([
		["plain words", "The quick brown fox jumps."],
		["plain words of other scripts", "Überprüfen größere Dateien, 请检查文件。"],
		["a short form", "e.g. this, i.e. that"],
		["a time span in words", "It takes 3 s or 12."],
		["an address with a password", "postgres://app:hunter2@db/x"],
		["an issued key", "sk-proj-abcdefghijklmnop1234"],
	])("%s hold none", (_, text) => {
		expect(identifiersIn(text)).toEqual([]);
	});
});
