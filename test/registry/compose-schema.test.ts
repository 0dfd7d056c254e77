import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { builtins } from "../../src/builtins.ts";
import { composeSchema } from "../../src/registry/compose-schema.ts";
import { Registry } from "../../src/registry/registry.ts";

const registry = new Registry(builtins, {
	plugins: [
		{
			name: "acme",
			apiVersion: 1,
			backends: [
				{
					name: "acme",
					schema: {
						type: "object",
						properties: { region: { type: "string", description: "Where it runs." } },
					},
					create: () => ({ summarize: async () => ({ text: "" }) }),
				},
			],
		},
	],
});
const schema = composeSchema(registry);
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

describe("the composed schema", () => {
	test("is one document: every reference points into it", () => {
		const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(
			(match) => match[1] ?? "",
		);
		expect(references.length).toBeGreaterThan(10);
		expect(references.filter((reference) => !reference.startsWith("#/"))).toEqual([]);
	});

	test("accepts a plugin's options beside the built-in ones", () => {
		expect(
			validate({
				strategy: { use: "summarize-older", keepLast: 4 },
				backend: { use: "acme", region: "north" },
			}),
		).toBe(true);
	});

	test("refuses a typo in a plugin's options, in a built-in's, and an unknown name", () => {
		expect(validate({ strategy: { use: "keep-recent" }, backend: { use: "acme", regoin: "north" } })).toBe(
			false,
		);
		expect(validate({ strategy: { use: "keep-recent", keepLst: 1 } })).toBe(false);
		expect(validate({ strategy: { use: "no-such-strategy" } })).toBe(false);
		expect(validate({ strategy: { use: "pipeline", steps: [{ use: "keep-recent", keepLst: 1 }] } })).toBe(
			false,
		);
	});
});
