import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { WINDOW, withWarehouses } from "./support/start.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, ".docs");
const text = await readFile(join(root, "docs/agents.md"), "utf8");
const blocks = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? "");
await mkdir(folder, { recursive: true });
afterAll(() => rm(folder, { recursive: true }));
const start = withWarehouses();

test("docs/agents.md has programs", () => {
	expect(blocks.length).toBeGreaterThan(4);
});

test.each(blocks.map((code, index) => [index, code] as const))(
	"program %i of docs/agents.md runs",
	async (index, code) => {
		const { baseURL } = await start({ shelves: 1, window: WINDOW, script: () => ({ text: "ok" }) });
		const printed: unknown[][] = [];
		vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words));
		vi.stubEnv("OPENAI_BASE_URL", baseURL);
		try {
			const file = join(folder, `${index}.mjs`);
			await writeFile(
				file,
				code
					.replaceAll('"states"', JSON.stringify(join(folder, "states")))
					.replaceAll("`states/", `\`${folder}/states/`),
			);
			await import(file);
		} finally {
			vi.unstubAllEnvs();
			vi.restoreAllMocks();
		}
		expect(printed.length).toBeGreaterThan(0);
		if (code.includes("Say ok.")) expect(printed).toEqual([["ok"]]);
	},
);
