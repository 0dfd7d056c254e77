import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quickCheck } from "../../src/registry/quick-check.ts";

const RUNS = Number(process.env.PRECIS_RUNS ?? 300);

const primitive: fc.Arbitrary<unknown> = fc.oneof(
	fc.integer({ min: -3, max: 12 }),
	fc.constantFrom("", "a", "ab", "🚚🚚", "north"),
	fc.boolean(),
	fc.constant(null),
	fc.constant(0.5),
);
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ depthSize: "small" },
		primitive,
		fc.array(tie("value"), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { maxKeys: 3 }),
	),
})).value;
const schema: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{ schema: Record<string, unknown> }>(
	(tie) => ({
		schema: fc.record(
			{
				type: fc.oneof(
					fc.constantFrom("object", "string", "integer", "number", "boolean", "array", "null"),
					fc.constant(["string", "null"]),
				),
				enum: fc.uniqueArray(primitive, { minLength: 1, maxLength: 3 }),
				minimum: fc.integer({ min: -3, max: 5 }),
				exclusiveMaximum: fc.integer({ min: 0, max: 12 }),
				minLength: fc.integer({ min: 0, max: 2 }),
				maxLength: fc.integer({ min: 0, max: 2 }),
				minItems: fc.integer({ min: 0, max: 2 }),
				pattern: fc.constantFrom("^a", "b$", "^.$"),
				required: fc.subarray(["a", "b"]),
				properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
				additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
				items: tie("schema"),
				default: primitive,
				description: fc.constant("Words."),
			},
			{ requiredKeys: [] },
		),
	}),
).schema;

describe("the quick check of options", () => {
	test("accepts only what ajv accepts, and fills in the same defaults", () => {
		fc.assert(
			fc.property(
				schema,
				fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 }),
				(written, options) => {
					const quick = quickCheck(written, options);
					if (quick === undefined) return;
					const copy = structuredClone(options);
					const validate = new Ajv({ strict: false, useDefaults: true, validateSchema: false }).compile(
						written,
					);
					expect([validate(copy), validate.errors]).toEqual([true, null]);
					expect(quick).toEqual(copy);
				},
			),
			{ numRuns: RUNS },
		);
	});

	test("leaves to ajv what it does not know, and what seems wrong", () => {
		expect(quickCheck({ type: "object", properties: { a: { format: "uri" } } }, { a: "x" })).toBeUndefined();
		expect(quickCheck({ oneOf: [{}] }, {})).toBeUndefined();
		expect(quickCheck({ type: "no-such-type" }, {})).toBeUndefined();
		expect(quickCheck({ properties: { a: { type: "string" } } }, { a: 1 })).toBeUndefined();
	});

	test("decides the usual case itself", () => {
		const usual = {
			type: "object",
			additionalProperties: false,
			properties: { region: { enum: ["north"], default: "north" }, retries: { type: "integer", minimum: 0 } },
		};
		expect(quickCheck(usual, { retries: 2 })).toEqual({ region: "north", retries: 2 });
	});
});
