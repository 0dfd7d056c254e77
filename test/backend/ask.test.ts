import { describe, expect, it } from "vitest";
import { ask } from "../../src/backend/ask.ts";
import { scrubKeys } from "../../src/backend/scrub-keys.ts";
import { isOverflow, isUnstructured } from "../../src/backend/wrap-error.ts";
import { CompactionError } from "../../src/errors/compaction-error.ts";

const idle = (): AbortSignal => new AbortController().signal;

/** A call that never ends and does not look at its signal. */
const never = (): Promise<never> => new Promise(() => undefined);

describe("one call of a backend", () => {
	it("gives the answer", async () => {
		expect(await ask({ name: "x", timeoutMs: undefined, signal: idle(), run: () => "yes" })).toBe("yes");
	});

	it("is not made for a caller who has gone", async () => {
		let called = false;
		const run = (): void => {
			called = true;
		};
		await expect(
			ask({ name: "x", timeoutMs: undefined, signal: AbortSignal.abort("gone"), run }),
		).rejects.toMatchObject({ code: "CANCELLED", name: "AbortError", cause: "gone" });
		const controller = new AbortController();
		const asked = ask({ name: "x", timeoutMs: undefined, signal: controller.signal, run });
		controller.abort("gone");
		await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
		expect(called).toBe(false);
	});

	it("ends within a tick of the abort, whatever the backend does with its signal", async () => {
		const controller = new AbortController();
		let inner: AbortSignal | undefined;
		const asked = ask({
			name: "x",
			timeoutMs: undefined,
			signal: controller.signal,
			run: (signal) => {
				inner = signal;
				return never();
			},
		});
		await new Promise((resolve) => setTimeout(resolve, 5));
		let code = "";
		asked.catch((error: CompactionError) => {
			code = error.code;
		});
		controller.abort();
		await new Promise((resolve) => setTimeout(resolve, 0));
		expect(code).toBe("CANCELLED");
		expect(inner?.aborted).toBe(true);
	});

	it("ends at its deadline, and aborts the call", async () => {
		let inner: AbortSignal | undefined;
		const asked = ask({
			name: "slow",
			timeoutMs: 20,
			signal: idle(),
			run: (signal) => {
				inner = signal;
				return never();
			},
		});
		await expect(asked).rejects.toMatchObject({
			code: "TIMEOUT",
			retryable: true,
			message: expect.stringMatching(/"slow".*20 ms/),
		});
		expect(inner?.aborted).toBe(true);
	});

	it("takes a deadline that no timer can hold for a very long one", async () => {
		const asked = ask({
			name: "x",
			timeoutMs: Number.POSITIVE_INFINITY,
			signal: idle(),
			run: () => new Promise((resolve) => setTimeout(() => resolve("late"), 20)),
		});
		expect(await asked).toBe("late");
	});

	it("leaves no listener on the caller's signal", async () => {
		const { signal } = new AbortController();
		let listeners = 0;
		const add = signal.addEventListener.bind(signal);
		const remove = signal.removeEventListener.bind(signal);
		signal.addEventListener = (...args: Parameters<typeof add>) => {
			listeners += 1;
			add(...args);
		};
		signal.removeEventListener = (...args: Parameters<typeof remove>) => {
			listeners -= 1;
			remove(...args);
		};
		await ask({ name: "x", timeoutMs: undefined, signal, run: () => 1 });
		await ask({ name: "x", timeoutMs: undefined, signal, run: () => Promise.reject(new Error("no")) }).catch(
			() => 0,
		);
		expect(listeners).toBe(0);
	});

	it("does not leave a late failure unhandled", async () => {
		const unhandled: unknown[] = [];
		const note = (error: unknown): void => {
			unhandled.push(error);
		};
		process.on("unhandledRejection", note);
		const controller = new AbortController();
		const asked = ask({
			name: "x",
			timeoutMs: undefined,
			signal: controller.signal,
			run: () => new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 15)),
		});
		setTimeout(() => controller.abort(), 5);
		await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
		await new Promise((resolve) => setTimeout(resolve, 30));
		process.off("unhandledRejection", note);
		expect(unhandled).toEqual([]);
	});
});

describe("a backend's error", () => {
	async function thrown(error: unknown): Promise<CompactionError> {
		const run = (): never => {
			throw error;
		};
		return ask({ name: "acme", timeoutMs: undefined, signal: idle(), run }).then(
			() => expect.unreachable(),
			(wrapped: CompactionError) => wrapped,
		);
	}

	it("is BACKEND_FAILED, names the backend and the provider's words, and has the provider's error as its cause", async () => {
		const provider = Object.assign(new Error("overloaded"), { name: "AI_APICallError", statusCode: 503 });
		const error = await thrown(provider);
		expect(error).toMatchObject({ code: "BACKEND_FAILED", retryable: true });
		expect(error.message).toMatch(/"acme".*overloaded/);
		expect(error.cause).toBe(provider);
	});

	it("is looked for inside the wrapper of repeated calls", async () => {
		const inner = Object.assign(new Error("too many requests"), { statusCode: 429 });
		const error = await thrown(
			Object.assign(new Error("Failed after 3 attempts"), { name: "AI_RetryError", lastError: inner }),
		);
		expect(error.cause).toBe(inner);
		expect(error.retryable).toBe(true);
	});

	it.each([
		[{ statusCode: 408 }, true],
		[{ statusCode: 409 }, true],
		[{ statusCode: 429 }, true],
		[{ status: 500 }, true],
		[{ response: { status: 529 } }, true],
		[{ statusCode: 400 }, false],
		[{ statusCode: 401 }, false],
		[{ statusCode: 500, isRetryable: false }, false],
		[{ isRetryable: true }, true],
		[{ code: "ECONNRESET" }, true],
		[{ cause: { code: "UND_ERR_SOCKET" } }, true],
		[{}, false],
	])("with %j may be tried again: %s", async (fields, retryable) => {
		expect((await thrown(Object.assign(new Error("no"), fields))).retryable).toBe(retryable);
	});

	it("passes as it is where it is ours", async () => {
		const own = new CompactionError("BLANK_SUMMARY", "Cannot: nothing to say.");
		expect(await thrown(own)).toBe(own);
	});

	it.each([
		["a text", "a text"],
		[undefined, "unknown"],
		[null, "unknown"],
		[{ message: "an object" }, "an object"],
		[42, "42"],
	])("may be anything: %j", async (value, words) => {
		const error = await thrown(value);
		expect(error).toMatchObject({ code: "BACKEND_FAILED" });
		expect(error.message).toContain(words);
	});

	it.each([
		"Incorrect API key provided: sk-proj-Abc123def456ghi789. You can find it there.",
		"sk-ant-api03-AAAA-bbbb_cccc is invalid",
		"401 with Authorization: Bearer abc.def-123",
		'headers {"x-api-key":"a1b2c3d4e5f6"}',
		"GET https://x.test/v1?key=AIzaSyA1234567890abcdefghijk failed",
		"fetch https://user:hunter22@x.test/ failed",
	])("shows no key: %s", async (message) => {
		const { message: told } = await thrown(new Error(message));
		expect(told).not.toMatch(/Abc123def456|AAAA-bbbb|abc\.def-123|a1b2c3d4e5f6|AIzaSyA1234|hunter22/);
		expect(told).toContain("…");
	});

	it("keeps the words that are no key", () => {
		const message = "This model's maximum context length is 8192 tokens; max_tokens: 9000";
		expect(scrubKeys(message)).toBe(message);
		expect(scrubKeys("x".repeat(5000)).length).toBeLessThan(1100);
	});

	it.each([
		[{ statusCode: 400, message: "This model's maximum context length is 8192 tokens." }, true],
		[{ statusCode: 400, message: "prompt is too long: 205000 tokens > 200000 maximum" }, true],
		[{ statusCode: 413, message: "Payload" }, true],
		[{ statusCode: 400, message: "bad", data: { error: { code: "context_length_exceeded" } } }, true],
		[{ statusCode: 400, message: "the request exceeds the available context size (4096 tokens)" }, true],
		[{ statusCode: 429, message: "tokens per minute limit: too many tokens" }, false],
		[{ statusCode: 400, message: "unknown parameter" }, false],
	])("%j tells that the prompt was too large: %s", (fields, overflow) => {
		expect(isOverflow(Object.assign(new Error(fields.message), fields))).toBe(overflow);
	});

	it("tells a model that cannot answer by a schema from one that fails", () => {
		expect(isUnstructured(Object.assign(new Error("no"), { name: "AI_NoObjectGeneratedError" }))).toBe(true);
		expect(isUnstructured(Object.assign(new Error("response_format unsupported"), { statusCode: 400 }))).toBe(
			true,
		);
		expect(isUnstructured(Object.assign(new Error("no"), { statusCode: 401 }))).toBe(false);
		expect(isUnstructured(Object.assign(new Error("no"), { statusCode: 429 }))).toBe(false);
		expect(isUnstructured(Object.assign(new Error("prompt is too long"), { statusCode: 400 }))).toBe(false);
	});
});
