import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage } from "ai";
import { afterAll, describe, expect, test } from "vitest";
import { type Archive, compactionFor, fileArchive, memoryArchive, recallTool } from "../../src/ai-sdk.ts";
import type { LoopbackRequest } from "../../src/testing.ts";
import { WINDOW, withWarehouses } from "./support/start.ts";
import { namingBackend, step, TALK_CONFIG, talk } from "./support/talk.ts";
import { VERSIONS, WAYS } from "./support/versions.ts";
import { counted } from "./support/warehouse.ts";

const start = withWarehouses();
const folder = await mkdtemp(join(tmpdir(), "precis-recall-"));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

const KINDS: Readonly<Record<string, () => Archive>> = {
	"in memory": memoryArchive,
	"in a file": () => {
		files += 1;
		return fileArchive(join(folder, `${files}.jsonl`));
	},
};

describe.each(Object.entries(KINDS))("an archive %s", (_, create) => {
	test("holds every original that was evicted, once, by its place in the history", async () => {
		const archive = create();
		const { prepareStep } = await compactionFor(TALK_CONFIG, { backend: namingBackend(), archive });
		for (let length = 1; length <= 71; length += 2) await prepareStep(step(talk(length)));
		const kept = await archive.list();
		expect(kept.length).toBeGreaterThan(40);
		expect(kept.map(({ index }) => index)).toEqual(kept.map((_, index) => index));
		expect(kept.map(({ message }) => message)).toEqual(talk(kept.length));
	});

	test("is searched by words, or by number", async () => {
		const archive = create();
		const compaction = await compactionFor(TALK_CONFIG, { backend: namingBackend(), archive });
		const history = talk(25).with(3, {
			role: "assistant",
			content: `The key hangs behind the BLUE crate. ${"x".repeat(900)}`,
		});
		await compaction.forCall({ id: "one" }).prepareStep(step(history));
		await compaction.forCall({ id: "two" }).prepareStep(step(talk(25, "z")));
		const { execute } = recallTool(archive, { id: "one", maxResults: 2, maxCharacters: 400 });
		expect(await execute({ words: "blue KEY" })).toMatch(/^Message 3 \(assistant\):\nThe key hangs/);
		expect(await execute({ words: "crates lamp" })).toMatch(/more have some of these words\.$/);
		const cut = await execute({ index: 3 });
		expect(cut.length).toBeLessThan(500);
		expect(cut).toContain("go on with offset 400");
		expect(await execute({ index: 3, offset: 900 })).not.toContain("go on");
		expect(await execute({ index: 999 })).toContain("There is no message 999");
		expect(await execute({ words: "zebra" })).toContain("Nothing");
		expect(await execute({ words: "z3" })).toContain("Nothing");
		expect(await execute({})).toContain("Name words");
		expect(await recallTool(archive, { id: "two" }).execute({ words: "z3:" })).toContain(
			"Message 3 (assistant)",
		);
	});
});

describe("an archive in a file", () => {
	test("survives a restart and a line that a crash has cut, and keeps nothing twice", async () => {
		const path = join(folder, "crash.jsonl");
		const messages = [{ index: 0, message: talk(1)[0] as never }];
		await fileArchive(path).add(messages);
		await appendFile(path, '{"index":1,"message":{"role":"us');
		const later = fileArchive(path);
		await later.add([...messages, { index: 2, message: { role: "user", content: "after" }, id: "x" }]);
		expect((await readFile(path, "utf8")).trim().split("\n")).toHaveLength(3);
		expect((await fileArchive(path).list()).map(({ index }) => index)).toEqual([0, 2]);
	});

	test("a disk that fails is told, and harms no request", async () => {
		const events: unknown[] = [];
		const { prepareStep } = await compactionFor(TALK_CONFIG, {
			backend: namingBackend(),
			archive: fileArchive(join(folder, "no", "such", "folder.jsonl")),
			onEvent: (event) => events.push(event),
		});
		expect((await prepareStep(step(talk(25)))).messages?.length).toBeLessThan(10);
		expect(events).toContainEqual(
			expect.objectContaining({ type: "failed", stage: "archive", action: "kept" }),
		);
	});
});

test.each(Object.entries(VERSIONS))(
	"%s: an agent finds again what compaction took away",
	async (version, ai) => {
		const archive = memoryArchive();
		const asked: unknown[] = [];
		const script = ({ body }: LoopbackRequest) => {
			asked.push(body.tools);
			const text = JSON.stringify(body.messages);
			const found = /shelf 2 holds (\d+) boxes/.exec(text)?.[1];
			return found === undefined
				? { toolCalls: [{ toolCallId: "r1", toolName: "recall", input: { words: "shelf 2 holds" } }] }
				: { text: `Shelf 2 has ${found}.` };
		};
		const { baseURL, refused } = await start({ shelves: 1, window: WINDOW, script });
		const compaction = await compactionFor(
			{ tokens: { window: WINDOW }, strategy: { use: "summarize-older", keepLast: 6 } },
			{ backend: namingBackend(), archive },
		);
		const { text } = await ai.generateText({
			model: WAYS.find(([of]) => of === version)?.[2](baseURL) as never,
			tools: { recall: recallTool(archive) },
			messages: counted(60) as ModelMessage[],
			stopWhen: ai.stepCountIs(4),
			prepareStep: compaction.prepareStep,
		});
		expect(text).toBe("Shelf 2 has 75.");
		expect(refused).toEqual([]);
		expect(JSON.stringify(asked[0])).toContain("Words to look for");
	},
);
