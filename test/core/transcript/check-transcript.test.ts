import { describe, expect, test } from "vitest";
import { checkTranscript } from "../../../src/core/transcript/check-transcript.ts";

function failure(value: unknown): { readonly code: string; readonly message: string } {
	try {
		checkTranscript(value);
	} catch (error) {
		return error as { code: string; message: string };
	}
	throw new Error("expected it to be refused");
}

describe("a transcript", () => {
	test("passes with parts and fields that nobody knows, as a list of its own of the very same objects", () => {
		const messages = [
			{ role: "system", content: "Rules." },
			{ role: "user", content: [{ type: "hologram", depth: 3 }], createdAt: 1 },
			{ role: "assistant", content: [] },
		];
		const checked = checkTranscript(messages);
		expect(checked).not.toBe(messages);
		expect(checked.every((message, index) => message === messages[index])).toBe(true);
	});

	test.each([
		[undefined, "missing", "list"],
		[{ messages: [] }, "object", "list"],
		[["hi"], '"/0" is "hi"', "message object"],
		[[null], "null", "message object"],
		[[{ role: "bot", content: "" }], '"/0/role" is "bot"', "assistant"],
		[[{ role: "user" }], '"/0/content" is missing', "parts"],
		[[{ role: "user", content: [null] }], '"/0/content/0" is null', "type"],
		[[{ role: "user", content: [{ text: "x" }] }], '"/0/content/0/type"', "text"],
		[[{ role: "user", content: [{ type: "text" }] }], '"/0/content/0/text"', "text"],
		[
			[
				{ role: "user", content: "a" },
				{ role: "assistant", content: [{ type: "tool-call", toolName: "t" }] },
			],
			'message 1 at "/1/content/0/toolCallId"',
			"text",
		],
		[
			[{ role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "t", output: "14" }] }],
			'"/0/content/0/output" is "14"',
			'"type": "text"',
		],
	])("that is malformed is refused by its place: %j", (value, found, wanted) => {
		const error = failure(value);
		expect(error.code).toBe("TRANSCRIPT_INVALID");
		expect(error.message).toContain(found);
		expect(error.message).toContain(wanted);
	});
});
