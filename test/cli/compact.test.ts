import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadValidator } from "../../src/generated/validators.ts";
import reports from "../cases/reports.json" with { type: "json" };
import { folderWith, KEEP_RECENT, lines, precis, precisProcess, talk } from "./command.ts";

const messages = talk(5);
const input = lines(messages);
const lastTwo = lines(messages.slice(-2));

describe("compact", () => {
	test("writes the shorter transcript to standard output, in the input's shape, and says on standard error what it did", async () => {
		const cwd = await folderWith({ "s.jsonl": input, "precis.config.json": KEEP_RECENT });
		const { code, stdout, stderr } = await precis(["compact", "s.jsonl"], { cwd });
		expect(code).toBe(0);
		expect(stdout).toBe(lastTwo);
		expect(stderr).toContain("compacted s.jsonl");
		expect(stderr).toMatch(/messages\s+10 → 2/);
		expect(stderr).toMatch(/tokens\s+[\d,]+ → [\d,]+/);
		expect(stderr).toMatch(/evicted\s+8 messages: 4 assistant, 4 user/);
		expect(await readFile(join(cwd, "s.jsonl"), "utf8")).toBe(input);
	});

	test("reads standard input and an object with messages, and keeps its other keys", async () => {
		const cwd = await folderWith({ "precis.config.json": KEEP_RECENT });
		const stdin = JSON.stringify({ id: 7, messages, tail: [1] });
		for (const argv of [["compact"], ["compact", "-"]]) {
			const { code, stdout } = await precis(argv, { cwd, stdin });
			expect(code).toBe(0);
			expect(stdout).toBe(JSON.stringify({ id: 7, messages: messages.slice(-2), tail: [1] }));
		}
	});

	test("copies the input's bytes where the trigger does not fire, and says so", async () => {
		const bytes = Buffer.concat([
			Buffer.from('{"role":"user","content":"a '),
			Buffer.from([0xff]),
			Buffer.from('"}\r\n\r\n'),
		]);
		const cwd = await folderWith({ "s.jsonl": bytes, "precis.config.json": KEEP_RECENT });
		const ran = await precis(["compact", "s.jsonl", "--output", "o.jsonl"], { cwd });
		expect(ran.code).toBe(0);
		expect(await readFile(join(cwd, "o.jsonl"))).toEqual(bytes);
		expect(ran.stderr).toContain("no UTF-8");
		expect(ran.stderr).toContain("the trigger did not fire");
	});

	test("--force does not ask the trigger, --keep-last wins over the config", async () => {
		const cwd = await folderWith({
			"s.jsonl": input,
			"precis.config.json":
				'{ "strategy": [{ "use": "drop-reasoning" }, { "use": "keep-recent" }], "trigger": { "use": "never" } }',
		});
		expect((await precis(["compact", "s.jsonl"], { cwd })).stdout).toBe(input);
		const { code, stdout } = await precis(["compact", "s.jsonl", "--force", "--keep-last", "2"], { cwd });
		expect(code).toBe(0);
		expect(stdout).toBe(lastTwo);
	});

	test("--keep-last reaches into pipelines, and is refused where no strategy takes it", async () => {
		const cwd = await folderWith({
			"s.jsonl": input,
			"deep.json":
				'{ "strategy": { "use": "pipeline", "steps": [{ "use": "fallback", "steps": [{ "use": "keep-recent" }] }] } }',
			"none.json": '{ "strategy": { "use": "drop-reasoning" } }',
		});
		const deep = await precis(
			["compact", "s.jsonl", "--force", "--keep-last", "2", "--config", "deep.json"],
			{ cwd },
		);
		expect(deep.stdout).toBe(lastTwo);
		const none = await precis(
			["compact", "s.jsonl", "--force", "--keep-last", "2", "--config", "none.json"],
			{ cwd },
		);
		expect(none.code).toBe(2);
		expect(none.stderr).toContain("no strategy of the config takes it");
	});

	test("works with no config at all: summarize-older, offline, which is said", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(talk(30)) });
		const { code, stdout, stderr } = await precis(["compact", "s.jsonl", "--force"], { cwd });
		expect(code).toBe(0);
		expect(stderr).toContain(
			'found no "precis.config.json" here or above; using {"strategy":{"use":"summarize-older"}}',
		);
		const written = stdout.trimEnd().split("\n");
		expect(written).toHaveLength(9);
		expect(JSON.parse(written[0] ?? "").providerOptions.precis.summary.v).toBe(1);
		expect(written.slice(1)).toEqual(lines(talk(30)).trimEnd().split("\n").slice(-8));
	});

	test("finds the nearest config upwards", async () => {
		const cwd = await folderWith({ "precis.config.json": KEEP_RECENT, "a/b/s.jsonl": input });
		const { stdout } = await precis(["compact", "s.jsonl"], { cwd: join(cwd, "a/b") });
		expect(stdout).toBe(lastTwo);
	});

	test("--json writes the whole result to standard output, versioned, and the transcript only to --output", async () => {
		const cwd = await folderWith({ "s.jsonl": input, "precis.config.json": KEEP_RECENT });
		const { code, stdout } = await precis(["compact", "s.jsonl", "--json", "--output", "o.jsonl"], { cwd });
		expect(code).toBe(0);
		const result = JSON.parse(stdout);
		const validate = await loadValidator("result");
		expect(validate(result), JSON.stringify(validate.errors)).toBe(true);
		expect(result).toMatchObject({ version: 1, status: "compacted", replaced: 8 });
		expect(result.messages).toEqual(messages.slice(-2));
		expect(await readFile(join(cwd, "o.jsonl"), "utf8")).toBe(lastTwo);
		const again = await precis(["compact", "s.jsonl", "--json"], { cwd });
		expect(again.stdout).toBe(stdout);
	});

	test("--json of a transcript that needs nothing is a result too", async () => {
		const cwd = await folderWith({
			"s.jsonl": lines(messages.slice(0, 2)),
			"precis.config.json": KEEP_RECENT,
		});
		const { stdout } = await precis(["compact", "s.jsonl", "--json"], { cwd });
		const result = JSON.parse(stdout);
		const validate = await loadValidator("result");
		expect(validate(result), JSON.stringify(validate.errors)).toBe(true);
		expect(result).toMatchObject({ status: "unchanged", unchanged: "not-needed", evicted: [], replaced: 0 });
		expect(result.messages).toEqual(messages.slice(0, 2));
	});

	test("--quiet says nothing but errors; colors and progress are for terminals alone", async () => {
		const cwd = await folderWith({ "s.jsonl": input, "precis.config.json": KEEP_RECENT });
		expect((await precis(["compact", "s.jsonl", "--quiet"], { cwd })).stderr).toBe("");
		const terminal = await precis(["compact", "s.jsonl"], { cwd, columns: 80 });
		expect(terminal.stderr).toContain("\u001b[32mcompacted\u001b[39m");
		for (const off of [
			await precis(["compact", "s.jsonl", "--no-color"], { cwd, columns: 80 }),
			await precis(["compact", "s.jsonl"], { cwd, columns: 80, env: { NO_COLOR: "1" } }),
			await precis(["compact", "s.jsonl"], { cwd }),
		]) {
			expect(off.stderr).not.toContain("\u001b");
		}
	});

	test("unicode-01: a lone surrogate is no fault; what is kept of it stays, and a warning names it", async () => {
		const { input: given } = reports.find(({ id }) => id === "unicode-01") as unknown as {
			input: { file: { name: string; content: string } };
		};
		const { name, content } = given.file;
		const long = lines([
			{ role: "user", content: "Read the icons. ".repeat(400) },
			{ role: "assistant", content: "Read. ".repeat(300) },
		]);
		const cwd = await folderWith({ [name]: content, "long.jsonl": long + content });
		const kept = await precis(["compact", name, "--force", "--keep-last", "1"], { cwd });
		expect(kept.code).toBe(0);
		expect(kept.stderr).toContain("message 2 (line 3) holds half of a surrogate pair");
		const summarized = await precis(["compact", "long.jsonl", "--force", "--keep-last", "1"], { cwd });
		expect(summarized.code).toBe(0);
		expect(summarized.stdout).not.toMatch(/\\ud83d(?!\\ude)/);
		const whole = await precis(["compact", "long.jsonl", "--force", "--keep-last", "4"], { cwd });
		expect(whole.stdout).toContain('"value":"icons \\ud83d\\u2026) errored"');
	});
});

test("what a plugin prints never stands among the data", async () => {
	const noisy = `export default { name: "noisy", apiVersion: 1, backends: [{ name: "noisy", create() {
		console.log("noise 1");
		return { async generate() { console.info("noise 2"); return { text: "### Key facts\\n- A1 holds 14" }; } };
	} }] };`;
	const cwd = await folderWith({
		"noisy.mjs": noisy,
		"precis.config.json":
			'{ "plugins": ["./noisy.mjs"], "strategy": { "use": "structured" }, "backend": { "use": "noisy" } }',
		"s.json": JSON.stringify(talk(20)),
	});
	const { code, stdout, stderr } = await precisProcess(["compact", "s.json", "--force", "--json"], cwd);
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({ status: "compacted" });
	expect(stderr).toContain("noise 1");
	expect(stderr).toContain("noise 2");
});

test("what did not go as asked for is told, though a summary was made", async () => {
	const cwd = await folderWith({
		"precis.config.json": JSON.stringify({
			strategy: { use: "summarize-older", keepLast: 2 },
			backend: [{ use: "http", url: "http://127.0.0.1:9/", maxRetries: 0 }, { use: "extractive" }],
		}),
		"s.json": JSON.stringify(talk(20)),
	});
	const { code, stderr } = await precis(["compact", "s.json", "--force", "--output", "o.json"], { cwd });
	expect(code).toBe(0);
	expect(stderr).toMatch(/note +the backend "http" failed with BACKEND_FAILED: /);
});

describe("one clear error each, the right exit code, no stack trace, no file written", () => {
	const cut = JSON.stringify(messages, null, 2).slice(0, 700);
	test.each([
		["a missing file", ["missing.json"], 2, 'Cannot read "missing.json": there is no such file.'],
		["a file that is cut off", ["cut.json"], 2, 'Cannot read the transcript "cut.json": line '],
		["a bad line", ["bad.jsonl"], 2, 'Cannot read the transcript "bad.jsonl": line 2, column 20: '],
		["an empty file", ["empty.jsonl"], 2, 'Cannot read the transcript "empty.jsonl": it is empty'],
		["a config that is not there", ["s.jsonl", "--config", "none.json"], 2, '"none.json"'],
		[
			"a config with an unknown key",
			["s.jsonl", "--config", "typo.json"],
			2,
			'typo.json:1:3 /strategys: found the unknown key "strategys"',
		],
		["a config with an unknown plugin", ["s.jsonl", "--config", "plugin.json"], 2, "./house.mjs"],
		["a config with an unknown strategy", ["s.jsonl", "--config", "use.json"], 2, "keep-recnt"],
		["a plugin that throws on import", ["s.jsonl", "--config", "throws.json"], 2, "no coffee"],
		[
			"a strategy that summarizes with no backend",
			["s.jsonl", "--config", "null.json"],
			2,
			'"backend" is null',
		],
		["a model with no key", ["s.jsonl", "--model", "openai/gpt-5-mini"], 1, "OPENAI_API_KEY"],
	])("%s", async (_, argv, code, what) => {
		const cwd = await folderWith({
			"s.jsonl": input,
			"cut.json": cut,
			"bad.jsonl": '{"role":"user","content":"a"}\n{"role":"user","con\n',
			"empty.jsonl": "",
			"typo.json": '{ "strategys": [] }',
			"plugin.json": '{ "strategy": { "use": "keep-recent" }, "plugins": ["./house.mjs"] }',
			"use.json": '{ "strategy": { "use": "keep-recnt" } }',
			"throws.json": '{ "strategy": { "use": "keep-recent" }, "plugins": ["./throws.mjs"] }',
			"throws.mjs": 'throw new Error("no coffee");',
			"null.json": '{ "strategy": { "use": "summarize-older" }, "backend": null }',
		});
		const before = (await readdir(cwd)).sort();
		const ran = await precisProcess(
			["compact", ...argv, "--force", "--output", "o.jsonl", "--archive", "a.jsonl"],
			cwd,
		);
		expect(ran.stderr).toContain(what);
		expect(ran.stderr.match(/^precis: /gm)?.length).toBeLessThanOrEqual(2);
		expect(ran.stderr).not.toMatch(/^\s+at /m);
		expect(ran.stdout).toBe("");
		expect(ran.code).toBe(code);
		expect((await readdir(cwd)).sort()).toEqual(before);
	});

	test("--no-plugins refuses a config's plugins before any is loaded", async () => {
		const cwd = await folderWith({
			"s.jsonl": input,
			"precis.config.json": '{ "strategy": { "use": "keep-recent" }, "plugins": ["./throws.mjs"] }',
			"throws.mjs": 'throw new Error("no coffee");',
		});
		const { code, stderr } = await precis(["compact", "s.jsonl", "--no-plugins"], { cwd });
		expect(code).toBe(2);
		expect(stderr).toContain("./throws.mjs");
		expect(stderr).not.toContain("no coffee");
	});

	test("abort-01: interrupted while the model is asked, it exits with 130, and no byte and no file has changed", async () => {
		const controller = new AbortController();
		const server = createServer((request) => {
			request.resume();
			// Asked, and never answered.
			request.on("end", () => controller.abort());
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		try {
			const { port } = server.address() as AddressInfo;
			const cwd = await folderWith({
				"s.jsonl": input,
				"precis.config.json": `{ "strategy": { "use": "summarize-older", "keepLast": 1 }, "backend": { "use": "http", "url": "http://127.0.0.1:${port}/" } }`,
			});
			const argv = ["compact", "s.jsonl", "--force", "--in-place", "--archive", "a.jsonl"];
			const { code, stdout, stderr } = await precis(argv, { cwd, signal: controller.signal });
			expect(code).toBe(130);
			expect(stdout).toBe("");
			expect(stderr).toBe("precis: Interrupted; nothing was written.\n");
			expect(await readFile(join(cwd, "s.jsonl"), "utf8")).toBe(input);
			expect((await readdir(cwd)).sort()).toEqual(["precis.config.json", "s.jsonl"]);
		} finally {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	});

	test("interrupted while it waits for standard input, it exits with 130", async () => {
		const controller = new AbortController();
		const stdin = (async function* () {
			controller.abort();
			yield await new Promise<Uint8Array>(() => undefined);
		})();
		const { code } = await precis(["compact", "-"], {
			cwd: await folderWith(),
			stdin,
			signal: controller.signal,
		});
		expect(code).toBe(130);
	});

	test("PRECIS_DEBUG shows where an error comes from", async () => {
		const { stderr } = await precis(["compact", "missing.json"], {
			cwd: await folderWith(),
			env: { PRECIS_DEBUG: "1" },
		});
		expect(stderr).toMatch(/\n\s+at /);
	});
});
