/** A foreign value in a few words, for messages. */
export function describe(value: unknown): string {
	if (value === undefined) return "nothing";
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value !== "object") return `a ${typeof value}`;
	const keys = Object.keys(value).slice(0, 5);
	return keys.length === 0 ? "an empty object" : `an object with ${keys.map((key) => `"${key}"`).join(", ")}`;
}
