import { readFileSync } from "node:fs";

/** A case of test/cases/seeds.json: `prefer` is what we want where it differs from `expect`. */
export interface SeedCase {
	readonly id: string;
	readonly area: string;
	readonly topic: string;
	readonly given: Readonly<Record<string, unknown>>;
	readonly expect: Readonly<Record<string, unknown>>;
	readonly prefer?: Readonly<Record<string, unknown>>;
}

const cases: readonly SeedCase[] = JSON.parse(
	readFileSync(new URL("../cases/seeds.json", import.meta.url), "utf8"),
);

/** The cases of an area, and of a topic of it. */
export function seedCases(area: string, topic?: string): readonly SeedCase[] {
	return cases.filter((one) => one.area === area && (topic === undefined || one.topic === topic));
}

/** The estimate of the cases' figures, for one message with one text: floor((20 + code points) / 4). */
export function seedTokens(text: string): number {
	return Math.floor((20 + Array.from(text).length) / 4);
}
