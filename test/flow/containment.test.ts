import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import {
	type Config,
	createCompactor,
	createRegistry,
	isCompactionError,
	type Plugin,
} from "../../src/index.ts";
import type { Backend, PlanningStrategy } from "../../src/plugin.ts";
import { generateTranscript } from "../../src/testing.ts";

const OLDER = { use: "summarize-older", keepLast: 2 } as const;

async function pass(plugin: Partial<Plugin>, config: object, messages: ModelMessage[]): Promise<string> {
	const registry = createRegistry({ plugins: [{ name: "bad", apiVersion: 1, ...plugin }] });
	const before = JSON.stringify(messages);
	const compactor = await createCompactor(config as Config, { registry });
	const error: unknown = await compactor.compact(messages).then(
		({ status }) => status,
		(thrown: unknown) => thrown,
	);
	expect(JSON.stringify(messages)).toBe(before);
	if (typeof error === "string") return error;
	if (!isCompactionError(error)) throw error;
	return `${error.code}: ${error.message}`;
}

const withBackend = (backend: Backend, messages = generateTranscript(4, 20)): Promise<string> =>
	pass(
		{ backends: [{ name: "bad-backend", create: () => backend }] },
		{ strategy: OLDER, backend: { use: "bad-backend" } },
		messages,
	);
const withStrategy = (
	plan: PlanningStrategy["plan"],
	messages = generateTranscript(4, 20),
): Promise<string> =>
	pass(
		{ strategies: [{ name: "bad-strategy", create: () => ({ plan }) }] },
		{ strategy: { use: "bad-strategy" } },
		messages,
	);

describe("a plugin harms nothing but its own pass, and the error names it", () => {
	test("when its backend throws", async () => {
		const said = await withBackend({ summarize: () => Promise.reject(new Error("no service")) });
		expect(said).toMatch(/^BACKEND_FAILED: .*"bad-backend".*no service/s);
	});

	test("when its backend hangs past its deadline", async () => {
		const said = await withBackend({ timeoutMs: 30, summarize: () => new Promise(() => undefined) });
		expect(said).toMatch(/^TIMEOUT: .*"bad-backend"/s);
	});

	test("when its backend answers rubbish", async () => {
		for (const rubbish of [
			undefined,
			null,
			7,
			"text",
			{},
			{ text: 5 },
			{ sections: [] },
			{ sections: { a: 1 } },
			{ messages: {} },
			{ text: "a", sections: {} },
		]) {
			const said = await withBackend({ summarize: async () => rubbish as never });
			expect(said).toMatch(/^(?:PLUGIN_INVALID|BLANK_SUMMARY|MALFORMED_SUMMARY): .*"bad-backend"/s);
		}
	});

	test("when its backend writes to what it was given", async () => {
		const said = await withBackend({
			async summarize(request) {
				(request.messages[0] as { content: unknown }).content = "gone";
				return { text: "a" };
			},
		});
		expect(said).toMatch(/"bad-backend"/);
	});

	test("when its backend writes a key into its error", async () => {
		const said = await withBackend({
			summarize: () => Promise.reject(new Error("refused: Bearer sk-abcdefghijklmnopqrstuvwx123456")),
		});
		expect(said).toMatch(/^BACKEND_FAILED/);
		expect(said).not.toContain("sk-abcdefghijklmnop");
	});

	test("when its strategy throws, or gives what is no list of edits", async () => {
		expect(
			await withStrategy(() => {
				throw new Error("no plan");
			}),
		).toMatch(/^PLUGIN_INVALID: .*"bad-strategy".*no plan/s);
		for (const rubbish of [
			undefined,
			7,
			{},
			[{}],
			[null],
			[{ drop: [9999] }],
			[{ drop: [0.5] }],
			[{ drop: [-1] }],
			[{ replace: 0 }],
			[{ replace: 0, with: 7 }],
			[{ drop: [1], summarize: [1] }],
			[{ drop: [1] }, { drop: [1] }],
		]) {
			const said = await withStrategy(() => rubbish as never);
			expect(`${JSON.stringify(rubbish)} ${said}`).toMatch(/PLUGIN_INVALID: .*"bad-strategy"/s);
		}
	});

	test("when its strategy writes to what it was given", async () => {
		const said = await withStrategy((transcript) => {
			(transcript as unknown[]).length = 0;
			return [];
		});
		expect(said).toMatch(/^PLUGIN_INVALID: .*"bad-strategy"/s);
		const deep = await withStrategy((transcript) => {
			for (const message of transcript) (message as { content: unknown }).content = "";
			return [];
		});
		expect(deep).toMatch(/^PLUGIN_INVALID: .*"bad-strategy"/s);
	});

	test("when its strategy breaks a law, and the law is named", async () => {
		const messages: ModelMessage[] = [
			{ role: "system", content: "Rules." },
			{ role: "user", content: "Count." },
			{ role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "count", input: {} }] },
			{
				role: "tool",
				content: [
					{ type: "tool-result", toolCallId: "c1", toolName: "count", output: { type: "text", value: "14" } },
				],
			},
			{ role: "assistant", content: "Fourteen.", providerOptions: { precis: { pin: true } } },
			{ role: "user", content: "And now?" },
		];
		const drop = (index: number): Promise<string> => withStrategy(() => [{ drop: [index] }], messages);
		expect(await drop(0)).toContain('"leading-system"');
		expect(await drop(1)).toContain('"user-first"');
		expect(await drop(2)).toContain('"pairs"');
		expect(await drop(3)).toContain('"pairs"');
		expect(await drop(4)).toContain('"pins"');
		expect(await drop(5)).toContain('"last-user"');
		expect(
			await withStrategy(() => [{ replace: 1, with: { role: "user", content: "" } }], messages),
		).toContain('"no-empty"');
	});

	test("when its strategy breaks a law, before a backend is asked for anything", async () => {
		let asked = 0;
		const backend: Backend = {
			async summarize() {
				asked += 1;
				return { text: "### Key facts\n- The shelf holds 14" };
			},
		};
		const transcript = generateTranscript(4, 20);
		const result = transcript.findIndex(({ role }) => role === "tool");
		const all = [...transcript.keys()].slice(1, transcript.length - 2);
		const said = await pass(
			{
				strategies: [
					{
						name: "bad-strategy",
						create: () => ({ plan: () => [{ summarize: all.filter((index) => index !== result) }] }),
					},
				],
				backends: [{ name: "counting", create: () => backend }],
			},
			{ strategy: { use: "bad-strategy" }, backend: { use: "counting" } },
			transcript,
		);
		expect(said).toMatch(/^PLUGIN_INVALID: .*they break the law "/s);
		expect(asked).toBe(0);
	});
});
