import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderTranscript, splitText, transcriptChunks } from "../../../src/core/prompt/render-transcript.ts";
import type { Message, Part } from "../../../src/core/transcript/message.ts";
import seeds from "../../cases/seeds.json" with { type: "json" };

const RUNS = Number(process.env.PRECIS_RUNS ?? 200);

/** A counter that counts code points, so that bounds in characters can be tested. */
const characters = (text: string): number => [...text].length;

interface SeedPart {
	readonly text?: string;
	readonly thinking?: string;
	readonly redacted?: boolean;
	readonly call?: string;
	readonly result?: string;
	readonly name?: string;
	readonly input?: unknown;
	readonly output?: string | readonly { readonly text?: string; readonly image?: boolean }[];
	readonly error?: boolean;
}

function seedPart(part: SeedPart): Part {
	if (part.call !== undefined)
		return { type: "tool-call", toolCallId: part.call, toolName: part.name ?? "", input: part.input };
	if (part.result !== undefined) {
		const output =
			typeof part.output === "string"
				? { type: part.error ? "error-text" : "text", value: part.output }
				: {
						type: "content",
						value: (part.output ?? []).map((piece) =>
							piece.image
								? { type: "image-data", data: "iVBORw0KGgo=", mediaType: "image/png" }
								: { type: "text", text: piece.text },
						),
					};
		return { type: "tool-result", toolCallId: part.result, toolName: part.name ?? "", output };
	}
	if (part.thinking !== undefined) return { type: "reasoning", text: part.thinking };
	return { type: "text", text: part.text ?? "" };
}

interface TranscriptCase {
	readonly id: string;
	readonly why: string;
	readonly given: {
		readonly messages: readonly { readonly role: string; readonly parts: readonly SeedPart[] }[];
		readonly max_chars: number;
	};
	readonly expect: { readonly rules: Readonly<Record<string, unknown>> };
	readonly prefer?: { readonly rules?: Readonly<Record<string, unknown>> };
}

const cases = seeds.filter(
	({ area, topic }) => area === "render" && topic === "transcript",
) as unknown as TranscriptCase[];

describe("the transcript that a summarizer is shown", () => {
	it("has all its given cases", () => {
		expect(cases.length).toBe(8);
	});

	it.each(cases.map((one) => [one.id, one] as const))("%s", (_, { given, expect: expected, prefer }) => {
		const messages = given.messages.map(
			({ role, parts }): Message => ({ role, content: parts.map(seedPart) }),
		);
		const text = renderTranscript(messages, { maxTokens: given.max_chars, countTokens: characters });
		const rules = prefer?.rules ?? expected.rules;
		expect(characters(text)).toBeLessThanOrEqual(given.max_chars);
		expect(text).toBe(Buffer.from(text, "utf8").toString("utf8"));
		for (const part of (rules.contains as string[] | undefined) ?? []) expect(text).toContain(part);
		for (const part of (rules.not_contains as string[] | undefined) ?? []) expect(text).not.toContain(part);
		if (rules.status_visible === true) expect(text).toContain("(result of grep, ok) 3 hits");
		if (rules.gap_counted === true) expect(text).toMatch(/\[\.\.\. \d+ messages? left out \.\.\.\]/);
		// Our outputs keep more than the case's 200 characters; what is longer still is cut and says so.
		if (rules.cut_is_marked === true) {
			const long: Message = {
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: "c1",
						toolName: "cat",
						output: { type: "text", value: "z".repeat(9000) },
					},
				],
			};
			const cut = renderTranscript([long], { maxTokens: 8000, countTokens: characters });
			expect(cut).toMatch(/z \[\.\.\. 7000 characters cut \.\.\.\] z/);
			expect(cut.length).toBeLessThan(2200);
		}
	});

	it("names images and files and never inlines them", () => {
		const messages: Message[] = [
			{
				role: "user",
				content: [
					{ type: "text", text: "See these" },
					{ type: "image", image: "data:image/png;base64,QUJDREVGRw==", mediaType: "image/png" },
					{ type: "file", data: new Uint8Array([1, 2, 3]), filename: "a.pdf", mediaType: "application/pdf" },
					{ type: "file", data: "https://example.test/b.csv", mediaType: "text/csv" },
				],
			},
		];
		const text = renderTranscript(messages, { maxTokens: 8000, countTokens: characters });
		expect(text).toContain("[image image/png]");
		expect(text).toContain("[file a.pdf application/pdf]");
		expect(text).toContain("[file text/csv https://example.test/b.csv]");
		expect(text).not.toContain("QUJDREVGRw");
	});

	it("summarizer-input-over-window-03: shows no signatures, log probabilities or traces", () => {
		const messages: Message[] = [
			{
				role: "assistant",
				content: [
					{
						type: "reasoning",
						text: "Think.",
						providerOptions: { anthropic: { signature: "U0lHTkFUVVJFLU1BUktFUg==" } },
					},
					{ type: "text", text: "Fourteen.", providerOptions: { x: { logprobs: "LOGPROBS-MARKER" } } },
				],
				providerOptions: { x: { trace: "TRACE-MARKER" } },
			},
		];
		const text = renderTranscript(messages, { maxTokens: 8000, countTokens: characters });
		expect(text).toContain("Fourteen.");
		expect(text).not.toMatch(/U0lHTkFUVVJFLU1BUktFUg|LOGPROBS-MARKER|TRACE-MARKER/);
	});

	it("unicode-01: replaces the lone half of a surrogate pair", () => {
		const messages: Message[] = [
			{
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: "sg",
						toolName: "read",
						output: { type: "error-text", value: "icons \ud83d\u2026) errored" },
					},
				],
			},
		];
		const text = renderTranscript(messages, { maxTokens: 8000, countTokens: characters });
		expect(text).toContain("(result of read, error) icons \ufffd…) errored");
		expect([...transcriptChunks(messages, { maxTokens: 8000, countTokens: characters })].join("")).toBe(text);
	});

	it("shows denials, approvals and errors for what they are", () => {
		const messages: Message[] = [
			{
				role: "assistant",
				content: [
					{ type: "tool-call", toolCallId: "a", toolName: "rm", input: { path: "x" } },
					{ type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
				],
			},
			{
				role: "tool",
				content: [
					{ type: "tool-approval-response", approvalId: "p", approved: false, reason: "too risky" } as Part,
					{
						type: "tool-result",
						toolCallId: "a",
						toolName: "rm",
						output: { type: "execution-denied", reason: "no" },
					},
				],
			},
		];
		const text = renderTranscript(messages, { maxTokens: 8000, countTokens: characters });
		expect(text).toContain('(call) rm({"path":"x"})');
		expect(text).toContain("(call denied: too risky)");
		expect(text).toContain("(result of rm, denied) no");
	});

	it("turns only what is seen into text", () => {
		let seen = 0;
		const messages = Array.from(
			{ length: 10_000 },
			(_, index): Message => ({
				role: "user",
				get content(): string {
					seen += 1;
					return `message ${index} `.repeat(20);
				},
			}),
		);
		const text = renderTranscript(messages, { maxTokens: 4000, countTokens: characters });
		expect(text).toContain("message 0 ");
		expect(text).toContain("message 9999 ");
		expect(seen).toBeLessThan(100);
	});
});

const anyMessage = fc.record({
	role: fc.constantFrom("user", "assistant", "tool", "system"),
	content: fc.oneof(
		fc.string({ maxLength: 200, unit: "binary" }),
		fc.array(
			fc.oneof(
				fc.record({ type: fc.constant("text"), text: fc.string({ maxLength: 100 }) }),
				fc.record({
					type: fc.constant("tool-call"),
					toolName: fc.string({ maxLength: 8 }),
					input: fc.jsonValue(),
				}),
				fc.record({
					type: fc.constant("tool-result"),
					toolName: fc.string({ maxLength: 8 }),
					output: fc.oneof(
						fc.jsonValue(),
						fc.record({ type: fc.constant("text"), value: fc.string({ maxLength: 3000 }) }),
						fc.record({ type: fc.constant("json"), value: fc.jsonValue({ maxDepth: 6 }) }),
					),
				}),
				fc.record({ type: fc.string({ maxLength: 6 }), whatever: fc.anything() }),
			),
			{ maxLength: 4 },
		),
	),
}) as fc.Arbitrary<Message>;

const counters = [
	characters,
	(text: string): number => text.length / 4,
	(text: string): number => Math.ceil(text.length / 3) + 7,
	(text: string): number => new TextEncoder().encode(text).length,
];

describe("for any transcript", () => {
	it("the bounded text is never over its bound, and well formed", () => {
		fc.assert(
			fc.property(
				fc.array(anyMessage, { maxLength: 12 }),
				fc.integer({ min: 40, max: 3000 }),
				fc.constantFrom(...counters),
				(messages, maxTokens, countTokens) => {
					const text = renderTranscript(messages, { maxTokens, countTokens });
					expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
					expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it("the chunks hold everything, and each fits", () => {
		fc.assert(
			fc.property(
				fc.array(anyMessage, { maxLength: 12 }),
				fc.integer({ min: 20, max: 500 }),
				(messages, maxTokens) => {
					const all = renderTranscript(messages, { maxTokens: 1_000_000, countTokens: characters });
					const chunks = [...transcriptChunks(messages, { maxTokens, countTokens: characters })];
					expect(chunks.join("")).toBe(all);
					for (const chunk of chunks) expect(characters(chunk)).toBeLessThanOrEqual(maxTokens);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it("a text is split with nothing lost and no code point parted", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: "grapheme", maxLength: 400 }),
				fc.integer({ min: 1, max: 60 }),
				(text, max) => {
					const pieces = [...splitText(text, { maxTokens: max, countTokens: characters })];
					expect(pieces.map((piece) => piece.text).join("")).toBe(text);
					for (const piece of pieces)
						expect(piece.text).toBe(Buffer.from(piece.text, "utf8").toString("utf8"));
				},
			),
			{ numRuns: RUNS },
		);
	});
});
