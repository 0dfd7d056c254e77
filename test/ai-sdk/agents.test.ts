import { afterEach, describe, expect, test } from "vitest";
import { compactionFor } from "../../src/ai-sdk.ts";
import type { Config } from "../../src/generated/types.ts";
import { shelfTools, VERSIONS, WAYS } from "./support/versions.ts";
import {
	countingBackend,
	totalOf,
	type Warehouse,
	type WarehouseOptions,
	warehouse,
} from "./support/warehouse.ts";

const open: Warehouse[] = [];
async function start(options: WarehouseOptions): Promise<Warehouse> {
	const made = await warehouse(options);
	open.push(made);
	return made;
}
afterEach(async () => {
	await Promise.all(open.splice(0).map((made) => made.close()));
});

const WINDOW = 6000;
const config: Config = {
	tokens: { window: WINDOW },
	strategy: { use: "summarize-older", keepLast: 6 },
};
const INSTRUCTIONS = "You count the shelves of a small warehouse, one after the other, and tell the total.";
const PROMPT = "Count every shelf and tell me the total.";

describe.each(WAYS)("%s, %s", (version, _, modelAt) => {
	const ai = VERSIONS[version];

	test("an agent of 200 steps stays within the window and ends with the right answer", async () => {
		const shelves = 200;
		const { baseURL, taken, refused } = await start({ shelves, window: WINDOW });
		const backend = countingBackend();
		const compaction = await compactionFor(config, { backend });
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
	});
});
