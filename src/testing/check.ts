/** How a runner's `test` is called: Vitest’s, `node:test`’s, `bun test`’s and Deno’s all fit. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Fails a test with a sentence. */
export function ensure(holds: boolean, otherwise: string): asserts holds {
	if (!holds) throw new Error(otherwise);
}

/** What a promise came to within a time, in milliseconds. */
export type Outcome<Value> =
	| { readonly value: Value }
	| { readonly error: unknown }
	| { readonly late: true };

/** Waits for a promise, but not for ever. */
export async function settle<Value>(
	run: () => Promise<Value> | Value,
	milliseconds: number,
): Promise<Outcome<Value>> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<Outcome<Value>>((resolve) => {
		timer = setTimeout(() => resolve({ late: true }), milliseconds);
	});
	const running = (async (): Promise<Outcome<Value>> => {
		try {
			return { value: await run() };
		} catch (error) {
			return { error };
		}
	})();
	try {
		return await Promise.race([running, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** An error, or whatever was thrown, as text. */
export function textOf(error: unknown): string {
	return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
