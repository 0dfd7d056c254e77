import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { type AgentEvent, compactionFor } from "../../src/ai-sdk.ts";
import { CONFIG, INSTRUCTIONS, PROMPT, WINDOW, withWarehouses } from "./support/start.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import { countingBackend, totalOf } from "./support/warehouse.ts";

const start = withWarehouses();
const THRESHOLD = WINDOW * 0.8;

/** History messages that the newest summary stands for. */
async function coveredBy(compaction: Awaited<ReturnType<typeof compactionFor>>): Promise<number> {
	const { records } = await compaction.state();
	return records.at(-1)?.entries.reduce((sum, entry) => sum + ("of" in entry ? entry.of.length : 0), 0) ?? 0;
}

describe.each(WAYS)("an agent over %s, %s", (version, name, modelAt) => {
	const ai = VERSIONS[version];
	// The long run once for each version; the others show that the wire format makes no difference.
	const shelves = name === "openai-compatible" ? 200 : 50;

	test(`of ${shelves} steps stays within the window, ends with the right answer and pays for each message once`, async () => {
		const { baseURL, taken, refused } = await start({ shelves, window: WINDOW });
		const backend = countingBackend();
		const events: AgentEvent[] = [];
		const compaction = await compactionFor(CONFIG, { backend, onEvent: (event) => events.push(event) });
		const agent = new ai.ToolLoopAgent({
			model: modelAt(baseURL),
			tools: shelfTools(ai),
			instructions: INSTRUCTIONS,
			stopWhen: ai.stepCountIs(shelves + 5),
			prepareStep: compaction.prepareStep,
		});
		const { text, steps } = await agent.generate({ prompt: PROMPT });
		expect(refused).toEqual([]);
		expect(text).toBe(`The total is ${totalOf(shelves)}.`);
		expect(steps).toHaveLength(shelves + 1);
		expect(Math.max(...taken)).toBeLessThan(WINDOW);
		// No message was shown to the summarizer twice, and none before the window was as full as the config says.
		expect(backend.shown).toBe(await coveredBy(compaction));
		const started = events.filter((event) => event.type === "started");
		expect(started).toHaveLength(backend.calls);
		expect(started.every(({ tokens }) => tokens >= THRESHOLD)).toBe(true);
		const dips = taken.filter((tokens, index) => tokens < (taken[index - 1] ?? 0));
		expect(dips).toHaveLength(backend.calls);
		expect(events.filter(({ type }) => type === "failed")).toEqual([]);
	});

	test("with parallel calls and reasoning, streamed", async () => {
		const { baseURL, taken, refused } = await start({
			shelves: 60,
			window: WINDOW,
			atOnce: 3,
			reasoning: true,
		});
		const backend = countingBackend();
		const compaction = await compactionFor(CONFIG, { backend });
		const result = ai.streamText({
			model: modelAt(baseURL),
			tools: shelfTools(ai),
			system: INSTRUCTIONS,
			prompt: PROMPT,
			stopWhen: ai.stepCountIs(30),
			prepareStep: compaction.prepareStep,
		});
		expect(await result.text).toBe(`The total is ${totalOf(60)}.`);
		expect(refused).toEqual([]);
		expect(Math.max(...taken)).toBeLessThan(WINDOW);
		expect(backend.calls).toBeGreaterThan(0);
		expect(backend.shown).toBe(await coveredBy(compaction));
	});

	test("of generateText, with tools that ask for approval", async () => {
		const { baseURL, taken, refused } = await start({ shelves: 45, window: WINDOW, atOnce: 2 });
		const backend = countingBackend();
		const compaction = await compactionFor(CONFIG, { backend });
		const messages: ModelMessage[] = [{ role: "user", content: PROMPT }];
		let answer = "";
		let approved = 0;
		for (let call = 0; call < 40 && answer === ""; call += 1) {
			const result = await ai.generateText({
				model: modelAt(baseURL),
				tools: shelfTools(ai, 4, true),
				system: INSTRUCTIONS,
				messages,
				stopWhen: ai.stepCountIs(50),
				prepareStep: compaction.prepareStep,
			});
			// Each version has its own name for what all steps said.
			messages.push(...(result.responseMessages ?? result.response.messages));
			const asked = result.content.filter((part) => part.type === "tool-approval-request");
			approved += asked.length;
			if (asked.length === 0) answer = result.text;
			else
				messages.push({
					role: "tool",
					content: asked.map(({ approvalId }) => ({
						type: "tool-approval-response",
						approvalId,
						approved: true,
					})),
				});
		}
		expect(answer).toBe(`The total is ${totalOf(45)}.`);
		expect(approved).toBeGreaterThan(5);
		expect(refused).toEqual([]);
		expect(Math.max(...taken)).toBeLessThan(WINDOW);
		// Each call of the loop sends the whole history again, and the summaries are not made again.
		expect(backend.calls).toBeGreaterThan(0);
		expect(backend.shown).toBe(await coveredBy(compaction));
	});
});

describe.each(Object.entries(VERSIONS))("the same agent, %s", (version, ai) => {
	const way = WAYS.find(([of]) => of === version);
	const shelves = 48;

	test("with compaction off overflows", async () => {
		const { baseURL, refused } = await start({ shelves, window: WINDOW });
		const agent = new ai.ToolLoopAgent({
			model: way?.[2](baseURL) ?? "",
			tools: shelfTools(ai),
			instructions: INSTRUCTIONS,
			stopWhen: ai.stepCountIs(shelves + 5),
		});
		await expect(agent.generate({ prompt: PROMPT })).rejects.toThrow("maximum context length");
		expect(refused).toHaveLength(1);
	});

	test("without the state pays again and again", async () => {
		const run = async (prepareStep: (options: never) => Promise<object>): Promise<void> => {
			const { baseURL } = await start({ shelves, window: WINDOW });
			const agent = new ai.ToolLoopAgent({
				model: way?.[2](baseURL) ?? "",
				tools: shelfTools(ai),
				instructions: INSTRUCTIONS,
				stopWhen: ai.stepCountIs(shelves + 5),
				prepareStep: prepareStep as never,
			});
			expect((await agent.generate({ prompt: PROMPT })).text).toBe(`The total is ${totalOf(shelves)}.`);
		};
		const withState = countingBackend();
		const compaction = await compactionFor(CONFIG, { backend: withState });
		await run((options: never) => compaction.prepareStep(options));
		const without = countingBackend();
		const initial: ModelMessage[] = [];
		await run(async (options) => {
			const { messages, steps } = options as {
				readonly messages: ModelMessage[];
				readonly steps: readonly { readonly response: { readonly messages: ModelMessage[] } }[];
			};
			if (initial.length === 0) initial.push(...messages);
			const said = steps.map(({ response }) => response.messages);
			// Version 7 carries returned messages forward: only a host that sends the whole history loses with the state.
			const history = [...initial, ...(version === "ai 6" ? (said.at(-1) ?? []) : said.flat())];
			const forgetful = await compactionFor(CONFIG, { backend: without });
			return {
				messages: history,
				...(await forgetful.prepareStep({ ...(options as object), messages: history } as never)),
			};
		});
		expect(withState.calls).toBeLessThan(5);
		expect(without.calls).toBeGreaterThan(withState.calls * 5);
	});
});
