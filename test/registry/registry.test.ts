import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CompactionError } from "../../src/errors/compaction-error.ts";
import { createHost } from "../../src/platform/create-host.ts";
import type { Plugin } from "../../src/registry/contract.ts";
import { create, resolveUse } from "../../src/registry/create.ts";
import { type Builtins, Registry } from "../../src/registry/registry.ts";

const NONE: Builtins = { strategies: {}, backends: {}, triggers: {}, counters: {} };
const source = { name: "c.json", pointer: "/backend" };
let folder = "";

const backend = (name: string, schema = "undefined"): string =>
	`{ name: ${JSON.stringify(name)}, schema: ${schema}, create: (options) => ({ summarize: async () => ({ text: JSON.stringify(options) }) }) }`;
const plugin = (name: string, list = backend(name)): string =>
	`{ name: ${JSON.stringify(name)}, apiVersion: 1, backends: [${list}] }`;

async function put(path: string, text: string): Promise<void> {
	await mkdir(join(folder, path, ".."), { recursive: true });
	await writeFile(join(folder, path), text);
}

async function putPackage(name: string, text: string): Promise<void> {
	await put(
		`node_modules/${name}/package.json`,
		JSON.stringify({ name, version: "1.0.0", type: "module", exports: { import: "./index.js" } }),
	);
	await put(`node_modules/${name}/index.js`, text);
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "precis-registry-"));
	await put("house.mjs", `export default ${plugin("house")};`);
	await put("named.mjs", `export const plugin = ${plugin("named")};`);
	await put(
		"twice.cjs",
		`Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = ${plugin("twice")};`,
	);
	await put("plain.cjs", `module.exports = ${plugin("plain")};`);
	await put("old.mjs", 'export default { name: "old", apiVersion: 999, backends: [] };');
	await put(
		"shape.mjs",
		'export default { name: "bad", apiVersion: 1, backends: [{ name: "bad", create: "not a function" }] };',
	);
	await put("nothing.mjs", "export const summarize = 1;");
	await put("needs.mjs", 'import "not-installed-anywhere"; export default {};');
	await put("throws.mjs", 'throw new Error("boom at import");');
	await put(
		"both.mjs",
		'export default { name: "both", apiVersion: 1, backends: [{ name: "both", create: () => ({ summarize() {}, generate() {} }) }] };',
	);
	await putPackage(
		"precis-plugin-acme",
		`export default ${plugin("acme", backend("acme", '{ type: "object", properties: { region: { type: "string", default: "north" } } }'))};`,
	);
	await putPackage("@globex/precis-plugin", `export default ${plugin("globex")};`);
	await putPackage("some-plugin", `export default ${plugin("some")};`);
});

afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

const host = () => createHost({ baseUrl: `${pathToFileURL(folder).href}/` });

async function load(specifier: string): Promise<readonly string[]> {
	const registry = new Registry(NONE);
	registry.add(await registry.prepare(specifier, host()));
	return registry.names("backend");
}

async function failure(run: () => Promise<unknown>): Promise<CompactionError> {
	const error = await run().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(CompactionError);
	return error as CompactionError;
}

describe("a plugin is loaded", () => {
	test("by a path relative to the config", async () => expect(await load("./house.mjs")).toEqual(["house"]));
	test("by a file: URL", async () =>
		expect(await load(pathToFileURL(join(folder, "house.mjs")).href)).toEqual(["house"]));
	test("by a package name, though the package only exports an import condition", async () =>
		expect(await load("some-plugin")).toEqual(["some"]));
	test("plugins-01: from CommonJS compiled from ESM, and from plain module.exports", async () => {
		expect(await load("./twice.cjs")).toEqual(["twice"]);
		expect(await load("./plain.cjs")).toEqual(["plain"]);
	});
	test("from an export named plugin", async () => expect(await load("./named.mjs")).toEqual(["named"]));

	test("once, and the same one every time", async () => {
		const registry = new Registry(NONE);
		const [first, second] = await Promise.all([
			registry.prepare("./house.mjs", host()),
			registry.prepare("./house.mjs", host()),
		]);
		registry.add(first);
		registry.add(second);
		expect(registry.plugins).toHaveLength(1);
	});

	test("by its use alone, from the package that the name points to", async () => {
		const registry = new Registry(NONE);
		expect((await registry.find("backend", "acme", host())).origin).toBe("precis-plugin-acme");
		expect((await registry.find("backend", "globex", host())).origin).toBe("@globex/precis-plugin");
	});
});

describe("a plugin is refused", () => {
	test("when it is not there, with the way out", async () => {
		const missing = await failure(() => load("not-a-package"));
		expect(missing.code).toBe("PLUGIN_NOT_FOUND");
		expect(missing.message).toContain("npm install not-a-package");
		expect((await failure(() => load("./gone.mjs"))).message).toContain("./gone.mjs");
	});

	test("plugins-03: when it has no default export, naming the file and what is expected", async () => {
		const error = await failure(() => load("./nothing.mjs"));
		expect(error.code).toBe("PLUGIN_INVALID");
		expect(error.message).toContain("./nothing.mjs");
		expect(error.message).toContain("default export");
	});

	test("plugins-05: when it speaks another version, or a member has the wrong type", async () => {
		const old = await failure(() => load("./old.mjs"));
		expect(old.code).toBe("PLUGIN_INVALID");
		expect(old.message).toMatch(/old\.mjs.*999.*apiVersion 1/s);
		expect((await failure(() => load("./shape.mjs"))).message).toMatch(
			/shape\.mjs.*create of "bad" is string; expected a function/s,
		);
	});

	test("when something that it needs is missing: that is not the plugin's absence", async () => {
		const error = await failure(() => load("./needs.mjs"));
		expect(error.code).toBe("PLUGIN_INVALID");
		expect(error.message).toContain("not-installed-anywhere");
	});

	test("when it throws at import, with its own words", async () => {
		expect((await failure(() => load("./throws.mjs"))).message).toContain("boom at import");
	});

	test("when its factory makes something of another form", async () => {
		const registry = new Registry(NONE);
		registry.add(await registry.prepare("./both.mjs", host()));
		const { resolved } = await resolveUse(registry, "backend", { use: "both" }, host(), source);
		const error = await failure(() => create(resolved, host()));
		expect(error.message).toContain('exactly one of the functions "summarize" and "generate"');
	});

	test("when its name is taken, naming both", async () => {
		const registry = new Registry(NONE, {
			plugins: [
				{
					name: "mine",
					apiVersion: 1,
					backends: [{ name: "house", create: () => ({ summarize: async () => ({ text: "" }) }) }],
				},
			],
		});
		const error = await failure(async () => registry.add(await registry.prepare("./house.mjs", host())));
		expect(error.code).toBe("PLUGIN_CONFLICT");
		expect(error.message).toMatch(/"house".*"\.\/house\.mjs".*"mine"/s);
	});

	test("when its specifier holds code or an address", async () => {
		for (const specifier of [
			"data:text/javascript,export default {}",
			"https://example.com/p.js",
			"node:fs",
		]) {
			expect((await failure(() => load(specifier))).code).toBe("PLUGIN_NOT_FOUND");
		}
	});

	test("when it is not among the allowed ones", async () => {
		for (const allow of ["none", ["./other.mjs"]] as const) {
			const registry = new Registry(NONE, { allow });
			expect((await failure(() => registry.prepare("./house.mjs", host()))).code).toBe("PLUGIN_NOT_FOUND");
			expect((await failure(() => registry.find("backend", "acme", host()))).code).toBe("PLUGIN_NOT_FOUND");
		}
	});
});

describe("a name that nothing registered", () => {
	test("is an error that lists what is known, what is close, and what to install", async () => {
		const registry = new Registry(NONE);
		registry.add(await registry.prepare("./house.mjs", host()));
		const error = await failure(() => registry.find("backend", "hause", host()));
		expect(error.code).toBe("PLUGIN_NOT_FOUND");
		expect(error.message).toContain('Did you mean "house"?');
		expect(error.message).toContain("Registered: house.");
		expect(error.message).toContain("npm install precis-plugin-hause");
		expect(error.message).toContain("@hause/precis-plugin");
	});
});

describe("options", () => {
	const made = (extra: Partial<Plugin> = {}): Plugin => ({ name: "mine", apiVersion: 1, ...extra });
	const withSchema = (schema: object): Registry =>
		new Registry(NONE, {
			plugins: [
				made({
					backends: [{ name: "b", schema, create: () => ({ summarize: async () => ({ text: "" }) }) }],
				}),
			],
		});
	const problemsOf = async (
		registry: Registry,
		options: Record<string, unknown>,
	): Promise<readonly string[]> =>
		(await resolveUse(registry, "backend", { use: "b", ...options }, host(), source)).problems.map(
			({ message }) => message,
		);

	test("are checked by the plugin's own schema, with defaults filled in", async () => {
		const registry = new Registry(NONE);
		const { resolved, problems } = await resolveUse(registry, "backend", { use: "acme" }, host(), source);
		expect(problems).toEqual([]);
		expect(resolved.options).toEqual({ region: "north" });
	});

	test("that no schema names are unknown, even where the author left the schema open", async () => {
		const registry = withSchema({ type: "object", properties: { region: { type: "string" } } });
		expect(await problemsOf(registry, { regoin: "x" })).toEqual([
			expect.stringMatching(/\/backend\/regoin: .*Did you mean "region"\?/),
		]);
	});

	test("of a definition without a schema are all unknown", async () => {
		const registry = new Registry(NONE, {
			plugins: [
				made({ backends: [{ name: "b", create: () => ({ summarize: async () => ({ text: "" }) }) }] }),
			],
		});
		expect(await problemsOf(registry, { a: 1 })).toHaveLength(1);
	});

	test("may be described in draft-07 or in 2020-12", async () => {
		const newer = withSchema({
			$schema: "https://json-schema.org/draft/2020-12/schema",
			type: "object",
			properties: {
				pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
			},
			unevaluatedProperties: false,
		});
		expect(await problemsOf(newer, { pair: ["a", 1] })).toEqual([]);
		expect(await problemsOf(newer, { pair: ["a", "b"] })).toHaveLength(1);
	});

	test("with a schema that is no schema are the plugin's fault", async () => {
		const error = await failure(() => problemsOf(withSchema({ type: "no-such-type" }), {}));
		expect(error.code).toBe("PLUGIN_INVALID");
		expect(error.message).toContain('"b" of "mine"');
	});
});

describe("what an error advises", () => {
	test("is a path for what looks like a file, and never npm, which may know another of that name", async () => {
		for (const file of ["plugins/house.mjs", "house.mjs", "a/b/c"]) {
			const error = await failure(() => load(file));
			expect(error.message).toContain(`write "./${file}"`);
			expect(error.message).not.toContain("npm install");
		}
	});

	test("is the use for a package's name that stands where its use was meant", async () => {
		const error = await failure(() => new Registry(NONE).find("backend", "precis-plugin-acme", host()));
		expect(error.message).toContain('Write "use": "acme"');
		expect(error.message).not.toContain("precis-plugin-precis-plugin");
	});
});

describe("a composite", () => {
	test("whose steps are no uses, or that says not until when, is the plugin's fault", async () => {
		for (const made of [
			{ steps: ["keep-recent"], until: "end" },
			{ steps: [{ use: "keep-recent" }] },
			{ steps: [null], until: "first" },
		]) {
			const registry = new Registry(NONE, {
				plugins: [{ name: "p", apiVersion: 1, strategies: [{ name: "s", create: () => made as never }] }],
			});
			const { resolved } = await resolveUse(registry, "strategy", { use: "s" }, host(), source);
			const error = await failure(() => create(resolved, host()));
			expect(error.code).toBe("PLUGIN_INVALID");
			expect(error.message).toContain('"s" of "p"');
		}
	});
});
