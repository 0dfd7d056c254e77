import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterEach, describe, expect, test } from "vitest";
import { folderWith, KEEP_RECENT, lines, precis, precisProcess, talk } from "./command.ts";

const PLUGIN = `export default {
	name: "house", apiVersion: 1,
	strategies: [{
		name: "house-rule",
		schema: { type: "object", properties: { depth: { type: "integer", minimum: 1 } } },
		create: () => ({ plan: () => [] }),
	}],
	templates: { house: { sections: ["decisions"] } },
};`;
const WITH_PLUGIN = '{ "strategy": { "use": "house-rule", "depth": 2 }, "plugins": ["./house.mjs"] }';

describe("validate", () => {
	const THREE = `{
  // three mistakes
  "strategy": { "use": "keep-recent", "keepLst": 4 },
  "trigger": { "use": "messages", "max": "many" },
  "tokens": {
    "windw": 1000
  },
}
`;

	test("three mistakes are three errors with their lines and columns, and exit code 2", async () => {
		const cwd = await folderWith({ "precis.config.json": THREE });
		const { code, stdout, stderr } = await precisProcess(["validate", "precis.config.json"], cwd);
		expect(code).toBe(2);
		expect(stdout).toBe("");
		expect(stderr.match(/^ {2}precis\.config\.json:\d+:\d+ /gm)).toEqual([
			"  precis.config.json:3:39 ",
			"  precis.config.json:4:42 ",
			"  precis.config.json:6:5 ",
		]);
		expect(stderr).toContain('Did you mean "keepLast"?');
		expect(stderr).toContain('Did you mean "window"?');
		expect(stderr).toContain('found "many"; expected an integer');
	});

	test("--json gives the same to machines, on standard output", async () => {
		const cwd = await folderWith({ "precis.config.json": THREE });
		const { code, stdout } = await precis(["validate", "--json"], { cwd });
		expect(code).toBe(2);
		const { version, valid, problems } = JSON.parse(stdout);
		expect({ version, valid }).toEqual({ version: 1, valid: false });
		expect(problems.map(({ line, column }: { line: number; column: number }) => [line, column])).toEqual([
			[3, 39],
			[4, 42],
			[6, 5],
		]);
	});

	test("a right config says what it comes to, whatever key its model would need", async () => {
		const cwd = await folderWith({
			"precis.config.json":
				'\uFEFF{\r\n "strategy": { "use": "summarize-older" },\r\n "tokens": { "window": 1000 }, "backend": { "use": "ai-sdk", "model": "openai/gpt-5-mini" }\r\n}\r\n',
		});
		const { code, stdout, stderr } = await precis(["validate"], { cwd });
		expect(code).toBe(0);
		expect(stdout).toBe("");
		expect(stderr).toContain("window 1,000 tokens");
		const { stdout: machine } = await precis(["validate", "--json"], { cwd });
		expect(JSON.parse(machine)).toEqual({
			version: 1,
			valid: true,
			file: join(cwd, "precis.config.json"),
			problems: [],
		});
	});

	test("config-01: a mistyped top-level key is named, with the close match, and nothing is compacted", async () => {
		const cwd = await folderWith({
			"precis.config.json": '{ "strategys": [{ "use": "keep-recent" }] }',
			"s.jsonl": lines(talk(5)),
		});
		for (const argv of [["validate"], ["compact", "s.jsonl", "--force"]]) {
			const { code, stdout, stderr } = await precis(argv, { cwd });
			expect(code).toBe(2);
			expect(stdout).toBe("");
			expect(stderr).toContain("/strategys");
			expect(stderr).toContain('Did you mean "strategy"?');
		}
	});
});

describe("plugins and schema", () => {
	test("list what is built in and what the config's plugins add, with origin and options, sorted", async () => {
		const cwd = await folderWith({ "precis.config.json": WITH_PLUGIN, "house.mjs": PLUGIN });
		const { code, stdout } = await precis(["plugins", "--json"], { cwd });
		expect(code).toBe(0);
		const listed = JSON.parse(stdout);
		expect(listed.version).toBe(1);
		const names = listed.strategies.map(({ name }: { name: string }) => name);
		expect(names).toEqual([...names].sort());
		expect(listed.strategies).toContainEqual({
			name: "house-rule",
			origin: "./house.mjs",
			options: ["depth"],
		});
		expect(listed.strategies).toContainEqual({
			name: "keep-recent",
			origin: "precis",
			options: ["keepLast", "keepTokens", "preserveKinds"],
		});
		expect(listed.templates).toEqual(["house"]);
		const people = await precis(["plugins"], { cwd });
		expect(people.stdout).toMatch(/house-rule\s+from ".\/house.mjs"; depth/);
	});

	test("schema prints one document that knows the plugin's options, and writes it to --output", async () => {
		const cwd = await folderWith({ "precis.config.json": WITH_PLUGIN, "house.mjs": PLUGIN });
		const { code, stdout } = await precis(["schema"], { cwd });
		expect(code).toBe(0);
		const validate = new Ajv({ strict: false }).compile(JSON.parse(stdout));
		expect(validate({ strategy: { use: "house-rule", depth: 2 } })).toBe(true);
		expect(validate({ strategy: { use: "house-rule", depth: 0 } })).toBe(false);
		const written = await precis(["schema", "-o", "precis.schema.json"], { cwd });
		expect(written.stdout).toBe("");
		expect(await readFile(join(cwd, "precis.schema.json"), "utf8")).toBe(stdout);
	});

	test("--no-plugins leaves them out; a plugin that is not there is exit code 2", async () => {
		const cwd = await folderWith({ "precis.config.json": WITH_PLUGIN });
		const without = await precis(["plugins", "--no-plugins", "--json"], { cwd });
		expect(without.code).toBe(0);
		expect(without.stdout).not.toContain("house");
		const missing = await precis(["plugins"], { cwd });
		expect(missing.code).toBe(2);
		expect(missing.stderr).toContain("./house.mjs");
	});

	test("work with no config, and with one whose other content is wrong", async () => {
		const none = await precis(["plugins"], { cwd: await folderWith() });
		expect(none.stdout).toMatch(/summarize-older\s+empty, keepLast/);
		const wrong = await folderWith({
			"precis.config.json": '{ "strategy": { "use": "nobody" }, "tokens": 7 }',
		});
		expect((await precis(["schema"], { cwd: wrong })).code).toBe(0);
	});
});

describe("plan", () => {
	test("says what would be kept and evicted, with no backend call, and writes nothing", async () => {
		const cwd = await folderWith({ "precis.config.json": KEEP_RECENT, "s.jsonl": lines(talk(5)) });
		const { code, stdout } = await precis(["plan", "s.jsonl"], { cwd });
		expect(code).toBe(0);
		expect(stdout).toMatch(/trigger\s+The transcript has 10 messages, more than 6\./);
		expect(stdout).toMatch(/kept\s+2 messages: 8–9/);
		expect(stdout).toMatch(/dropped\s+8 messages: 0–7/);
	});

	test("estimates calls, tokens and cost for the model that would be asked, with no key", async () => {
		const cwd = await folderWith({ "s.jsonl": lines(talk(30)) });
		const argv = ["plan", "s.jsonl", "--force", "--model", "openai/gpt-5-mini", "--json"];
		const { code, stdout } = await precis(argv, { cwd });
		expect(code).toBe(0);
		const plan = JSON.parse(stdout);
		expect(plan).toMatchObject({
			version: 1,
			fires: true,
			usage: { calls: 0 },
			estimate: { backend: "ai-sdk openai/gpt-5-mini", calls: 1 },
		});
		expect(plan.summarized).toEqual(Array.from({ length: 52 }, (_, index) => index));
		expect(plan.estimate.inputTokens).toBeGreaterThan(plan.tokens.evicted);
		expect(plan.estimate.costUSD).toBeGreaterThan(0);
		const offline = await precis(["plan", "s.jsonl", "--force"], { cwd });
		expect(offline.stdout).toMatch(/backend\s+extractive, no model call/);
	});

	test("says so where the trigger does not fire", async () => {
		const cwd = await folderWith({ "precis.config.json": KEEP_RECENT, "s.jsonl": lines(talk(2)) });
		expect((await precis(["plan", "s.jsonl"], { cwd })).stdout).toMatch(/trigger\s+did not fire/);
	});
});

describe("models", () => {
	const cacheBefore = process.env.PRECIS_CACHE_DIR;
	afterEach(() => {
		if (cacheBefore === undefined) delete process.env.PRECIS_CACHE_DIR;
		else process.env.PRECIS_CACHE_DIR = cacheBefore;
	});

	test("lists what is known, by a part of the name", async () => {
		process.env.PRECIS_CACHE_DIR = await folderWith();
		const { code, stdout } = await precis(["models", "openai/gpt-5"], { cwd: await folderWith() });
		expect(code).toBe(0);
		expect(stdout).toMatch(/^openai\/gpt-5 +400,000 tokens/m);
		const machine = JSON.parse(
			(await precis(["models", "gpt-5-mini", "--json"], { cwd: await folderWith() })).stdout,
		);
		expect(machine.version).toBe(1);
		expect(machine.models.map(({ id }: { id: string }) => id)).toContain("openai/gpt-5-mini");
	});

	test("a model that nobody knows is exit code 1", async () => {
		const { code, stderr } = await precis(["models", "acme/none"], { cwd: await folderWith() });
		expect(code).toBe(1);
		expect(stderr).toContain('Cannot find a model "acme/none"');
	});

	test("--refresh fetches the catalogue from the mirror that PRECIS_MODELS_URL names; a failure is exit code 1", async () => {
		process.env.PRECIS_CACHE_DIR = await folderWith();
		const model = {
			id: "tiny-1",
			name: "Tiny",
			limit: { context: 4096, output: 512 },
			cost: { input: 1, output: 2 },
		};
		const catalogue = { acme: { id: "acme", name: "Acme", models: { "tiny-1": model } } };
		const server = createServer((request, response) => {
			if (request.url === "/down") response.writeHead(503).end();
			else response.end(JSON.stringify(catalogue));
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		try {
			const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			const env = { PRECIS_MODELS_URL: `${url}/api.json` };
			const fetched = await precis(["models", "acme/tiny", "--refresh"], { cwd: await folderWith(), env });
			expect(fetched.code).toBe(0);
			expect(fetched.stdout).toMatch(/^acme\/tiny-1 +4,096 tokens +\$1\.00 in, \$2\.00 out/m);
			const down = await precis(["models", "--refresh"], {
				cwd: await folderWith(),
				env: { PRECIS_MODELS_URL: `${url}/down` },
			});
			expect(down.code).toBe(1);
			expect(down.stderr).toContain("503");
			expect(down.stdout).toBe("");
		} finally {
			await new Promise((resolve) => server.close(resolve));
		}
	});
});
