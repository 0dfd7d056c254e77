import { describe, expect, test } from "vitest";
import { type AgentEvent, compactionFor } from "../../src/ai-sdk.ts";
import { CONFIG, INSTRUCTIONS, PROMPT, WINDOW, withWarehouses } from "./support/start.ts";
import { namingBackend, reloaded, step, TALK_CONFIG, talk } from "./support/talk.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import { countingBackend, totalOf } from "./support/warehouse.ts";

const start = withWarehouses();
const soon = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.each(WAYS.filter(([, name]) => name !== "openai chat"))(
	"an agent ahead, %s, %s",
	(version, _, modelAt) => {
		const ai = VERSIONS[version];

		test("waits for no summary that is ready in time, and ends with the right answer", async () => {
			const shelves = 90;
			const { baseURL, taken, refused } = await start({ shelves, window: WINDOW });
			const events: AgentEvent[] = [];
			const backend = countingBackend(() => soon(5));
			const compaction = await compactionFor(CONFIG, {
				backend,
				when: "ahead",
				onEvent: (event) => events.push(event),
			});
			const agent = new ai.ToolLoopAgent({
				model: modelAt(baseURL),
				tools: shelfTools(ai),
				instructions: INSTRUCTIONS,
				stopWhen: ai.stepCountIs(shelves + 5),
				prepareStep: compaction.prepareStep,
			});
			expect((await agent.generate({ prompt: PROMPT })).text).toBe(`The total is ${totalOf(shelves)}.`);
			await compaction.idle();
			expect(refused).toEqual([]);
			expect(Math.max(...taken)).toBeLessThan(WINDOW);
			const started = events.filter((event) => event.type === "started");
			expect(started.length).toBeGreaterThan(1);
			expect(started.every(({ when }) => when === "ahead")).toBe(true);
			expect(backend.calls).toBe(started.length);
		});
	},
);

describe("ahead", () => {
	test("messages that came meanwhile stay, behind the summary", async () => {
		let finish: () => void = () => undefined;
		const backend = namingBackend(
			() =>
				new Promise((resolve) => {
					finish = resolve;
				}),
		);
		const compaction = await compactionFor(TALK_CONFIG, { backend, when: "ahead" });
		expect(await compaction.prepareStep(step(talk(19)))).toEqual({});
		// The agent goes on; nothing is started twice.
		expect(await compaction.prepareStep(step(talk(20)))).toEqual({});
		await soon(5);
		expect(backend.shown).toHaveLength(1);
		finish();
		await compaction.idle();
		const history = reloaded(talk(22));
		const { messages = [] } = await compaction.prepareStep(step(history));
		expect(messages.slice(1)).toEqual(history.slice(15));
		expect(backend.shown).toHaveLength(1);
	});

	test("a step that cannot wait any longer waits for the summary under way, and pays no second one", async () => {
		const backend = namingBackend(() => soon(30));
		const compaction = await compactionFor(TALK_CONFIG, { backend, when: "ahead" });
		await compaction.prepareStep(step(talk(19)));
		const { messages = [] } = await compaction.prepareStep(step(talk(25)));
		expect(messages).toHaveLength(11);
		expect(backend.shown).toHaveLength(1);
	});

	test("a summary of a history that was edited meanwhile is not put in", async () => {
		const backend = namingBackend(() => soon(10));
		const compaction = await compactionFor(TALK_CONFIG, { backend, when: "ahead" });
		await compaction.prepareStep(step(talk(19)));
		await compaction.idle();
		const edited = talk(20).with(2, { role: "user", content: "e2: otherwise" });
		expect(await compaction.prepareStep(step(edited))).toEqual({});
	});

	test("a failure ahead harms no step", async () => {
		const events: AgentEvent[] = [];
		const backend = namingBackend(() => {
			throw new Error("down");
		});
		const compaction = await compactionFor(TALK_CONFIG, {
			backend,
			when: "ahead",
			onEvent: (event) => events.push(event),
		});
		expect(await compaction.prepareStep(step(talk(19)))).toEqual({});
		await compaction.idle();
		expect(events.at(-1)).toMatchObject({ type: "failed", stage: "pass", action: "kept" });
		expect(await compaction.prepareStep(step(talk(20)))).toEqual({});
		expect(backend.shown).toHaveLength(1);
	});

	test("close ends what is under way", async () => {
		const ended: unknown[] = [];
		const backend = namingBackend((signal) => {
			signal.addEventListener("abort", () => ended.push(signal.reason));
			return new Promise(() => undefined);
		});
		const compaction = await compactionFor(TALK_CONFIG, { backend, when: "ahead" });
		await compaction.prepareStep(step(talk(19)));
		await soon(5);
		compaction.close();
		await compaction.idle();
		expect(ended).toHaveLength(1);
	});

	test("a share that is none is refused", async () => {
		await expect(compactionFor(TALK_CONFIG, { when: "ahead", aheadAt: 1 })).rejects.toMatchObject({
			code: "CONFIG_INVALID",
		});
	});
});
