import { describe, test } from "vitest";
import extractive from "../../plugins/backends/extractive.ts";
import headlines from "../../plugins/examples/precis-plugin-headlines/index.js";
import type { BackendDefinition } from "../../src/plugin.ts";
import { backendContract } from "../../src/testing.ts";

describe("first-party and example backends keep the published contract", () => {
	backendContract({
		test,
		definition: { ...extractive, name: "extractive-again", schema: { type: "object" } },
	});
	for (const definition of headlines.backends ?? [])
		backendContract({ test, definition: definition as BackendDefinition });
});
