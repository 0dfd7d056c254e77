import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CompactionError, isCompactionError } from "../../src/errors/compaction-error.ts";
import { decodeText, readTranscript } from "../../src/formats.ts";
import reports from "../cases/reports.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const shared = join(resolve(root, process.env.PRECIS_SHARED ?? "../shared"), "data");
const runs = { numRuns: Number(process.env.PRECIS_RUNS ?? 300) };

const SUMMARY: ModelMessage = { role: "user", content: "A summary\nof two lines" };

interface FileCase {
	readonly input: {
		readonly file?: { readonly name: string; readonly content: string };
		readonly fileVariants?: readonly { readonly name: string; readonly content: string }[];
	};
}

function filesOf(id: string): readonly { readonly name: string; readonly content: string }[] {
	const { input } = reports.find((report) => report.id === id) as unknown as FileCase;
	return input.fileVariants ?? (input.file === undefined ? [] : [input.file]);
}

function failure(run: () => unknown): CompactionError {
	try {
		run();
	} catch (error) {
		if (isCompactionError(error)) return error;
		throw error;
	}
	throw new Error("expected a CompactionError");
}

const message = fc.record({
	role: fc.constantFrom("user", "assistant"),
	content: fc.oneof(
		fc.string({ unit: "binary" }),
		fc.array(fc.record({ type: fc.constant("text"), text: fc.string() })),
	),
}) as fc.Arbitrary<ModelMessage>;

describe("reading", () => {
	test.each([
		["array", "s.json", '[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]'],
		[
			"object",
			"s.json",
			'{"id":7,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"z":1}',
		],
		["jsonl", "s.jsonl", '{"role":"user","content":"a"}\n{"role":"assistant","content":"b"}\n'],
		["jsonl", "-", '\n\n{"role":"user","content":"a"}\n\n{"role":"assistant","content":"b"}'],
		["jsonl", "any name", '{"role":"user","content":"a"}\r\n{"role":"assistant","content":"b"}\r\n'],
		["array", "misnamed.jsonl", '[\n{"role":"user","content":"a"},\n{"role":"assistant","content":"b"}\n]\n'],
	])("a transcript as %s (%s) is told from its text", (format, name, text) => {
		const transcript = readTranscript(text, name);
		expect(transcript.format).toBe(format);
		expect(transcript.messages).toEqual([
			{ role: "user", content: "a" },
			{ role: "assistant", content: "b" },
		]);
	});

	test("an empty list is a transcript, an empty text is none", () => {
		expect(readTranscript("[]").messages).toEqual([]);
		expect(readTranscript('{"messages":[]}').messages).toEqual([]);
		expect(failure(() => readTranscript("\uFEFF \n", "s.json")).message).toContain('"s.json": it is empty');
	});

	test("of two equal keys the last counts, for the messages and for what is written", () => {
		const text =
			'{"messages":[{"role":"user","content":"old"}],"m\\u0065ssages":[{"role":"user","content":"new"}]}';
		const transcript = readTranscript(text);
		expect(transcript.messages).toEqual([{ role: "user", content: "new" }]);
		expect(transcript.write([SUMMARY])).toBe(
			'{"messages":[{"role":"user","content":"old"}],"m\\u0065ssages":[{"role":"user","content":"A summary\\nof two lines"}]}',
		);
	});

	test("a key named __proto__ stays a key", () => {
		const text = '[{"role":"user","content":"a","__proto__":{"role":"system"}}]';
		const [first] = readTranscript(text).messages;
		expect(Object.hasOwn(first ?? {}, "__proto__")).toBe(true);
		expect(first?.role).toBe("user");
	});

	test("session-files-01: records glued together on one line are all read", () => {
		for (const { name, content } of filesOf("session-files-01")) {
			const transcript = readTranscript(content, name);
			expect(transcript.messages.map(({ content }) => content)).toEqual(["Count }{ marks.", "Two.", "Next?"]);
			expect(transcript.locate(1)).toEqual({ line: 1, column: 44 });
			const [, second, third] = transcript.messages;
			expect(transcript.write(second && third ? [second, third] : [])).toBe(
				'{"role":"assistant","content":"Two."}\n{"role":"user","content":"Next?"}\n',
			);
		}
	});

	test("session-files-03: a byte order mark hides nothing", () => {
		const files = filesOf("session-files-03");
		expect(files.length).toBe(2);
		for (const { name, content } of files) {
			const { messages } = readTranscript(content, name);
			expect(messages).toHaveLength(2);
			expect(messages[0]?.role).toBe("system");
		}
	});

	test("session-files-05: CRLF, blank lines and a missing last line break are fine", () => {
		const [file] = filesOf("session-files-05");
		const transcript = readTranscript(file?.content ?? "", file?.name);
		expect(transcript.messages.map(({ content }) => content)).toEqual(["Hi.", "Hello.", "Next?"]);
	});

	test("session-files-06: a bad first line is an error with its number, whatever the file is called", () => {
		const [file] = filesOf("session-files-06");
		for (const name of ["s.jsonl", "-"]) {
			const error = failure(() => readTranscript(file?.content ?? "", name));
			expect(error.code).toBe("TRANSCRIPT_INVALID");
			expect(error.message).toContain(`"${name}": line 1, column 24`);
			expect(error.problems[0]).toMatchObject({ line: 1, column: 24 });
		}
	});
});

describe("what is no transcript is one error with its place", () => {
	test.each([
		[
			"a file that is cut off",
			'[\n  {"role":"user","content":"a"},\n  {"role":"assis',
			3,
			17,
			"unfinished; is the file cut off?",
		],
		["a cut off object", '{"messages":[\n{"role":"user","content":"a"},', 2, 31, "unfinished"],
		[
			"a cut off last line",
			'{"role":"user","content":"a"}\n{"role":"user","content":"b',
			2,
			28,
			"unfinished",
		],
		[
			"a bad line",
			'{"role":"user","content":"a"}\n{"role":"user",content:"b"}\n',
			2,
			16,
			'found "c"; expected a key',
		],
		[
			"a bad second value on a line",
			'{"role":"user","content":"a"}{"role":user}\n',
			1,
			38,
			'found "u"; expected a value',
		],
		[
			"a line that is no message",
			'{"role":"user","content":"a"}\n\n7\n',
			3,
			1,
			'message 1 at "/1" is number; expected a message object',
		],
		[
			"an element without content",
			'[\n {"role":"user","content":""},\n {"role":"tool"}\n]',
			3,
			2,
			'message 1 at "/1/content" is missing',
		],
		["an element without role", '{"messages":[{"content":"a"}]}', 1, 14, '"/0/role" is missing'],
		["a text that is a number", "3", 1, 1, "found 3; expected a list of messages"],
		[
			"a call without an id",
			'{"role":"user","content":"a"}\n {"role":"assistant","content":[{"type":"text","text":""},{"type":"tool-call"}]}',
			2,
			59,
			'"/1/content/1/toolCallId" is missing',
		],
		["an object of something else", '{"a":1}', 1, 1, 'found an object without "messages"'],
		["messages that are no list", '\uFEFF{ "messages": {} }', 1, 15, '"messages" is no list'],
	])("%s", (_, text, line, column, what) => {
		const error = failure(() => readTranscript(text, "s"));
		expect(error.code).toBe("TRANSCRIPT_INVALID");
		expect(error.message).toContain(`Cannot read the transcript "s": line ${line}, column ${column}: `);
		expect(error.message).toContain(what);
		expect(error.problems[0]).toMatchObject({ line, column });
	});

	test("bytes that are UTF-16 are named; broken UTF-8 is read, and said to be", () => {
		expect(failure(() => decodeText(new Uint8Array([0xff, 0xfe, 0x5b, 0]), "s")).message).toContain("UTF-16");
		expect(decodeText(new Uint8Array([0x61, 0xff]), "s")).toEqual({ text: "a\uFFFD", replaced: true });
		expect(decodeText(new TextEncoder().encode("\uFEFFé"), "s")).toEqual({
			text: "\uFEFFé",
			replaced: false,
		});
	});
});

describe("writing", () => {
	test("kept messages are written byte for byte, new ones in the layout around them", () => {
		const text =
			'\uFEFF{\r\n    "id": 1.0,\r\n    "messages": [\r\n        {\r\n            "role": "user",\r\n            "content": "\\u0061\\/"\r\n        },\r\n        {"role" :"assistant","content":"b"}\r\n    ],\r\n    "z": [1]\r\n}\r\n';
		const transcript = readTranscript(text);
		const [, last] = transcript.messages;
		expect(transcript.write(transcript.messages)).toBe(text);
		expect(transcript.write([SUMMARY, ...(last === undefined ? [] : [last])])).toBe(
			'\uFEFF{\r\n    "id": 1.0,\r\n    "messages": [\r\n        {\r\n            "role": "user",\r\n            "content": "A summary\\nof two lines"\r\n        },\r\n        {"role" :"assistant","content":"b"}\r\n    ],\r\n    "z": [1]\r\n}\r\n',
		);
		expect(JSON.parse(transcript.write([]).slice(1))).toEqual({ id: 1, messages: [], z: [1] });
	});

	test("lines keep their bytes, the file its line ends, its mark and its missing last break", () => {
		const text =
			'\uFEFF{"role": "user","content":"\\u0061"}\r\n\r\n{"content":"b", "role":"assistant"} \r\n{"role":"user","content":"c"}';
		const transcript = readTranscript(text, "s.jsonl");
		const [first, second] = transcript.messages;
		if (first === undefined || second === undefined) throw new Error("expected two messages");
		expect(transcript.write([first, SUMMARY, second])).toBe(
			'\uFEFF{"role": "user","content":"\\u0061"}\r\n{"role":"user","content":"A summary\\nof two lines"}\r\n{"content":"b", "role":"assistant"} ',
		);
		expect(transcript.writeLines([second, SUMMARY])).toBe(
			'{"content":"b", "role":"assistant"} \n{"role":"user","content":"A summary\\nof two lines"}\n',
		);
	});

	test("lone surrogates stay the escapes that they were", () => {
		const text = '[{"role":"user","content":"icons \\ud83d\\u2026"}]';
		const transcript = readTranscript(text);
		expect(transcript.write(transcript.messages)).toBe(text);
	});

	test("any messages, in any shape and layout, read back as they were, and kept ones as they stood", () => {
		fc.assert(
			fc.property(
				fc.array(message),
				fc.constantFrom("array", "object", "jsonl"),
				fc.constantFrom(undefined, "\t", "  "),
				fc.constantFrom("\n", "\r\n"),
				fc.boolean(),
				fc.nat(),
				(messages, format, indent, lineEnd, mark, cut) => {
					const body =
						format === "jsonl"
							? messages.map((one) => JSON.stringify(one)).join("\n")
							: JSON.stringify(format === "array" ? messages : { a: "]}", messages, z: [] }, null, indent);
					fc.pre(body !== "");
					const text = (mark ? "\uFEFF" : "") + body.replaceAll("\n", lineEnd);
					const transcript = readTranscript(text, "s");
					expect(transcript.messages).toEqual(JSON.parse(JSON.stringify(messages)));
					expect(transcript.write(transcript.messages)).toBe(text);
					const output = [SUMMARY, ...transcript.messages.slice(cut % (messages.length + 1))];
					expect(readTranscript(transcript.write(output), "s").messages).toEqual(output);
					expect(readTranscript(transcript.writeLines(output), "s").messages).toEqual(output);
				},
			),
			runs,
		);
	});
});

describe.skipIf(!existsSync(shared))(
	`shared transcripts (${shared}, set PRECIS_SHARED to read others)`,
	() => {
		const names = existsSync(shared)
			? readdirSync(shared).filter((name) => name.endsWith(".json") && !name.endsWith(".compactions.json"))
			: [];

		test.each(names)("%s is written as it was read", (name) => {
			const text = readFileSync(join(shared, name), "utf8");
			const transcript = readTranscript(text, name);
			expect(transcript.messages).toEqual(JSON.parse(text));
			expect(transcript.write(transcript.messages)).toBe(text);
		});
	},
);
