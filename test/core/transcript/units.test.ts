import { describe, expect, test } from "vitest";
import type { Message, Part } from "../../../src/core/transcript/message.ts";
import { findUnits } from "../../../src/core/transcript/units.ts";

const user: Message = { role: "user", content: "Count." };
const said: Message = { role: "assistant", content: "Fourteen." };

function call(...ids: readonly string[]): Message {
	return {
		role: "assistant",
		content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "count", input: {} })),
	};
}

function result(...ids: readonly string[]): Message {
	return {
		role: "tool",
		content: ids.map((toolCallId) => ({
			type: "tool-result",
			toolCallId,
			toolName: "count",
			output: { type: "text", value: "14" },
		})),
	};
}

function parts(role: string, ...content: readonly Part[]): Message {
	return { role, content };
}

/** The units that have more than one message. */
function tied(messages: readonly Message[]): readonly (readonly number[])[] {
	return findUnits(messages).members.filter(({ length }) => length > 1);
}

describe("units", () => {
	test("tie parallel calls to all of their results, wherever they stand", () => {
		expect(tied([user, call("a", "b"), result("a"), result("b"), said])).toEqual([[1, 2, 3]]);
	});

	test("keep interleaved calls apart", () => {
		expect(tied([call("a"), call("b"), result("a"), result("b")])).toEqual([
			[0, 2],
			[1, 3],
		]);
	});

	test("pair a reused id by occurrence: a result answers the nearest call before it that has none", () => {
		expect(tied([call("x"), result("x"), user, call("x"), result("x")])).toEqual([
			[0, 1],
			[3, 4],
		]);
		expect(tied([call("x"), call("x"), result("x"), result("x")])).toEqual([
			[0, 3],
			[1, 2],
		]);
	});

	test("never tie a result to a call that comes later", () => {
		const { members, broken } = findUnits([result("x"), call("x"), result("x"), user]);
		expect(members).toEqual([[0], [1, 2], [3]]);
		expect([...broken]).toEqual([0]);
	});

	test("tie a second result beside the first one, though a message of the user stands before both", () => {
		// Whether that message is evicted later must not change what belongs together.
		for (const between of [[user], []]) {
			const { broken } = findUnits([call("a"), ...between, result("a", "a"), said]);
			expect(broken.size).toBe(0);
		}
	});

	test("do not take what says nothing for the end of a step: it goes before all else", () => {
		for (const nothing of [
			{ role: "assistant", content: [] },
			{ role: "user", content: " " },
		]) {
			const { waiting, broken } = findUnits([user, call("a"), nothing]);
			expect([...waiting]).toEqual([1]);
			expect(broken.size).toBe(0);
		}
	});

	test("do not take a summary between two results for the end of a step", () => {
		const summary: Message = {
			...user,
			providerOptions: { precis: { summary: { v: 1, template: "default" } } },
		};
		expect(tied([call("a"), result("a"), summary, result("a"), said])).toEqual([[0, 1, 3]]);
	});

	test("tie a second result of the same step to its call, and leave one of a later step alone", () => {
		expect(tied([call("x"), result("x"), result("x"), user])).toEqual([[0, 1, 2]]);
		const late = findUnits([call("x"), result("x"), user, result("x")]);
		expect(late.members.filter(({ length }) => length > 1)).toEqual([[0, 1]]);
		expect([...late.broken]).toEqual([3]);
	});

	test("tie an approval request and its response to the call, denied or not", () => {
		const asked = parts(
			"assistant",
			{ type: "tool-call", toolCallId: "m", toolName: "sendMail", input: {} },
			{ type: "tool-approval-request", approvalId: "ap", toolCallId: "m" },
		);
		const response = parts("tool", { type: "tool-approval-response", approvalId: "ap", approved: false });
		expect(tied([asked, response, result("m"), said])).toEqual([[0, 1, 2]]);
	});

	test("tie a provider's own call to a result in a later assistant message", () => {
		const search = parts("assistant", {
			type: "tool-call",
			toolCallId: "srv",
			toolName: "webSearch",
			input: {},
			providerExecuted: true,
		});
		const found = parts("assistant", {
			type: "tool-result",
			toolCallId: "srv",
			toolName: "webSearch",
			output: { type: "json", value: [] },
		});
		expect(tied([search, found, user])).toEqual([[0, 1]]);
	});

	test("tie a call made from inside a code-execution tool to the call of that tool", () => {
		const inner = parts("assistant", {
			type: "tool-call",
			toolCallId: "b",
			toolName: "lookup",
			input: {},
			providerOptions: { anthropic: { caller: { type: "code_execution_20250825", toolId: "a" } } },
		});
		expect(tied([call("a"), result("a"), inner, result("b"), said])).toEqual([[0, 1, 2, 3]]);
	});

	test("are numbered by their first message", () => {
		expect(findUnits([user, call("a"), said, result("a"), user]).unitOf).toEqual([0, 1, 2, 1, 3]);
	});
});

describe("a call without a result", () => {
	test("waits while no user or assistant message follows its unit; approvals and tool messages do not count", () => {
		const { waiting, broken } = findUnits([user, call("a", "b"), result("a")]);
		expect([...waiting]).toEqual([1, 2]);
		expect(broken.size).toBe(0);
	});

	test("waits still before an earlier summary, which a pass moves to the head", () => {
		const summary: Message = {
			...user,
			providerOptions: { precis: { kind: "context", summary: { v: 1, template: "default" } } },
		};
		const { waiting, broken } = findUnits([user, call("a"), summary]);
		expect([...waiting]).toEqual([1]);
		expect(broken.size).toBe(0);
	});

	test("is broken once something follows", () => {
		for (const next of [user, said]) {
			const { waiting, broken } = findUnits([user, call("a"), next]);
			expect(waiting.size).toBe(0);
			expect([...broken]).toEqual([1]);
		}
	});

	test("holds nothing open when a provider should have answered it in a finished turn", () => {
		const messages = [
			parts("assistant", {
				type: "tool-call",
				toolCallId: "srv9",
				toolName: "webSearch",
				input: {},
				providerExecuted: true,
			}),
			user,
		];
		expect(findUnits(messages).waiting.size).toBe(0);
	});
});

describe("finding units", () => {
	test("takes linear time where ids are reused and results are lost", () => {
		const time = (count: number): number => {
			const messages: Message[] = [];
			for (let index = 0; index < count; index += 1)
				messages.push(call(`call_${index % 3}`), result("lost"), user);
			for (let index = 0; index < count; index += 1) messages.push(result(`call_${index % 3}`));
			const start = performance.now();
			findUnits(messages);
			return performance.now() - start;
		};
		time(2_000);
		const small = Math.max(1, time(4_000));
		expect(time(40_000) / small).toBeLessThan(60);
	});
});
