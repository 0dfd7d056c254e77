const OPEN_KEYWORDS = [
	"additionalProperties",
	"unevaluatedProperties",
	"patternProperties",
	"$ref",
	"allOf",
	"anyOf",
	"oneOf",
	"if",
];

/**
 * A plugin's schema with its top level closed, unless the author says otherwise in any way: an option that
 * nobody reads would be silently ignored.
 */
export function closed(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return OPEN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
		? schema
		: { ...schema, additionalProperties: false };
}
