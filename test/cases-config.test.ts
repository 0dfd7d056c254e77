import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import {
	type Backend,
	type Config,
	compact,
	createCompactor,
	isCompactionError,
	renderSummary,
} from "../src/index.ts";
import { checkBuiltinOptions } from "../src/registry/check-options.ts";
import cases from "./cases/seeds.json" with { type: "json" };
import { PAD } from "./support/case-messages.ts";

interface Case {
	readonly id: string;
	readonly given: { readonly config: Readonly<Record<string, unknown>> };
	readonly expect: { readonly config: Readonly<Record<string, unknown>> };
}

const all = cases as unknown as readonly Case[];

function given(id: string): Case {
	const found = all.find((one) => one.id === id);
	if (found === undefined) throw new Error(`there is no case "${id}"`);
	return found;
}

const NUMBERS: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };

/** A case's options by our names. */
function optionsOf(config: Case["given"]["config"]): Record<string, unknown> {
	const options: Record<string, unknown> = {};
	const summaryTokens: Record<string, unknown> = {};
	for (const [key, written] of Object.entries(config)) {
		const value = typeof written === "string" ? (NUMBERS[written] ?? written) : written;
		if (key === "summary_budget_pct") summaryTokens.fraction = value;
		else if (key === "max_summary_tokens") summaryTokens.max = value;
		else if (key === "min_messages") options.minMessages = value;
		else if (key === "preserve_recent") options.preserveRecent = value;
		else if (key === "parse_output") options.parseOutput = value;
	}
	return Object.keys(summaryTokens).length === 0 ? options : { ...options, summaryTokens };
}

async function problemsOf(config: unknown): Promise<string> {
	try {
		await createCompactor(config as Config);
	} catch (error) {
		if (isCompactionError(error) && error.code === "CONFIG_INVALID") return error.message;
		throw error;
	}
	throw new Error("expected the config to be refused");
}

const talk: readonly ModelMessage[] = Array.from({ length: 12 }, (_, index) => ({
	role: index % 2 === 0 ? "user" : "assistant",
	content: `m${index}${PAD}`,
}));

/** A model that always says the same, and remembers what it was asked. */
function model(): Backend & { readonly prompts: string[] } {
	const prompts: string[] = [];
	return {
		prompts,
		async generate({ system, prompt }) {
			prompts.push(`${system}\n${prompt}`);
			return { text: "### Key facts\n- A1 holds 14\n### Pending tasks\n- Count A2", finishReason: "stop" };
		},
	};
}

describe("the options of a summary", () => {
	test("config-001: have the seed's defaults", async () => {
		const source = { name: "the test", value: {}, text: undefined } as never;
		const { options, problems } = await checkBuiltinOptions("strategies/structured", {}, source);
		expect(problems).toEqual([]);
		expect(options).toMatchObject(optionsOf(given("config-001").expect.config));
		const sections = given("config-001").expect.config.sections as readonly string[];
		const render = renderSummary(Object.fromEntries(sections.map((id) => [id, ["x"]])));
		const titles = ["Key facts", "Decisions", "Pending tasks", "Open questions"].map(
			(title) => `### ${title}`,
		);
		expect(render.split("\n").filter((line) => line.startsWith("###"))).toEqual(titles);
	});

	test("config-002: in range are taken as they are, however small", async () => {
		const strategy = {
			use: "structured",
			...optionsOf(given("config-002").given.config),
		} as Config["strategy"];
		const config: Config = { strategy, target: { tokens: 10_000 } };
		const result = await compact(talk, config, { backend: model() });
		expect(result.tokens.summaryBudget).toBe(100);
	});

	test.each([
		["config-003", "fraction", "0.95"],
		["config-004", "fraction", "number"],
		["config-005", "fraction", "number"],
		["config-006", "fraction", "0"],
		["config-007", "fraction", "-0.3"],
		["config-009", "max", "1"],
		["config-010", "minMessages", "2"],
		["config-011", "preserveRecent", "1"],
	])("%s: out of range are an error that names the option", async (id, option, expected) => {
		const message = await problemsOf({
			strategy: { use: "structured", ...optionsOf(given(id).given.config) },
		});
		expect(message).toContain(option);
		expect(message).toContain(expected);
	});

	test("config-013: an empty list of sections is an error, and no template takes its place", async () => {
		const message = await problemsOf({
			templates: { mine: given("config-013").given.config.template },
			strategy: { use: "structured", template: "mine" },
		});
		expect(message).toContain("sections");
	});

	test("config-014: blank instructions leave no trace in the prompt", async () => {
		const [blank, none] = [model(), model()];
		const config: Config = { strategy: { use: "structured", ledger: false } };
		const instructions = String(given("config-014").given.config.summary_instructions);
		await compact(talk, config, { backend: blank, guidance: { instructions } });
		await compact(talk, config, { backend: none });
		expect(blank.prompts).toEqual(none.prompts);
	});

	test("config-016: are the compactor's own once it is made", async () => {
		const { template } = structuredClone(given("config-016").given.config) as {
			template: { sections: string[]; header: string };
		};
		const config = {
			templates: { mine: template },
			strategy: { use: "structured", template: "mine", ledger: false },
		} as unknown as Config;
		const compactor = await createCompactor(config, { backend: model() });
		template.sections.push("pending_tasks");
		template.header = "## B";
		const result = await compactor.compact(talk);
		expect(result.summary?.text).toBe("## A\n\n### Key facts\n- A1 holds 14");
	});

	test("config-017: name a section by its id, everywhere but in its heading", async () => {
		const events: Readonly<Record<string, unknown>>[] = [];
		const result = await compact(
			talk,
			{ strategy: { use: "structured", ledger: false } },
			{ backend: model(), onEvent: (event) => events.push(event) },
		);
		expect(result.summary?.sections.pending_tasks).toEqual(["Count A2"]);
		expect(result.summary?.text).toContain("### Pending tasks\n- Count A2");
		expect(events).toContainEqual(expect.objectContaining({ section: "pending_tasks", state: "populated" }));
	});
});
