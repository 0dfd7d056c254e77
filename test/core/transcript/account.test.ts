import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAccount, type MessageCounter } from "../../../src/core/transcript/account.ts";
import type { Message } from "../../../src/core/transcript/message.ts";
import { messageTokens } from "../../../src/core/transcript/part-tokens.ts";
import { transcript } from "../../support/arbitraries.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 300);
const text = (written: string): number => written.length / 3.7;
const plainSum = (messages: readonly Message[]): number =>
	Math.floor(messages.reduce((sum, message) => sum + messageTokens(message, text), 0));

/** A counter that remembers whom it was asked about. */
function spy(): MessageCounter & { readonly asked: Message[] } {
	const asked: Message[] = [];
	return {
		asked,
		text,
		message(message) {
			asked.push(message);
			return messageTokens(message, text);
		},
	};
}

const talk = (length: number, name = "m"): Message[] =>
	Array.from({ length }, (_, index) => ({
		role: index % 2 === 0 ? "user" : "assistant",
		content: `${name}${index} ${"word ".repeat(index % 13)}`,
	}));

/** Transcripts that a host might ask about one after another: grown, cut, edited, rebuilt, of other sessions. */
const history = fc
	.record({
		first: transcript,
		second: transcript,
		steps: fc.array(fc.tuple(fc.nat(7), fc.nat(60), fc.nat(60))),
	})
	.map(({ first, second, steps }) => {
		const states: (readonly Message[])[] = [];
		let current = first;
		for (const [kind, left, right] of steps) {
			const [from, to] = [Math.min(left, right), Math.max(left, right)];
			if (kind === 0) current = [...current, ...second.slice(from, to)];
			if (kind === 1) current = current.slice(from, to);
			if (kind === 2)
				current = current.toSpliced(from, to - from, { role: "user", content: `summary ${left}` });
			if (kind === 3) current = current.map((message) => ({ ...message }));
			if (kind === 4) current = structuredClone(current);
			if (kind === 5) current = second;
			if (kind === 6) current = first;
			if (kind === 7)
				current = current.map((message, index) =>
					index === left ? { role: "user", content: "other" } : message,
				);
			states.push(current);
		}
		return states;
	});

describe("an account", () => {
	test("gives the plain sum, rounded down once, whatever is asked before", () => {
		fc.assert(
			fc.property(history, (states) => {
				const account = createAccount({ text });
				for (const messages of states) {
					expect(account.total(messages)).toBe(plainSum(messages));
					const list = account.list(messages);
					expect(list).toHaveLength(messages.length);
					for (const [index, message] of messages.entries()) {
						expect(list[index]).toBe(messageTokens(message, text));
						expect(account.of(message)).toBe(list[index]);
					}
				}
			}),
			{ numRuns },
		);
	});

	test("running gives the plain sum of transcripts of up to 64 messages, whatever is asked before", () => {
		fc.assert(
			fc.property(history, (states) => {
				const account = createAccount({ text });
				for (const messages of states) {
					fc.pre(messages.length <= 64);
					expect(account.running(messages)).toBe(plainSum(messages));
				}
			}),
			{ numRuns },
		);
	});

	test("asks about each message once while a transcript grows, is compacted and grows on", () => {
		const counter = spy();
		const account = createAccount(counter);
		const messages: Message[] = [{ role: "system", content: "You keep the stock list." }];
		for (const message of talk(400)) {
			messages.push(message);
			account.running([...messages]);
		}
		account.total(messages);
		const summary: Message = { role: "user", content: "Summary." };
		account.of(summary);
		const compacted = [...messages.slice(0, 1), summary, ...messages.slice(-8)];
		account.total(compacted);
		account.list(messages.slice(1, 300));
		account.total(compacted.slice(2));
		account.total([...messages.slice(0, 1), ...messages.slice(-8)]);
		for (const message of talk(50, "later")) {
			compacted.push(message);
			account.running(compacted);
		}
		expect(new Set(counter.asked).size).toBe(counter.asked.length);
		expect(counter.asked).toHaveLength(1 + 400 + 1 + 50);
	});

	test("asks about none again where the host makes its message objects anew", () => {
		const counter = spy();
		const account = createAccount(counter);
		const messages = talk(300);
		for (let length = 1; length <= messages.length; length += 1)
			account.running(messages.slice(0, length).map((message) => ({ ...message })));
		expect(counter.asked).toHaveLength(300);
	});

	test("of two sessions that begin alike keeps each apart", () => {
		const account = createAccount({ text });
		const system: Message = { role: "system", content: "You keep the stock list." };
		const hello: Message = { role: "user", content: "Hello." };
		const left = [system, hello, ...talk(20, "left")];
		const right = [system, hello, ...talk(30, "right")];
		for (let length = 2; length <= 30; length += 1) {
			expect(account.running(left.slice(0, length))).toBe(plainSum(left.slice(0, length)));
			expect(account.running(right.slice(0, length))).toBe(plainSum(right.slice(0, length)));
		}
	});

	test("running notices a message put in another's place within a call for every 64 messages", () => {
		const account = createAccount({ text });
		const messages = talk(1000);
		account.running(messages);
		messages[500] = { role: "user", content: "word ".repeat(1000) };
		let asks = 0;
		while (account.running(messages) !== plainSum(messages) && asks < 100) asks += 1;
		expect(asks).toBeLessThanOrEqual(16);
		messages[500] = { role: "user", content: "cleared" };
		expect(account.total(messages)).toBe(plainSum(messages));
	});

	test("running notices at once that messages were added or taken away", () => {
		const account = createAccount({ text });
		const messages = talk(1000);
		expect(account.running(messages)).toBe(plainSum(messages));
		expect(account.running(messages.slice(0, 400))).toBe(plainSum(messages.slice(0, 400)));
		const longer = [...messages, ...talk(300, "n")];
		expect(account.running(longer)).toBe(plainSum(longer));
	});

	test("of no messages is 0", () => {
		const account = createAccount({ text });
		expect([account.total([]), account.running([]), account.list([]).length]).toEqual([0, 0, 0]);
	});

	test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, undefined])(
		"refuses a counter that gives %s, and says what it gave",
		(given) => {
			const account = createAccount({ text, message: () => given as number });
			const messages = talk(1);
			expect(() => account.total(messages)).toThrowError(
				expect.objectContaining({ code: "PLUGIN_INVALID", message: expect.stringContaining(String(given)) }),
			);
		},
	);

	test("holds no message that its host let go of, though newer ones of the transcript live on", async () => {
		setFlagsFromString("--expose-gc");
		const collect = runInNewContext("gc") as () => void;
		const account = createAccount({ text });
		const make = (): { readonly kept: Message[]; readonly gone: WeakRef<Message> } => {
			const messages = talk(200);
			account.total(messages);
			const kept: Message[] = [{ role: "user", content: "Summary." }, ...messages.slice(-5)];
			account.total(kept);
			return { kept, gone: new WeakRef(messages[50] as Message) };
		};
		const { kept, gone } = make();
		for (let round = 0; round < 20 && gone.deref() !== undefined; round += 1) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			collect();
		}
		expect(gone.deref()).toBeUndefined();
		expect(account.total(kept)).toBe(plainSum(kept));
	});
});
