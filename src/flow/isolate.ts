import type { Backend } from "../backend/contract.ts";
import type { Edit } from "../core/edits/edit.ts";
import type { Message } from "../core/transcript/message.ts";
import { findUnits, type Units } from "../core/transcript/units.ts";
import type { PlanContext, PlanningStrategy } from "../strategy/contract.ts";

/** How deep data is copied: what a stranger nested deeper must not overflow the stack. */
const MAX_DEPTH = 500;

/**
 * A copy of plain data that nobody can write to. What is no plain object or list (bytes, a URL) is shared: it is
 * as good as a value, and copying megabytes of an image would cost more than it guards.
 */
export function frozenCopy<Value>(value: Value, depth = 0): Value {
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1))) as Value;
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== null) return value;
	const copy: Record<string, unknown> = Object.create(prototype as object | null);
	for (const [key, inner] of Object.entries(value)) {
		Object.defineProperty(copy, key, { value: frozenCopy(inner, depth + 1), enumerable: true });
	}
	return Object.freeze(copy) as Value;
}

/** A context whose units are a stranger's own to spoil: the laws go by those of the draft. */
function isolateContext(context: PlanContext, copies: readonly Message[]): PlanContext {
	let units: Units | undefined;
	return {
		targetTokens: context.targetTokens,
		get totalTokens(): number {
			return context.totalTokens;
		},
		countTokens: (of) => context.countTokens(of),
		get units(): Units {
			units ??= findUnits(copies);
			return units;
		},
		reason: context.reason,
		signal: context.signal,
	};
}

/**
 * A strategy of somebody else's, given frozen copies instead of the host's messages: what it writes to them throws
 * in its own code, and the pass fails naming it.
 */
export function isolateStrategy(strategy: PlanningStrategy): PlanningStrategy {
	return {
		...(strategy.summarizes === undefined ? {} : { summarizes: strategy.summarizes }),
		async plan(transcript, context) {
			const copies: readonly Message[] = frozenCopy(transcript);
			const edits = await strategy.plan(copies, isolateContext(context, copies));
			if (!Array.isArray(edits)) return edits;
			// A message that is handed back as it came is no change.
			return edits.filter((edit: Edit) => !isNoChange(edit, copies));
		},
	};
}

function isNoChange(edit: Edit, copies: readonly Message[]): boolean {
	return typeof edit === "object" && edit !== null && "replace" in edit && edit.with === copies[edit.replace];
}

/** A backend of somebody else's, given frozen copies instead of the host's messages. */
export function isolateBackend(backend: Backend): Backend {
	if (backend.summarize === undefined) return backend;
	return {
		...(backend.timeoutMs === undefined ? {} : { timeoutMs: backend.timeoutMs }),
		...(backend.limits === undefined ? {} : { limits: backend.limits }),
		summarize: (request, context) => backend.summarize(frozenCopy(request), context),
	};
}
