import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message, Part } from "../../../src/core/transcript/message.ts";
import { messageTokens } from "../../../src/core/transcript/part-tokens.ts";
import { transcript } from "../../support/arbitraries.ts";

const text = (written: string): number => written.length / 4;
const of = (...content: readonly Part[]): number => messageTokens({ role: "user", content }, text);
const empty: number = of();

describe("the tokens of a message", () => {
	test("token-count-03: an image costs what providers charge, however long its base64 text is", () => {
		const image = (length: number): number =>
			of(
				{ type: "text", text: "What is this?" },
				{ type: "image", image: "AAAA".repeat(length), mediaType: "image/png" },
			);
		expect(image(10_000)).toBe(image(20_000));
		expect(image(10_000)).toBeGreaterThan(10);
		expect(image(10_000)).toBeLessThan(5000);
	});

	test("an image costs the same as part, as file, as bytes, as link and in a tool's result", () => {
		const price = of({ type: "image", image: "AAAA" }) - empty;
		const file = (data: unknown): number => of({ type: "file", mediaType: "image/png", data }) - empty;
		expect(file("A".repeat(40_000))).toBe(price);
		expect(file(new Uint8Array(30_000))).toBe(price);
		expect(file(new URL("https://example.test/a.png"))).toBe(price);
		expect(file({ type: "data", data: "A".repeat(40_000) })).toBe(price);
		for (const item of [
			{ type: "image-data", data: "A".repeat(40_000), mediaType: "image/png" },
			{ type: "image-url", url: "https://example.test/a.png" },
			{ type: "media", data: "A".repeat(40_000), mediaType: "image/png" },
			{ type: "file-data", data: "A".repeat(40_000), mediaType: "image/png" },
			{ type: "file", data: { type: "data", data: "A".repeat(40_000) }, mediaType: "image/png" },
		]) {
			const result = { type: "tool-result", toolCallId: "c", toolName: "shot" };
			const without = of({ ...result, output: { type: "content", value: [] } });
			expect(of({ ...result, output: { type: "content", value: [item] } }) - without).toBe(price);
		}
		expect(
			of({ type: "image", image: "AAAA", providerOptions: { openai: { imageDetail: "low" } } }) - empty,
		).toBe(85);
	});

	test("documents cost by page, audio and video by second, within what a provider takes", () => {
		const file = (mediaType: string, bytes: number): number =>
			of({ type: "file", mediaType, data: new Uint8Array(bytes) }) - empty;
		expect(file("application/pdf", 1000)).toBe(2000);
		expect(file("application/pdf", 650_000)).toBe(20_000);
		expect(file("application/pdf", 50_000_000)).toBe(200_000);
		expect(file("audio/mpeg", 16_384 * 60)).toBe(32 * 60);
		expect(file("video/mp4", 262_144 * 10)).toBe(2630);
		expect(file("text/csv", 4000)).toBe(1000);
		expect(
			of({ type: "file", mediaType: "text/plain", data: { type: "text", text: "a".repeat(400) } }) - empty,
		).toBe(100);
		expect(file("application/x-unheard-of", 9_000_000)).toBe(2000);
	});

	test("a call counts its name and its input, a result its output by type", () => {
		const call = (input: unknown): number =>
			of({ type: "tool-call", toolCallId: "c", toolName: "grep", input });
		expect(call({ pattern: "a".repeat(400) }) - call({ pattern: "" })).toBe(100);
		expect(call({ list: Array.from({ length: 50 }, () => "item") })).toBeGreaterThan(
			call({ list: ["item"] }) + 50,
		);
		const result = (output: unknown): number =>
			of({ type: "tool-result", toolCallId: "c", toolName: "grep", output });
		const long = "a".repeat(400);
		for (const output of [
			{ type: "text", value: long },
			{ type: "error-text", value: long },
			{ type: "json", value: [long] },
			{ type: "error-json", value: { error: long } },
			{ type: "execution-denied", reason: long },
			{ type: "content", value: [{ type: "text", text: long }] },
		]) {
			expect(result(output)).toBeGreaterThanOrEqual(100);
			expect(result(output)).toBeLessThan(115);
		}
	});

	test("a part of an unknown type counts, and never for more than a few thousand tokens", () => {
		expect(of({ type: "hologram", data: { depth: 3 } })).toBeGreaterThan(empty);
		expect(of({ type: "hologram", data: "A".repeat(1_000_000) })).toBeLessThan(5000);
	});

	test("an input that contains itself is refused, one that nests deep is not", () => {
		const loop: Record<string, unknown> = {};
		loop.self = [loop, loop];
		expect(() => of({ type: "tool-call", toolCallId: "c", toolName: "grep", input: loop })).toThrowError(
			expect.objectContaining({ code: "TRANSCRIPT_INVALID" }),
		);
		let deep: unknown = "end";
		for (let depth = 0; depth < 400; depth += 1) deep = [deep];
		expect(of({ type: "tool-call", toolCallId: "c", toolName: "grep", input: deep })).toBeGreaterThan(400);
	});

	test("is finite and at least 0 for every message, and leaves it as it was", () => {
		fc.assert(
			fc.property(transcript, (messages) => {
				const before = structuredClone(messages);
				for (const message of messages) {
					const tokens = messageTokens(message, text);
					expect(Number.isFinite(tokens) && tokens >= 0).toBe(true);
				}
				expect(messages).toEqual(before);
			}),
			{ numRuns: Number(process.env.PRECIS_RUNS ?? 200) },
		);
	});

	test("of messages from anywhere is finite, whatever stands in their parts", () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.record({
						type: fc.string(),
						text: fc.anything(),
						output: fc.anything(),
						input: fc.jsonValue(),
						data: fc.anything(),
					}),
				),
				(content) => {
					const tokens = messageTokens({ role: "user", content } as unknown as Message, text);
					expect(Number.isFinite(tokens) && tokens >= 0).toBe(true);
				},
			),
			{ numRuns: Number(process.env.PRECIS_RUNS ?? 200) },
		);
	});
});
