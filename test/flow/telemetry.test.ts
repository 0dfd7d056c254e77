import { metrics, SpanStatusCode, trace } from "@opentelemetry/api";
import {
	AggregationTemporality,
	InMemoryMetricExporter,
	MeterProvider,
	PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CompactionError } from "../../src/errors/compaction-error.ts";
import type { CompactionEvent } from "../../src/flow/create-compactor.ts";
import { startPass } from "../../src/flow/telemetry.ts";
import type { CompactionResult } from "../../src/result/compaction-result.ts";

const SECTION_IDS = ["key_facts", "decisions", "pending_tasks", "open_questions"];

function result(sections: Readonly<Record<string, readonly string[]>>, over: object = {}): CompactionResult {
	return {
		status: "compacted",
		reason: { trigger: "manual", detail: "The caller asked for it." },
		messages: [],
		replaced: 6,
		evicted: [],
		provenance: [],
		summary: { text: "", sections, source: "headings", retries: 1, trimmed: false, empty: false },
		tokens: { before: 9000, after: 2500, target: 4000, summaryBudget: 800 },
		usage: { calls: 2, inputTokens: 5000, outputTokens: 300 },
		log: [],
		metadata: {},
		...over,
	} as unknown as CompactionResult;
}

const committed = result({ key_facts: ["The mirror lives in Oslo"], decisions: ["Keep two replicas"] });
const figures = { degraded: false, sectionIds: SECTION_IDS };

async function eventsOf(
	tell: (pass: Awaited<ReturnType<typeof startPass>>) => void,
): Promise<CompactionEvent[]> {
	const events: CompactionEvent[] = [];
	tell(await startPass((event) => events.push(event)));
	return events;
}

describe("the events of a pass", () => {
	it("are one for each template section, in its order, and one for the pass", async () => {
		expect(await eventsOf((pass) => pass.finish(committed, figures))).toEqual([
			{ name: "precis.compaction.structured.sections", section: "key_facts", state: "populated" },
			{ name: "precis.compaction.structured.sections", section: "decisions", state: "populated" },
			{ name: "precis.compaction.structured.sections", section: "pending_tasks", state: "empty" },
			{ name: "precis.compaction.structured.sections", section: "open_questions", state: "empty" },
			{
				name: "precis.compaction.pass",
				outcome: "compacted",
				trigger: "manual",
				replaced: 6,
				tokensBefore: 9000,
				tokensAfter: 2500,
				tokensTarget: 4000,
				calls: 2,
				inputTokens: 5000,
				outputTokens: 300,
				source: "headings",
				retries: 1,
				trimmed: false,
				empty: false,
				degraded: false,
				populated: 2,
				summaryBudget: 800,
			},
		]);
	});

	it("follow the template, which may have a section twice, and not what rides along", async () => {
		const sections = result({ decisions: ["d"], elsewhere: ["x"] });
		const events = await eventsOf((pass) =>
			pass.finish(sections, { degraded: false, sectionIds: ["decisions", "decisions", "constructor"] }),
		);
		expect(events.map(({ section, state }) => [section, state]).slice(0, -1)).toEqual([
			["decisions", "populated"],
			["decisions", "populated"],
			["constructor", "empty"],
		]);
	});

	it("say nothing of sections where no summary was committed", async () => {
		const { summary: _, ...rest } = committed;
		const unchanged = { ...rest, status: "unchanged", unchanged: "nothing-to-evict" } as CompactionResult;
		const events = await eventsOf((pass) => pass.finish(unchanged, figures));
		expect(events).toHaveLength(1);
		expect(events[0]).toMatchObject({ outcome: "unchanged", unchanged: "nothing-to-evict" });
	});

	it("tell a failure by its code, and a cancellation as one", async () => {
		const failed = new CompactionError("BACKEND_FAILED", "Cannot summarize: no.", { retryable: true });
		expect(await eventsOf((pass) => pass.fail(failed))).toEqual([
			{
				name: "precis.compaction.pass",
				outcome: "failed",
				code: "BACKEND_FAILED",
				message: "Cannot summarize: no.",
				retryable: true,
			},
		]);
		const cancelled = new CompactionError("CANCELLED", "Cannot finish.");
		expect((await eventsOf((pass) => pass.fail(cancelled)))[0]).toMatchObject({ outcome: "cancelled" });
		expect((await eventsOf((pass) => pass.fail(undefined)))[0]).toMatchObject({
			outcome: "failed",
			code: "UNKNOWN",
		});
	});

	it("are harmless where the listener throws or rejects", async () => {
		const unhandled = vi.fn();
		process.on("unhandledRejection", unhandled);
		const thrower = await startPass(() => {
			throw new Error("listener");
		});
		thrower.emit({ name: "precis.compaction.call" });
		thrower.finish(committed, figures);
		thrower.fail(new Error("x"));
		const rejecter = await startPass(async () => {
			throw new Error("listener");
		});
		rejecter.finish(committed, figures);
		await new Promise((resolve) => setTimeout(resolve, 10));
		process.off("unhandledRejection", unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});

	it("cost nothing where nobody listens: not even the API is loaded", async () => {
		const pass = await startPass(undefined);
		pass.finish(committed, figures);
		pass.fail(new Error("x"));
		expect((globalThis as { [key: symbol]: unknown })[Symbol.for("opentelemetry.js.api.1")]).toBeUndefined();
	});
});

describe("OpenTelemetry", () => {
	const spans = new InMemorySpanExporter();
	let exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);

	afterEach(() => {
		trace.disable();
		metrics.disable();
		spans.reset();
	});

	function register(): MeterProvider {
		exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
		const provider = new MeterProvider({
			readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })],
		});
		metrics.setGlobalMeterProvider(provider);
		trace.setGlobalTracerProvider(
			new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
		);
		return provider;
	}

	async function points(provider: MeterProvider, name: string): Promise<[object, unknown][]> {
		await provider.forceFlush();
		const last = exporter.getMetrics().at(-1);
		const found = last?.scopeMetrics
			.flatMap((scope) => scope.metrics)
			.find((one) => one.descriptor.name === name);
		return (found?.dataPoints ?? []).map(({ attributes, value }) => [attributes, value]);
	}

	it("has a counter for sections and passes, and one span a pass", async () => {
		const provider = register();
		const pass = await startPass(undefined);
		pass.finish(committed, figures);
		expect(await points(provider, "precis.compaction.structured.sections")).toEqual([
			[{ section: "key_facts", state: "populated" }, 1],
			[{ section: "decisions", state: "populated" }, 1],
			[{ section: "pending_tasks", state: "empty" }, 1],
			[{ section: "open_questions", state: "empty" }, 1],
		]);
		expect(await points(provider, "precis.compaction.pass")).toEqual([[{ outcome: "compacted" }, 1]]);
		expect(await points(provider, "precis.compaction.calls")).toEqual([[{ outcome: "compacted" }, 2]]);
		expect(await points(provider, "precis.compaction.tokens.saved")).toEqual([
			[{ outcome: "compacted" }, 6500],
		]);
		const [span, ...others] = spans.getFinishedSpans();
		expect(others).toEqual([]);
		expect(span?.name).toBe("precis.compaction.pass");
		expect(span?.attributes).toMatchObject({ "precis.outcome": "compacted", "precis.tokensAfter": 2500 });
		expect(span?.events).toHaveLength(4);
		await provider.shutdown();
	});

	it("records passes after a provider is registered, also where one ran before", async () => {
		(await startPass(undefined)).finish(committed, figures);
		const provider = register();
		(await startPass(undefined)).finish(committed, figures);
		(await startPass(undefined)).finish(committed, figures);
		expect(await points(provider, "precis.compaction.pass")).toEqual([[{ outcome: "compacted" }, 2]]);
		await provider.shutdown();
	});

	it("marks the span of a failed pass", async () => {
		const provider = register();
		const pass = await startPass(undefined);
		pass.fail(new CompactionError("TIMEOUT", "Cannot summarize: too late."));
		const [span] = spans.getFinishedSpans();
		expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: "Cannot summarize: too late." });
		expect(span?.events[0]?.name).toBe("exception");
		expect(await points(provider, "precis.compaction.pass")).toEqual([[{ outcome: "failed" }, 1]]);
		await provider.shutdown();
	});

	it("harms no pass where a provider is broken", async () => {
		metrics.setGlobalMeterProvider({
			getMeter() {
				throw new Error("broken");
			},
		} as never);
		const events = await eventsOf((pass) => pass.finish(committed, figures));
		expect(events).toHaveLength(5);
	});
});
