import type { Host, ResolvedAiSdkBackendOptions as Options } from "../../../src/plugin.ts";

const SECRET_HEADER = /auth|cookie|key|secret|token/i;
/** Shorter values would hide ordinary words. */
const LEAST_LENGTH = 6;
const MOST_DEPTH = 6;

/** What must not be seen in an error: the key, and what headers with telling names carry. */
export function secretsOf(key: string | undefined, options: Options, host: Host): readonly string[] {
	const headers = Object.entries(options.headers ?? {})
		.filter(([name]) => SECRET_HEADER.test(name))
		.flatMap(([, value]) => [value, value.replace(/^\w+\s+/, "")]);
	const keys = [key, options.apiKeyEnv === undefined ? undefined : host.env(options.apiKeyEnv)?.trim()];
	const all = [...keys, ...headers].filter((one) => one !== undefined && one.length >= LEAST_LENGTH);
	// The longest first: one may be part of another.
	return [...new Set(all as string[])].sort((left, right) => right.length - left.length);
}

function hidden(text: string, secrets: readonly string[]): string {
	return secrets.reduce((out, secret) => out.replaceAll(secret, "…"), text);
}

function hideIn(value: unknown, secrets: readonly string[], seen: Set<unknown>, depth: number): void {
	if (typeof value !== "object" || value === null || seen.has(value) || depth > MOST_DEPTH) return;
	seen.add(value);
	// The stack repeats the message, and newer engines give it by an accessor.
	if (value instanceof Error && typeof value.stack === "string") {
		const stack = hidden(value.stack, secrets);
		if (stack !== value.stack) value.stack = stack;
	}
	for (const key of Object.getOwnPropertyNames(value)) {
		const property = Object.getOwnPropertyDescriptor(value, key);
		if (property === undefined || !("value" in property)) continue;
		if (typeof property.value !== "string") {
			hideIn(property.value, secrets, seen, depth + 1);
			continue;
		}
		const text = hidden(property.value, secrets);
		if (text === property.value) continue;
		if (property.configurable === true || property.writable === true)
			Object.defineProperty(value, key, { ...property, value: text });
	}
}

/** Replaces secrets by an ellipsis wherever an error holds text: message, stack, the provider's answer, its causes. */
export function hideSecrets(error: unknown, secrets: readonly string[]): unknown {
	if (secrets.length === 0) return error;
	if (typeof error === "string") return hidden(error, secrets);
	hideIn(error, secrets, new Set(), 0);
	return error;
}
