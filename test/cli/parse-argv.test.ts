import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CliError } from "../../src/cli/cli-error.ts";
import { parseArgv } from "../../src/cli/parse-argv.ts";

describe("a command line", () => {
	test.each([
		[["compact", "s.jsonl"], ["s.jsonl"], {}],
		[["compact", "s.jsonl", "--force", "--keep-last", "4"], ["s.jsonl"], { force: true, keepLast: 4 }],
		[["--quiet", "compact", "-o", "o.jsonl", "s.jsonl"], ["s.jsonl"], { quiet: true, output: "o.jsonl" }],
		[["--config", "plan", "compact", "s.jsonl"], ["s.jsonl"], { config: "plan" }],
		[["compact", "-", "--output=a=b.jsonl"], ["-"], { output: "a=b.jsonl" }],
		[["compact", "--", "--force"], ["--force"], {}],
		[["compact", "--output", "-", "--no-color"], [], { output: "-", color: false }],
		[["compact", "--no-plugins"], [], { plugins: false }],
		[["compact", "compact"], ["compact"], {}],
	])("%j", (argv, words, flags) => {
		expect(parseArgv(argv)).toMatchObject({
			isHelp: false,
			words,
			flags: { plugins: true, color: true, ...flags },
		});
		expect(Object.keys(parseArgv(argv).flags).sort()).toEqual(
			Object.keys({ plugins: 1, color: 1, ...flags }).sort(),
		);
	});

	test("--help after a verb wins over everything else", () => {
		expect(parseArgv(["trim", "a", "b", "--help"])).toMatchObject({ verb: { name: "trim" }, isHelp: true });
	});

	test("a flag with two values is refused, since one of them would be ignored", () => {
		expect(() => parseArgv(["compact", "--archive", "a.jsonl", "--archive=b.jsonl"])).toThrow(
			'"--archive" is there twice',
		);
	});

	test("is read, or refused by one sentence that names the way out", () => {
		const word = fc.constantFrom(
			"compact",
			"trim",
			"new",
			"-",
			"--",
			"--force",
			"--budget",
			"--budget=3",
			"-o",
			"7",
			"--no-x",
			"--json=1",
			"x",
		);
		fc.assert(
			fc.property(fc.array(word, { maxLength: 7 }), (argv) => {
				try {
					expect(typeof parseArgv(argv).verb.name).toBe("string");
				} catch (error) {
					if (!(error instanceof CliError)) throw error;
					expect(error.exitCode).toBe(2);
					expect(error.message).toMatch(/^Cannot understand the command line: .+ Run "precis .*--help"\.$/);
				}
			}),
			{ numRuns: Number(process.env.PRECIS_RUNS ?? 300) },
		);
	});
});
