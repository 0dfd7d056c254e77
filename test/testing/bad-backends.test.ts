import { describe, expect, test } from "vitest";
import type { Backend, BackendDefinition } from "../../src/plugin.ts";
import { backendContract } from "../../src/testing.ts";

/** Runs the suite against a backend and gives the failures, by the names of their tests. */
async function failures(
	create: () => Backend,
	schema: object = { type: "object", additionalProperties: false },
): Promise<Map<string, string>> {
	const tests: [string, () => Promise<void>][] = [];
	const definition: BackendDefinition = { name: "bad", schema, create };
	backendContract({ test: (name, run) => tests.push([name, run]), definition, deadline: 300 });
	const failed = new Map<string, string>();
	for (const [name, run] of tests) await run().catch((error: Error) => failed.set(name, error.message));
	return failed;
}

const GOOD: Backend = {
	async summarize(_request, { signal }) {
		signal.throwIfAborted();
		await new Promise((resolve, reject) => {
			setTimeout(resolve, 1);
			signal.addEventListener("abort", () => reject(signal.reason), { once: true });
		});
		return { sections: { key_facts: ["a fact"] } };
	},
};

describe("the contract suite", () => {
	test("passes a backend that keeps the contract", async () => {
		expect([...(await failures(() => GOOD))]).toEqual([]);
	});

	test("catches an open schema", async () => {
		const found = await failures(() => GOOD, { type: "object", additionalProperties: true });
		expect([...found.values()].join("\n")).toContain("additionalProperties");
	});

	test("catches both summarize and generate", async () => {
		const both = { ...GOOD, generate: async () => ({ text: "" }) } as unknown as Backend;
		expect([...(await failures(() => both)).values()].join("\n")).toContain("exactly one");
	});

	test("catches an answer in two forms, or in none", async () => {
		const two = await failures(() => ({ summarize: async () => ({ text: "a", sections: {} }) }));
		expect([...two.values()].join("\n")).toContain("sections and text");
		const none = await failures(() => ({ summarize: async () => ({}) }) as unknown as Backend);
		expect([...none.values()].join("\n")).toContain("expected exactly one");
	});

	test("catches a backend that changes its input", async () => {
		const found = await failures(() => ({
			async summarize(request) {
				(request.messages as unknown[]).push({});
				return { text: "a" };
			},
		}));
		expect([...found.values()].join("\n")).toContain("frozen");
	});

	test("catches a backend that is deaf to abort", async () => {
		const found = await failures(() => ({ summarize: async () => ({ text: "a" }) }));
		expect([...found.values()].join("\n")).toContain("throwIfAborted");
	});

	test("catches a backend that hangs", async () => {
		const found = await failures(() => ({ summarize: () => new Promise(() => undefined) }));
		expect([...found.values()].join("\n")).toContain("no answer within 300 ms");
	});

	test("catches a backend that lets a key out", async () => {
		const tests: [string, () => Promise<void>][] = [];
		const definition: BackendDefinition = {
			name: "leaky",
			create: (_options, host) => ({ summarize: async () => ({ text: `used ${host.env("KEY")}` }) }),
		};
		backendContract({ test: (name, run) => tests.push([name, run]), definition });
		const messages = await Promise.all(
			tests.map(([, run]) =>
				run().then(
					() => "",
					(error: Error) => error.message,
				),
			),
		);
		expect(messages.join("\n")).toContain("the key that the environment gave");
	});
});
