import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { composeSchema } from "../../src/registry/compose-schema.ts";
import { acmeRegistry } from "../support/acme-registry.ts";

const registry = acmeRegistry({
	type: "object",
	properties: { region: { type: "string", description: "Where it runs." } },
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

describe("a plugin's schema in the composed one", () => {
	const give = (schema: object): ReturnType<Ajv["compile"]> =>
		new Ajv({ strict: false, allErrors: true }).compile(composeSchema(acmeRegistry(schema)));
	const uses = (options: object): object => ({
		strategy: { use: "keep-recent" },
		backend: { use: "acme", ...options },
	});

	test("keeps its references to its own definitions", () => {
		const check = give({
			type: "object",
			definitions: { lang: { enum: ["en", "de"] } },
			properties: { language: { $ref: "#/definitions/lang" } },
		});
		expect(check(uses({ language: "en" }))).toBe(true);
		expect(check(uses({ language: "fr" }))).toBe(false);
	});

	test("is not closed where it composes others", () => {
		const check = give({
			type: "object",
			allOf: [{ properties: { language: { type: "string" } } }],
			properties: { bullets: { type: "integer" } },
		});
		expect(check(uses({ language: "en", bullets: 3 }))).toBe(true);
		expect(check(uses({ language: 5 }))).toBe(false);
	});
});
