import * as nodeFiles from "node:fs/promises";
import {
	chmod,
	lstat,
	mkdir,
	readdir,
	readFile,
	readlink,
	stat,
	symlink,
	utimes,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Files } from "../../src/cli/io.ts";
import reports from "../cases/reports.json" with { type: "json" };
import { folderWith, KEEP_RECENT, lines, precis, talk } from "./command.ts";

const messages = talk(5);
const input = lines(messages);
const lastTwo = lines(messages.slice(-2));
const evicted = lines(messages.slice(0, -2));

async function session(more: Readonly<Record<string, string>> = {}): Promise<string> {
	return folderWith({ "s.jsonl": input, "precis.config.json": KEEP_RECENT, ...more });
}

/** A disk that takes half of what is written to paths that match, and is full then. */
function fullDisk(matches: RegExp, path: (full: string) => string = (full) => full): Partial<Files> {
	return {
		open: (async (full: string, ...rest: [string, number?]) => {
			const handle = await nodeFiles.open(full, ...rest);
			if (!matches.test(path(full))) return handle;
			return new Proxy(handle, {
				get(target, key) {
					if (key === "writeFile") {
						return async (data: string | Uint8Array) => {
							await target.writeFile(data.slice(0, data.length >> 1));
							throw Object.assign(new Error("write"), { code: "ENOSPC" });
						};
					}
					const value: unknown = Reflect.get(target, key, target);
					return typeof value === "function" ? value.bind(target) : value;
				},
			});
		}) as unknown as Files["open"],
	};
}

describe("--in-place", () => {
	test("replaces the file, keeps its mode bits and leaves nothing else behind", async () => {
		const cwd = await session();
		await chmod(join(cwd, "s.jsonl"), 0o640);
		const { code, stdout, stderr } = await precis(["compact", "s.jsonl", "--in-place"], { cwd });
		expect(code).toBe(0);
		expect(stdout).toBe("");
		expect(stderr).toMatch(/written\s+s\.jsonl/);
		expect(await readFile(join(cwd, "s.jsonl"), "utf8")).toBe(lastTwo);
		expect((await stat(join(cwd, "s.jsonl"))).mode & 0o777).toBe(0o640);
		expect((await readdir(cwd)).sort()).toEqual(["precis.config.json", "s.jsonl"]);
	});

	test("session-files-07: a write that fails half way leaves the file byte-identical and no temporary file", async () => {
		const { input: given } = reports.find(({ id }) => id === "session-files-07") as unknown as {
			input: { file: { name: string; content: string } };
		};
		const { name, content } = given.file;
		const padded = input + content;
		const cwd = await folderWith({ [name]: padded, "precis.config.json": KEEP_RECENT });
		const temporary: string[] = [];
		const files = fullDisk(/\.tmp$/, (full) => {
			if (full.endsWith(".tmp")) temporary.push(full);
			return full;
		});
		const { code, stdout, stderr } = await precis(["compact", name, "--in-place"], { cwd, files });
		expect(code).toBe(1);
		expect(stdout).toBe("");
		expect(stderr).toBe(`precis: Cannot write "${name}": no space is left on the device. It is as it was.\n`);
		expect([...new Set(temporary.map((path) => join(path, "..")))]).toEqual([cwd]);
		expect(await readFile(join(cwd, name), "utf8")).toBe(padded);
		expect((await readdir(cwd)).sort()).toEqual(["precis.config.json", name]);
	});

	test("session-files-07: of a symbolic link the target is replaced, not the link", async () => {
		const cwd = await session();
		await mkdir(join(cwd, "links"));
		await symlink("../s.jsonl", join(cwd, "links/one.jsonl"));
		await symlink("one.jsonl", join(cwd, "links/two.jsonl"));
		const { code } = await precis(["compact", "links/two.jsonl", "--in-place"], { cwd });
		expect(code).toBe(0);
		expect(await readlink(join(cwd, "links/two.jsonl"))).toBe("one.jsonl");
		expect((await lstat(join(cwd, "s.jsonl"))).isFile()).toBe(true);
		expect(await readFile(join(cwd, "s.jsonl"), "utf8")).toBe(lastTwo);
		expect((await readdir(join(cwd, "links"))).sort()).toEqual(["one.jsonl", "two.jsonl"]);
	});

	test("a file that was changed while it was compacted is left alone", async () => {
		const cwd = await session();
		const path = join(cwd, "s.jsonl");
		const files: Partial<Files> = {
			open: (async (full: string, ...rest: [string, number?]) => {
				if (full.endsWith(".tmp")) await writeFile(path, `${input}${lines(talk(1))}`);
				return nodeFiles.open(full, ...rest);
			}) as unknown as Files["open"],
		};
		const { code, stderr } = await precis(["compact", "s.jsonl", "--in-place", "--archive", "a.jsonl"], {
			cwd,
			files,
		});
		expect(code).toBe(1);
		expect(stderr).toContain("it was changed meanwhile");
		expect(await readFile(path, "utf8")).toBe(`${input}${lines(talk(1))}`);
		expect((await readdir(cwd)).sort()).toEqual(["precis.config.json", "s.jsonl"]);
	});

	test("a file that needs nothing is not touched", async () => {
		const cwd = await session({ "precis.config.json": KEEP_RECENT.replace("6", "600") });
		const then = new Date(1_000_000_000_000);
		await utimes(join(cwd, "s.jsonl"), then, then);
		const { code } = await precis(["compact", "s.jsonl", "--in-place"], { cwd });
		expect(code).toBe(0);
		expect((await stat(join(cwd, "s.jsonl"))).mtime).toEqual(then);
	});
});

describe("--output", () => {
	test("a link to a file that is not there yet is followed", async () => {
		const cwd = await session();
		await symlink("new.jsonl", join(cwd, "o.jsonl"));
		expect((await precis(["compact", "s.jsonl", "--output", "o.jsonl"], { cwd })).code).toBe(0);
		expect(await readFile(join(cwd, "new.jsonl"), "utf8")).toBe(lastTwo);
		expect(await readlink(join(cwd, "o.jsonl"))).toBe("new.jsonl");
	});

	test("links in a circle are an error", async () => {
		const cwd = await session();
		await symlink("b", join(cwd, "a"));
		await symlink("a", join(cwd, "b"));
		const { code, stderr } = await precis(["compact", "s.jsonl", "--output", "a"], { cwd });
		expect(code).toBe(2);
		expect(stderr).toContain("its links go in a circle");
	});

	test("a device is written to, never replaced", async () => {
		const cwd = await session();
		expect((await precis(["compact", "s.jsonl", "--output", "/dev/null"], { cwd })).code).toBe(0);
		expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
	});

	test("may be the input itself", async () => {
		const cwd = await session();
		expect((await precis(["compact", "s.jsonl", "-o", "s.jsonl"], { cwd })).code).toBe(0);
		expect(await readFile(join(cwd, "s.jsonl"), "utf8")).toBe(lastTwo);
	});
});

describe("--archive", () => {
	test("appends the evicted originals, one a line, and grows with every compaction", async () => {
		const cwd = await session({ "a.jsonl": '{"role":"user","content":"older"}' });
		const argv = ["compact", "s.jsonl", "--in-place", "--archive", "a.jsonl"];
		expect((await precis(argv, { cwd })).code).toBe(0);
		const first = `{"role":"user","content":"older"}\n${evicted}`;
		expect(await readFile(join(cwd, "a.jsonl"), "utf8")).toBe(first);
		await writeFile(join(cwd, "s.jsonl"), input);
		expect((await precis(argv, { cwd })).code).toBe(0);
		expect(await readFile(join(cwd, "a.jsonl"), "utf8")).toBe(first + evicted);
	});

	test("is not made where nothing was evicted", async () => {
		const cwd = await session({ "precis.config.json": KEEP_RECENT.replace("6", "600") });
		expect((await precis(["compact", "s.jsonl", "--archive", "a.jsonl"], { cwd })).code).toBe(0);
		expect(await readdir(cwd)).not.toContain("a.jsonl");
	});

	test("gets whole lines of messages that were laid out over several", async () => {
		const cwd = await session({ "s.json": JSON.stringify(messages, null, "\t") });
		expect((await precis(["compact", "s.json", "--archive", "a.jsonl", "--quiet"], { cwd })).code).toBe(0);
		expect(await readFile(join(cwd, "a.jsonl"), "utf8")).toBe(evicted);
	});

	test.each([
		["made", undefined],
		["added to", '{"role":"user","content":"older"}\n'],
	])("is as it was when the output fails after it was %s", async (_, before) => {
		const cwd = await session(before === undefined ? {} : { "a.jsonl": before });
		const argv = ["compact", "s.jsonl", "--output", "o.jsonl", "--archive", "a.jsonl"];
		const { code } = await precis(argv, { cwd, files: fullDisk(/\.tmp$/) });
		expect(code).toBe(1);
		const names = await readdir(cwd);
		expect(names).not.toContain("o.jsonl");
		if (before === undefined) expect(names).not.toContain("a.jsonl");
		else expect(await readFile(join(cwd, "a.jsonl"), "utf8")).toBe(before);
	});

	test("that fails half way is as it was, and the output is not written", async () => {
		const cwd = await session({ "a.jsonl": "{}\n" });
		const argv = ["compact", "s.jsonl", "--output", "o.jsonl", "--archive", "a.jsonl"];
		const { code, stderr } = await precis(argv, { cwd, files: fullDisk(/a\.jsonl$/) });
		expect(code).toBe(1);
		expect(stderr).toContain('Cannot append to "a.jsonl": no space is left on the device');
		expect(await readFile(join(cwd, "a.jsonl"), "utf8")).toBe("{}\n");
		expect(await readdir(cwd)).not.toContain("o.jsonl");
	});

	test("is taken back when standard output fails", async () => {
		const cwd = await session();
		const write = async (): Promise<void> => {
			throw Object.assign(new Error("write"), { code: "ENOSPC" });
		};
		const { code } = await precis(["compact", "s.jsonl", "--archive", "a.jsonl"], { cwd, write });
		expect(code).toBe(1);
		expect(await readdir(cwd)).not.toContain("a.jsonl");
	});
});
