import { describe, expect, test } from "vitest";
import { CompactionError, isCompactionError } from "../src/errors/compaction-error.ts";

describe("an error", () => {
	test("plugins-06: made by one copy of the package is recognized by another", async () => {
		const copy: typeof import("../src/errors/compaction-error.ts") = await import(
			`${"../src/errors/compaction-error.ts"}?copy`
		);
		expect(copy.CompactionError).not.toBe(CompactionError);
		const error = new copy.CompactionError("TIMEOUT", "Cannot wait: it took too long", { retryable: true });
		expect(error).not.toBeInstanceOf(CompactionError);
		expect(isCompactionError(error)).toBe(true);
		expect(isCompactionError(new Error("another"))).toBe(false);
		expect(isCompactionError(undefined)).toBe(false);
	});

	test("of a pass that was aborted has the name that the platform's own have", () => {
		expect(new CompactionError("CANCELLED", "Cannot go on: aborted").name).toBe("AbortError");
		expect(new CompactionError("TIMEOUT", "Cannot wait").name).toBe("CompactionError");
	});

	test("carries its cause, and whether trying again may help", () => {
		const cause = new Error("the provider's own");
		const error = new CompactionError("BACKEND_FAILED", "Cannot summarize", { cause, retryable: true });
		expect(error).toMatchObject({ code: "BACKEND_FAILED", retryable: true, cause });
		expect("cause" in new CompactionError("TIMEOUT", "Cannot wait")).toBe(false);
	});
});
