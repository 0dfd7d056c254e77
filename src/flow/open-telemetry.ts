import type { Attributes, Meter, Span } from "@opentelemetry/api";
import type { CompactionEvent } from "./create-compactor.ts";

const SCOPE = "precis";
/** Where every copy of `@opentelemetry/api` 1.x keeps the providers that the host has registered. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/** A pass as OpenTelemetry sees it. */
export interface Recording {
	finish(sections: readonly CompactionEvent[], pass: CompactionEvent): void;
	fail(pass: CompactionEvent, error: unknown): void;
}

function hasProvider(): boolean {
	const registry = (globalThis as { readonly [key: symbol]: unknown })[REGISTRY];
	if (typeof registry !== "object" || registry === null) return false;
	const { trace, metrics } = registry as { readonly trace?: unknown; readonly metrics?: unknown };
	return trace !== undefined || metrics !== undefined;
}

/** The fields of an event as attributes under our prefix. */
function attributesOf(event: CompactionEvent): Attributes {
	const attributes: Attributes = {};
	for (const [key, value] of Object.entries(event)) {
		if (key === "name") continue;
		if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
			attributes[`precis.${key}`] = value;
	}
	return attributes;
}

function count(
	meter: Meter,
	name: string,
	description: string,
	value: unknown,
	attributes: Attributes,
): void {
	if (typeof value === "number" && value > 0)
		meter.createCounter(name, { description }).add(value, attributes);
}

function recordCounters(meter: Meter, sections: readonly CompactionEvent[], pass: CompactionEvent): void {
	for (const { name, section, state } of sections)
		count(meter, name, "Sections of committed summaries.", 1, {
			section: String(section),
			state: String(state),
		});
	const outcome = { outcome: String(pass.outcome) };
	count(meter, pass.name, "Passes by outcome.", 1, outcome);
	count(meter, "precis.compaction.calls", "Calls of backends.", pass.calls, outcome);
	count(meter, "precis.compaction.retries", "Second calls for faulty answers.", pass.retries, outcome);
	const saved = Number(pass.tokensBefore) - Number(pass.tokensAfter);
	count(meter, "precis.compaction.tokens.saved", "Tokens that passes won.", saved, outcome);
}

/** Runs what may throw in someone else's exporter. */
function harmless(work: () => void): void {
	try {
		work();
	} catch {
		// Telemetry never decides over a pass.
	}
}

/** Starts the span of a pass where the host has registered a provider; undefined where it has not. */
export async function startRecording(): Promise<Recording | undefined> {
	if (!hasProvider()) return undefined;
	const api = await import("@opentelemetry/api").catch(() => undefined);
	if (api === undefined) return undefined;
	let span: Span | undefined;
	harmless(() => {
		span = api.trace.getTracer(SCOPE).startSpan("precis.compaction.pass");
	});
	return {
		finish(sections, pass) {
			// Instruments made before a provider is registered never record, so that they are made anew each time.
			harmless(() => recordCounters(api.metrics.getMeter(SCOPE), sections, pass));
			harmless(() => {
				for (const event of sections) span?.addEvent(event.name, attributesOf(event));
				span?.setAttributes(attributesOf(pass)).end();
			});
		},
		fail(pass, error) {
			harmless(() => recordCounters(api.metrics.getMeter(SCOPE), [], pass));
			harmless(() => {
				span?.setAttributes(attributesOf(pass));
				span?.recordException(error instanceof Error ? error : String(error));
				span?.setStatus({ code: api.SpanStatusCode.ERROR, message: String(pass.message) }).end();
			});
		},
	};
}
