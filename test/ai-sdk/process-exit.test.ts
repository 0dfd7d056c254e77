import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folder = await mkdtemp(join(root, "node_modules/.precis-exit-"));
afterAll(() => rm(folder, { recursive: true }));

/** A host whose process ends where it is told to: "during" the pass, while the state is "saved", or not at all. */
const HOST = `
import { readFile, rename, writeFile } from "node:fs/promises";
import { compactionFor } from ${JSON.stringify(join(root, "src/ai-sdk.ts"))};
const [, , file, when] = process.argv;
let calls = 0;
const compaction = await compactionFor(
	{ tokens: { window: 1800 }, strategy: { use: "summarize-older", keepLast: 4 } },
	{
		backend: { async summarize() { calls += 1; if (when === "during") process.kill(process.pid, "SIGKILL"); return { text: "So far." }; } },
		load: async () => JSON.parse(await readFile(file, "utf8").catch(() => "null")),
		save: async (_, state) => {
			await writeFile(file + ".new", JSON.stringify(state));
			if (when === "saved") process.kill(process.pid, "SIGKILL");
			await rename(file + ".new", file);
		},
	},
);
const messages = Array.from({ length: 25 }, (_, index) => ({ role: index % 2 ? "assistant" : "user", content: index + ": " + "The crates stand in the north of the hall. ".repeat(8) }));
const step = await compaction.forCall({ id: "chat" }).prepareStep({ messages, steps: [], stepNumber: 0 });
console.log(JSON.stringify({ calls, length: step.messages.length, last: step.messages.at(-1).content === messages.at(-1).content }));
`;

test("a process that ends in the middle of a pass, or of a save, loses nothing; the next one goes on", async () => {
	const script = join(folder, "host.mjs");
	const entry = join(folder, "entry.ts");
	await writeFile(entry, HOST);
	await build({
		entryPoints: [entry],
		outfile: script,
		bundle: true,
		splitting: false,
		format: "esm",
		platform: "node",
		packages: "external",
		logLevel: "error",
	});
	const file = join(await mkdtemp(join(tmpdir(), "precis-exit-")), "state.json");
	const run = (when: string) => promisify(execFile)(process.execPath, [script, file, when]);
	await expect(run("during")).rejects.toMatchObject({ signal: "SIGKILL" });
	await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
	await expect(run("saved")).rejects.toMatchObject({ signal: "SIGKILL" });
	await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
	expect(JSON.parse((await run("")).stdout)).toEqual({ calls: 1, length: 5, last: true });
	expect(JSON.parse((await run("")).stdout)).toEqual({ calls: 0, length: 5, last: true });
	// Cut down later on, the stored state still stands.
	await expect(run("during")).resolves.toBeDefined();
	expect(JSON.parse(await readFile(file, "utf8")).records).toHaveLength(1);
});
