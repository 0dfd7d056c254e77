import { afterEach } from "vitest";
import type { Config } from "../../../src/generated/types.ts";
import { type Warehouse, type WarehouseOptions, warehouse } from "./warehouse.ts";

export const WINDOW = 6000;
export const CONFIG: Config = {
	tokens: { window: WINDOW },
	strategy: { use: "summarize-older", keepLast: 6 },
};
export const INSTRUCTIONS =
	"You count the shelves of a small warehouse, one after the other, and tell the total.";
export const PROMPT = "Count every shelf and tell me the total.";

/** Starts servers that end with the test. */
export function withWarehouses(): (options: WarehouseOptions) => Promise<Warehouse> {
	const open: Warehouse[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map((made) => made.close()));
	});
	return async (options) => {
		const made = await warehouse(options);
		open.push(made);
		return made;
	};
}
