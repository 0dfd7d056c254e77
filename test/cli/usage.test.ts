import { existsSync } from "node:fs";
import { link, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VERBS } from "../../src/cli/verb-list.ts";
import reports from "../cases/reports.json" with { type: "json" };
import { folderWith, KEEP_RECENT, lines, precis, precisProcess, shell, talk } from "./command.ts";

describe("help", () => {
	test("--help, -h and help print every verb to standard output", async () => {
		const cwd = await folderWith();
		for (const word of ["--help", "-h", "help"]) {
			const { code, stdout, stderr } = await precis([word], { cwd });
			expect(code).toBe(0);
			expect(stderr).toBe("");
			for (const { name } of VERBS) expect(stdout).toContain(`  ${name} `);
		}
	});

	test("with no verb the help is wrong usage, on standard error", async () => {
		const { code, stdout, stderr } = await precis([], { cwd: await folderWith() });
		expect(code).toBe(2);
		expect(stdout).toBe("");
		expect(stderr).toContain("Usage: precis VERB");
	});

	test.each(VERBS.map(({ name }) => name))("%s --help names its flags and the common ones", async (name) => {
		const { code, stdout } = await precis([name, "--help"], { cwd: await folderWith() });
		expect(code).toBe(0);
		expect(stdout).toContain(`Usage: precis ${name}`);
		expect(stdout).toContain("--no-plugins");
	});

	test("--version prints the package's", async () => {
		const { code, stdout } = await precis(["--version"], { cwd: await folderWith() });
		expect(code).toBe(0);
		expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
	});
});

describe("wrong usage is exit code 2 and one sentence", () => {
	test.each([
		[["compcat", "s.jsonl"], 'there is no verb "compcat". Did you mean "compact"?'],
		[["compact", "--forse", "s.jsonl"], 'there is no flag "--forse". Did you mean "--force"?'],
		[["compact", "s.jsonl", "t.jsonl"], 'found "t.jsonl", one word too many'],
		[["compact", "s.jsonl", "--keep-last", "many"], "expected a whole number of at least 0"],
		[["compact", "s.jsonl", "--keep-last", "-1"], "expected a whole number of at least 0"],
		[["compact", "s.jsonl", "--output"], 'the flag "--output" lacks its value FILE'],
		[["trim", "s.md"], 'it lacks "--budget N"'],
		[["trim", "s.md", "--budget", "0"], "expected a whole number of at least 1"],
		[["compact", "-", "--in-place"], "Cannot write standard input in place"],
		[["compact", "s.jsonl", "--in-place", "--output", "o"], 'Cannot write both in place and to "o"'],
		[["compact", "s.jsonl", "--archive", "./s.jsonl"], "the transcript itself is there"],
		[["compact", "s.jsonl", "--output", "o", "--archive", "o"], "the transcript itself is there"],
		[["compact", "s.jsonl", "--output", "."], 'Cannot write ".": it is a folder.'],
		[["compact", "s.jsonl", "--output", "none/o.jsonl"], "make it first"],
		[["compact", "."], 'Cannot read ".": it is a folder.'],
		[["compact", "s.jsonl", "--config", "."], 'Cannot read the config ".": it is a folder'],
		[["validate", "a.json", "--config", "b.json"], "name one config"],
		[["validate"], 'Cannot find "precis.config.json"'],
	])("%j", async (argv, what) => {
		const cwd = await folderWith({
			"s.jsonl": '{"role":"user","content":"a"}\n',
			"s.md": "### Decisions\n- a",
		});
		const { code, stdout, stderr } = await precis(argv, { cwd });
		expect(stderr).toContain(what);
		expect(stderr).toMatch(/^precis: Cannot /);
		expect(stderr).not.toMatch(/\n\s+at /);
		expect(stdout).toBe("");
		expect(code).toBe(2);
	});

	test("a FILE that is left out is standard input, which must be no terminal", async () => {
		const terminal = Object.assign((async function* () {})(), { isTTY: true });
		const { code, stderr } = await precis(["parse"], { cwd: await folderWith(), stdin: terminal });
		expect(code).toBe(2);
		expect(stderr).toContain("name a FILE");
	});

	test("config-07: every bad input has a non-zero exit code, an error that names it, and no output", async () => {
		const { input } = reports.find(({ id }) => id === "config-07") as unknown as {
			input: { argvVariants: string[][]; configVariants: { strategy: { type: string } }[] };
		};
		const cwd = await folderWith({ "s.jsonl": '{"role":"user","content":"a"}\n', "ok.json": KEEP_RECENT });
		const [wrong] = input.configVariants;
		const use = wrong?.strategy.type ?? "";
		const bad = await folderWith({ "c.json": JSON.stringify({ strategy: { use } }) });
		const runs: [string[], string][] = [
			[["compact", "s.jsonl", "--config", `${bad}/c.json`], `"${use}"`],
			...input.argvVariants.map((argv): [string[], string] => [
				["compact", ...(argv[0]?.startsWith("-") === true ? ["s.jsonl"] : []), ...argv],
				argv.at(-1) ?? "",
			]),
		];
		expect(runs).toHaveLength(4);
		for (const [argv, named] of runs) {
			const { code, stdout, stderr } = await precis(argv, { cwd });
			expect(code, argv.join(" ")).toBe(2);
			expect(stderr).toContain(named);
			expect(stdout).toBe("");
		}
	});
});

describe("a failure with --json", () => {
	const cwd = folderWith({
		"s.jsonl": lines(talk(20)),
		"wrong.json": '{\n\t"strategy": { "use": "keep-recent", "keepLst": 2 }\n}\n',
		"none.json": JSON.stringify({ strategy: { use: "summarize-older" }, backend: null }),
	});
	const run = async (...argv: string[]): Promise<{ code: number; read: unknown; stderr: string }> => {
		const { code, stdout, stderr } = await precis([...argv, "--json"], { cwd: await cwd });
		return { code, read: JSON.parse(stdout), stderr };
	};

	test("is read with its code, and with the place of each problem", async () => {
		const { code, read, stderr } = await run("compact", "s.jsonl", "--config", "wrong.json", "--force");
		expect(code).toBe(2);
		expect(stderr).toMatch(/^precis: Cannot use "wrong.json"/);
		expect(read).toMatchObject({
			version: 1,
			status: "failed",
			code: "CONFIG_INVALID",
			problems: [{ pointer: "/strategy/keepLst", line: 2, column: 38 }],
		});
	});

	test("of a pass has that one's code", async () => {
		const { code, read } = await run("compact", "s.jsonl", "--config", "none.json", "--force");
		expect({ code, read }).toMatchObject({ code: 2, read: { status: "failed", code: "MISSING_BACKEND" } });
	});

	test("of the command itself has none, and says what is wrong", async () => {
		const { code, read } = await run("plan", "missing.jsonl");
		expect({ code, read }).toEqual({
			code: 2,
			read: {
				version: 1,
				status: "failed",
				code: null,
				message: 'Cannot read "missing.jsonl": there is no such file.',
				problems: [],
			},
		});
	});

	test("of validate says that the config is not valid", async () => {
		const { code, read } = await run("validate", "wrong.json");
		expect({ code, read }).toMatchObject({ code: 2, read: { valid: false, code: "CONFIG_INVALID" } });
		expect(read).not.toHaveProperty("status");
	});
});

describe("a file that compact would write over", () => {
	test.each([
		["--output", "precis.config.json"],
		["--archive", "precis.config.json"],
		["--archive", "link.json"],
		["--archive", "hard.jsonl"],
		["--output", "dir/../precis.config.json"],
	])("%s %s is refused where it is the config or the transcript", async (flag, name) => {
		const cwd = await folderWith({
			"s.jsonl": lines(talk(20)),
			"precis.config.json": KEEP_RECENT,
			"dir/x": "",
		});
		await symlink("precis.config.json", join(cwd, "link.json"));
		await link(join(cwd, "s.jsonl"), join(cwd, "hard.jsonl"));
		const before = await readFile(join(cwd, "s.jsonl"), "utf8");
		const { code, stderr } = await precis(["compact", "s.jsonl", "--force", flag, name], { cwd });
		expect(stderr).toMatch(
			/^precis: Cannot (?:write|archive to) ".*": the (?:config is|transcript itself is) there\./,
		);
		expect(code).toBe(2);
		expect(await readFile(join(cwd, "precis.config.json"), "utf8")).toBe(KEEP_RECENT);
		expect(await readFile(join(cwd, "s.jsonl"), "utf8")).toBe(before);
	});
});

describe("the real process", () => {
	test("gives the exit code, writes to both streams, and shows no stack trace", async () => {
		const cwd = await folderWith();
		const help = await precisProcess(["--help"], cwd);
		expect(help).toMatchObject({ code: 0, stderr: "" });
		expect(help.stdout).toContain("Usage: precis");
		const missing = await precisProcess(["compact", "missing.json"], cwd);
		expect(missing).toEqual({
			code: 2,
			stdout: "",
			stderr: 'precis: Cannot read "missing.json": there is no such file.\n',
		});
	});
});

describe.skipIf(process.platform === "win32")("standard output", () => {
	test("that nobody reads any more is no error", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(talk(2000)) });
		const { code, stdout, stderr } = await shell(
			'set -o pipefail; "$PRECIS" compact s.jsonl --quiet | head -c 10; echo " $?"',
			cwd,
		);
		expect(stderr).toBe("");
		expect(stdout).toBe('{"role":"u 0\n');
		expect(code).toBe(0);
	});

	test.skipIf(!existsSync("/dev/full"))("that is full is exit code 1 and one message", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(talk(2)) });
		const { code, stderr } = await shell('"$PRECIS" compact s.jsonl --quiet > /dev/full', cwd);
		expect(stderr).toBe("precis: Cannot write to standard output: no space is left on the device.\n");
		expect(code).toBe(1);
	});
});

test("a user who interrupts the real process gets exit code 130 at once, and nothing is written", async () => {
	const cwd = await folderWith();
	const { code, stdout, stderr } = await shell(
		// More than a pipe holds: once it is written, the command is reading.
		'mkfifo in; "$PRECIS" compact - --output o.jsonl < in & pid=$!; { head -c 300000 /dev/zero; kill -INT $pid; exec sleep 20; } > in 2> none & writer=$!; wait $pid; status=$?; kill $writer; rm none; ls; exit $status',
		cwd,
	);
	expect(code).toBe(130);
	expect(stderr).toContain("precis: Interrupted; nothing was written.");
	expect(stdout).toBe("in\n");
});
