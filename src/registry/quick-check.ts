type Schema = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value. */
const ANNOTATIONS = new Set([
	"$schema",
	"$id",
	"$comment",
	"title",
	"description",
	"default",
	"examples",
	"deprecated",
]);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
	object: isObject,
	array: Array.isArray,
	string: (value) => typeof value === "string",
	number: (value) => typeof value === "number" && Number.isFinite(value),
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === "boolean",
	null: (value) => value === null,
};

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A check of one keyword: true, or false where the value is wrong or where this cannot tell. */
type Check = (limit: unknown, value: unknown, schema: Schema) => boolean;

const numeric =
	(holds: (value: number, limit: number) => boolean): Check =>
	(limit, value) =>
		typeof limit === "number" && (typeof value !== "number" || holds(value, limit));

const sized =
	(
		is: (value: unknown) => boolean,
		size: (value: never) => number,
		holds: (value: number, limit: number) => boolean,
	): Check =>
	(limit, value) =>
		typeof limit === "number" && (!is(value) || holds(size(value as never), limit));

const codePoints = (text: string): number => [...text].length;
const count = (list: readonly unknown[]): number => list.length;
const atLeast = (value: number, limit: number): boolean => value >= limit;
const atMost = (value: number, limit: number): boolean => value <= limit;
const isText = (value: unknown): boolean => typeof value === "string";

const CHECKS: Readonly<Record<string, Check>> = {
	type(types, value) {
		const list: readonly unknown[] = Array.isArray(types) ? types : [types];
		return (
			list.every((type) => typeof type === "string" && Object.hasOwn(TYPES, type)) &&
			list.some((type) => TYPES[String(type)]?.(value) === true)
		);
	},
	enum: (allowed, value) => Array.isArray(allowed) && isPrimitive(value) && allowed.includes(value),
	const: (expected, value) => isPrimitive(expected) && expected === value,
	minimum: numeric(atLeast),
	maximum: numeric(atMost),
	exclusiveMinimum: numeric((value, limit) => value > limit),
	exclusiveMaximum: numeric((value, limit) => value < limit),
	minLength: sized(isText, codePoints, atLeast),
	maxLength: sized(isText, codePoints, atMost),
	minItems: sized(Array.isArray, count, atLeast),
	maxItems: sized(Array.isArray, count, atMost),
	pattern(pattern, value) {
		if (typeof value !== "string") return true;
		try {
			return typeof pattern === "string" && new RegExp(pattern, "u").test(value);
		} catch {
			return false;
		}
	},
	required: (keys, value) =>
		Array.isArray(keys) &&
		(!isObject(value) || keys.every((key) => typeof key === "string" && Object.hasOwn(value, key))),
	items: (items, value) =>
		isObject(items) && (!Array.isArray(value) || value.every((item) => holds(items, item))),
	properties(properties, value) {
		if (!isObject(properties)) return false;
		if (!isObject(value)) return true;
		return Object.entries(properties).every(
			([key, inner]) => !Object.hasOwn(value, key) || (isObject(inner) && holds(inner, value[key])),
		);
	},
	additionalProperties(rest, value, { properties }) {
		if (typeof rest !== "boolean" && !isObject(rest)) return false;
		if (!isObject(value) || rest === true) return true;
		const named = isObject(properties) ? properties : {};
		const others = Object.keys(value).filter((key) => !Object.hasOwn(named, key));
		return rest === false ? others.length === 0 : others.every((key) => holds(rest, value[key]));
	},
};

function fillDefaults({ properties }: Schema, value: unknown): void {
	if (!isObject(properties) || !isObject(value)) return;
	for (const [key, inner] of Object.entries(properties)) {
		if (!Object.hasOwn(value, key) && isObject(inner) && Object.hasOwn(inner, "default")) {
			Object.defineProperty(value, key, {
				value: structuredClone(inner.default),
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
	}
}

function holds(schema: Schema, value: unknown): boolean {
	fillDefaults(schema, value);
	return Object.entries(schema).every(([keyword, limit]) => {
		if (ANNOTATIONS.has(keyword)) return true;
		return Object.hasOwn(CHECKS, keyword) && CHECKS[keyword]?.(limit, value, schema) === true;
	});
}

/**
 * Tells of most right options that they are right, in microseconds: loading ajv and compiling a schema costs more
 * than loading most plugins does. It knows the keywords that option schemas are made of; of anything else, and of
 * anything that seems wrong, it says nothing, and ajv decides.
 * @returns a copy with defaults filled in, or undefined where ajv has to look
 */
export function quickCheck(
	schema: Schema,
	options: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
	const copy = structuredClone(options);
	return holds(schema, copy) ? copy : undefined;
}
