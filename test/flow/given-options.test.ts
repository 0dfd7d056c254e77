import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	compactionFor,
	compactionMiddleware,
	compactUIMessages,
	memoryArchive,
	recallTool,
} from "../../src/ai-sdk.ts";
import {
	type CompactionError,
	compact,
	createCompactor,
	createRegistry,
	isCompactionError,
	keepRecent,
	loadConfig,
	type Plugin,
	summarizeOlder,
} from "../../src/index.ts";
import { backendContract, strategyContract } from "../../src/testing.ts";

const CONFIG = { strategy: { use: "keep-recent" } } as const;
let folder = "";

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "precis-given-"));
	await writeFile(join(folder, "precis.config.json"), JSON.stringify({ ...CONFIG, plugins: ["./spy.mjs"] }));
	await writeFile(
		join(folder, "spy.mjs"),
		`globalThis.spies = (globalThis.spies ?? 0) + 1;\nexport default { name: "spy", apiVersion: 1 };`,
	);
});
afterAll(() => rm(folder, { recursive: true }));

async function refusal(run: () => unknown): Promise<CompactionError> {
	try {
		await run();
	} catch (error) {
		if (isCompactionError(error)) return error;
		throw error;
	}
	throw new Error("nothing was refused");
}

describe("an option given by code that nobody knows", () => {
	const unknown = { onEvnt: () => undefined } as never;
	const CALLS: Readonly<Record<string, () => unknown>> = {
		createCompactor: () => createCompactor(CONFIG, unknown),
		compact: () => compact([], CONFIG, unknown),
		"compactor.compact": async () => (await createCompactor(CONFIG)).compact([], unknown),
		"compactor.plan": async () => (await createCompactor(CONFIG)).plan([], unknown),
		"compactor.shouldCompact": async () => (await createCompactor(CONFIG)).shouldCompact([], unknown),
		loadConfig: () => loadConfig(join(folder, "precis.config.json"), unknown),
		createRegistry: () => createRegistry(unknown),
		compactionFor: () => compactionFor(CONFIG, unknown),
		"compaction.forCall": async () => (await compactionFor(CONFIG)).forCall(unknown),
		compactionMiddleware: () => compactionMiddleware(CONFIG, unknown),
		compactUIMessages: async () => compactUIMessages([], await compactionFor(CONFIG), unknown),
		backendContract: () => backendContract(unknown),
		strategyContract: () => strategyContract(unknown),
		recallTool: () => recallTool(memoryArchive(), unknown),
	};
	for (const [name, call] of Object.entries(CALLS)) {
		test(`is refused by ${name}, and those that there are are named`, async () => {
			const { code, message } = await refusal(call);
			expect(code).toBe("CONFIG_INVALID");
			expect(message).toMatch(/^Cannot [\w ]+: there is no option "onEvnt"\..* Known: [\w, ]+\.$/);
		});
	}

	test("is compared with those that are near", async () => {
		const { message } = await refusal(() => createCompactor(CONFIG, unknown));
		expect(message).toContain('Did you mean "onEvent"?');
	});

	test("does no harm where it is undefined", async () => {
		await createCompactor(CONFIG, { onEvnt: undefined } as never);
	});
});

describe("an option of a wrong kind", () => {
	test("is refused together with all the others", async () => {
		const { message } = await refusal(() =>
			compactionFor(CONFIG, { onFailure: "thorw", when: "now", load: "file", registry: [] } as never),
		);
		expect(message).toBe(
			'Cannot make a compaction: the option "onFailure" is "thorw"; expected one of "keep", "trim", "throw"; ' +
				'the option "load" is "file"; expected a function; the option "registry" is a list; expected what createRegistry gives.',
		);
	});

	test("is refused in the guidance of a pass", async () => {
		const compactor = await createCompactor(CONFIG);
		const wrong = [{ instruction: "Keep the paths." }, { context: "one text" }, "Keep the paths."];
		for (const guidance of wrong)
			expect((await refusal(() => compactor.compact([], { guidance } as never))).code).toBe("CONFIG_INVALID");
	});

	test.each([
		["targetTokens", "5"],
		["targetTokens", 0],
		["overheadTokens", -5],
		["overheadTokens", Number.NaN],
		["signal", {}],
		["reason", { because: "I said so" }],
		["strategy", "keep-recent"],
	])("is refused by a pass: %s %j", async (name, value) => {
		const compactor = await createCompactor(CONFIG);
		for (const run of [compactor.compact, compactor.plan])
			expect((await refusal(() => run([], { [name]: value }))).code).toBe("CONFIG_INVALID");
	});

	test.each([
		["windowTokens", Number.NaN],
		["windowTokens", 0],
		["margin", -1],
		["overheadTokens", "many"],
	])("is refused by a question to the trigger: %s %j", async (name, value) => {
		const { shouldCompact, assess } = await createCompactor(CONFIG);
		for (const ask of [shouldCompact, assess])
			expect((await refusal(() => ask([], { [name]: value }))).code).toBe("CONFIG_INVALID");
	});

	test("is refused where a registry is none, or a path no text", async () => {
		const { message } = await refusal(() => createCompactor(CONFIG, { registry: {} } as never));
		expect(message).toContain('the option "registry" is an object; expected what createRegistry gives');
		expect((await refusal(() => loadConfig(5 as never))).code).toBe("CONFIG_INVALID");
	});

	test("is told in words where messages are no list", async () => {
		const { shouldCompact, countTokens } = await createCompactor(CONFIG);
		for (const ask of [shouldCompact, countTokens])
			expect((await refusal(() => ask(null as never))).code).toBe("TRANSCRIPT_INVALID");
	});

	test("is refused where a kind to preserve is none: it would be left out in silence", () => {
		for (const make of [
			() => keepRecent(8).preserveKind("bogus" as never),
			() => summarizeOlder(8, { preserveKinds: ["tools" as never] }),
		])
			expect(make).toThrow(/is no kind; expected one of system, /);
	});

	test("is refused where it is no object at all", async () => {
		const { message } = await refusal(() => createCompactor(CONFIG, "model" as never));
		expect(message).toBe('Cannot make a compactor: the options are "model"; expected an object.');
	});

	test("is refused where it says in other words that no plugin may be loaded", async () => {
		for (const plugins of ["None", "no", false, [1]]) {
			const { code } = await refusal(() => loadConfig(undefined, { cwd: folder, plugins } as never));
			expect(code).toBe("CONFIG_INVALID");
		}
	});
});

describe("one call that makes a compactor and runs a pass", () => {
	test("hands each its own options", async () => {
		const heard: string[] = [];
		const messages = [{ role: "user" as const, content: "Hello" }];
		const { tokens } = await compact(messages, CONFIG, {
			onEvent: ({ name }) => heard.push(name),
			overheadTokens: 5000,
		});
		expect(tokens.before).toBeGreaterThan(5000);
		expect(heard.length).toBeGreaterThan(0);
	});
});

describe("a config that may load no plugin", () => {
	const spies = (): number => (globalThis as { spies?: number }).spies ?? 0;

	test("loads none where a registry is handed in either", async () => {
		const stranger = await loadConfig(undefined, { cwd: folder, plugins: "none" });
		const before = spies();
		const { code } = await refusal(() => createCompactor(stranger, { registry: createRegistry() }));
		expect(code).toBe("PLUGIN_NOT_FOUND");
		expect(spies()).toBe(before);
	});

	test("gets none that another config has loaded into that registry", async () => {
		const registry = createRegistry();
		await createCompactor(await loadConfig(undefined, { cwd: folder }), { registry });
		const stranger = await loadConfig(undefined, { cwd: folder, plugins: "none" });
		expect((await refusal(() => createCompactor(stranger, { registry }))).code).toBe("PLUGIN_NOT_FOUND");
	});

	test("may load those in its list that the registry's list has too", async () => {
		const both = { cwd: folder, plugins: ["./spy.mjs", "./other.mjs"] };
		await createCompactor(await loadConfig(undefined, both), {
			registry: createRegistry({ allow: ["./spy.mjs"] }),
		});
		const error = await refusal(async () =>
			createCompactor(await loadConfig(undefined, both), {
				registry: createRegistry({ allow: ["./other.mjs"] }),
			}),
		);
		expect(error.code).toBe("PLUGIN_NOT_FOUND");
	});

	test("may use what code has put into the registry", async () => {
		const plugin: Plugin = {
			name: "own",
			apiVersion: 1,
			strategies: [{ name: "keep-all", create: () => ({ plan: () => [] }) }],
		};
		const config = { strategy: { use: "keep-all" } } as never;
		await writeFile(join(folder, "own.config.json"), JSON.stringify(config));
		const loaded = await loadConfig(join(folder, "own.config.json"), { plugins: "none" });
		const compactor = await createCompactor(loaded, { registry: createRegistry({ plugins: [plugin] }) });
		expect((await compactor.compact([{ role: "user", content: "Hello" }])).status).toBe("unchanged");
	});
});

describe("a plugin that clashes with another", () => {
	test("leaves nothing of itself in the registry", () => {
		const make = (name: string, names: readonly string[]): Plugin => ({
			name,
			apiVersion: 1,
			strategies: names.map((one) => ({ name: one, create: () => ({ plan: () => [] }) })),
		});
		const registry = createRegistry({ plugins: [make("first", ["taken"])] });
		expect(() => registry.add({ plugin: make("second", ["fresh", "taken"]), origin: "second" })).toThrow(
			'Cannot register the strategy "taken" of "second": "first" gives one of that name too.',
		);
		expect(registry.names("strategy")).not.toContain("fresh");
		expect(registry.plugins.map(({ origin }) => origin)).toEqual(["first"]);
	});
});
