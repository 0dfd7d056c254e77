import fc from "fast-check";
import type { Message, Part, ProviderOptions } from "../../src/core/transcript/message.ts";
import { summaryMessage } from "./steps.ts";

const WORDS = [
	"Count shelf A1.",
	"Vierzehn Kisten.",
	"棚A1には箱が14個あります。",
	"📦📦 ok",
	"a\nb",
	"x".repeat(120),
];
const TOOLS = ["count", "read", "codeExecution"];

const word: fc.Arbitrary<string> = fc.constantFrom(...WORDS);

/** Few ids, so that they are reused now and then. */
const callId: fc.Arbitrary<string> = fc.integer({ min: 0, max: 5 }).map((number) => `call_${number}`);

const signature: fc.Arbitrary<ProviderOptions | undefined> = fc.constantFrom(
	undefined,
	{ anthropic: { signature: "c2ln" } },
	{ openai: { itemId: "rs_1", reasoningEncryptedContent: null } },
);

const reasoning: fc.Arbitrary<readonly Part[]> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant([]) },
	{
		weight: 2,
		arbitrary: fc
			.record({ text: word, providerOptions: signature })
			.map(({ text, providerOptions }) => [
				{ type: "reasoning", text, ...(providerOptions === undefined ? {} : { providerOptions }) },
			]),
	},
	{
		weight: 1,
		arbitrary: fc.constant([
			{ type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "eA==" } } },
			{ type: "reasoning-file", data: "iVBORw0KGgo=", mediaType: "image/png" },
		]),
	},
);

const output: fc.Arbitrary<unknown> = fc.oneof(
	word.map((value) => ({ type: "text", value })),
	fc.constant({ type: "text", value: "row ".repeat(200) }),
	fc.constant({ type: "json", value: { shelf: "A1", boxes: 14 } }),
	fc.constant({ type: "error-text", value: "no such shelf" }),
	fc.constant({ type: "error-json", value: { code: 7 } }),
	fc.constant({
		type: "content",
		value: [
			{ type: "text", text: "see the picture" },
			{ type: "file-data", data: "iVBORw0KGgo=", mediaType: "image/png" },
		],
	}),
);

interface Call {
	readonly id: string;
	readonly tool: string;
	readonly output: unknown;
	/** How it goes on: with a result, with none, asked about, denied, or run by the provider. */
	readonly fate: "answered" | "unanswered" | "approved" | "denied" | "provider" | "provider-later" | "twice";
	readonly itemId: boolean;
	readonly caller: boolean;
}

const call: fc.Arbitrary<Call> = fc.record({
	id: callId,
	tool: fc.constantFrom(...TOOLS),
	output,
	fate: fc.oneof(
		{ weight: 6, arbitrary: fc.constant("answered" as const) },
		{
			weight: 2,
			arbitrary: fc.constantFrom(
				"unanswered" as const,
				"approved" as const,
				"denied" as const,
				"provider" as const,
				"provider-later" as const,
				"twice" as const,
			),
		},
	),
	itemId: fc.boolean(),
	caller: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
});

function callPart({ id, tool, fate, itemId, caller }: Call, callers: readonly string[]): Part {
	const from = caller ? callers.at(-1) : undefined;
	const providerOptions = {
		...(itemId ? { openai: { itemId: `fc_${id}` } } : {}),
		...(from === undefined
			? {}
			: { anthropic: { caller: { type: "code_execution_20250825", toolId: from } } }),
	};
	return {
		type: "tool-call",
		toolCallId: id,
		toolName: tool,
		input: { shelf: "A1" },
		...(fate.startsWith("provider") ? { providerExecuted: true } : {}),
		...(Object.keys(providerOptions).length === 0 ? {} : { providerOptions }),
	};
}

function resultPart({ id, tool, output: given }: Call): Part {
	return { type: "tool-result", toolCallId: id, toolName: tool, output: given };
}

let approvals = 0;

/** One step: an assistant message that calls tools, and what answers it. */
const step: fc.Arbitrary<readonly Message[]> = fc
	.record({
		before: reasoning,
		text: fc.option(word, { nil: undefined }),
		calls: fc.uniqueArray(call, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
		isSplit: fc.boolean(),
		interruption: fc.constantFrom(undefined, undefined, undefined, "user" as const, "system" as const),
	})
	.map(({ before, text, calls, isSplit, interruption }) => {
		const said: Part[] = [...before];
		const answers: Part[] = [];
		const later: Part[] = [];
		const callers = calls.filter(({ tool }) => tool === "codeExecution").map(({ id }) => id);
		if (text !== undefined) said.push({ type: "text", text });
		for (const one of calls) {
			said.push(
				callPart(
					one,
					callers.filter((id) => id !== one.id),
				),
			);
			approvals += 1;
			const approvalId = `approval_${approvals % 7}`;
			if (one.fate === "approved" || one.fate === "denied") {
				said.push({ type: "tool-approval-request", approvalId, toolCallId: one.id });
				answers.push({ type: "tool-approval-response", approvalId, approved: one.fate === "approved" });
			}
			if (one.fate === "denied")
				answers.push({ ...resultPart(one), output: { type: "execution-denied", reason: "not now" } });
			if (one.fate === "answered" || one.fate === "approved" || one.fate === "twice")
				answers.push(resultPart(one));
			if (one.fate === "twice")
				answers.push({ ...resultPart(one), output: { type: "text", value: "again" } });
			if (one.fate === "provider") said.push(resultPart(one));
			if (one.fate === "provider-later") later.push(resultPart(one));
		}
		const messages: Message[] = [{ role: "assistant", content: said }];
		if (interruption !== undefined) messages.push({ role: interruption, content: "One moment." });
		const half = isSplit ? Math.ceil(answers.length / 2) : answers.length;
		if (half > 0) messages.push({ role: "tool", content: answers.slice(0, half) });
		if (half < answers.length) messages.push({ role: "tool", content: answers.slice(half) });
		if (later.length > 0)
			messages.push({ role: "assistant", content: [...later, { type: "text", text: "Found." }] });
		return messages;
	});

function marked(message: Message, precis: Readonly<Record<string, unknown>>): Message {
	return { ...message, providerOptions: { ...message.providerOptions, precis } };
}

const single: fc.Arbitrary<Message> = fc.oneof(
	{ weight: 6, arbitrary: word.map((content): Message => ({ role: "user", content })) },
	{
		weight: 4,
		arbitrary: fc
			.record({ before: reasoning, text: word })
			.map(
				({ before, text }): Message => ({ role: "assistant", content: [...before, { type: "text", text }] }),
			),
	},
	{ weight: 1, arbitrary: word.map((content): Message => ({ role: "system", content })) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Message>(
			{ role: "assistant", content: [] },
			{ role: "assistant", content: "" },
			{ role: "assistant", content: [{ type: "text", text: " " }] },
			{ role: "user", content: [{ type: "text", text: "" }] },
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom<Message>(
			{ role: "assistant", content: [{ type: "hologram", data: { depth: 3 } }] },
			{ role: "user", content: [{ type: "image", image: "iVBORw0KGgo=", mediaType: "image/png" }] },
		),
	},
	{
		weight: 1,
		arbitrary: callId.map(
			(toolCallId): Message => ({
				role: "tool",
				content: [
					{ type: "tool-result", toolCallId, toolName: "count", output: { type: "text", value: "lost" } },
				],
			}),
		),
	},
	{
		weight: 1,
		arbitrary: fc.constant<Message>({
			role: "tool",
			content: [{ type: "tool-approval-response", approvalId: "lost", approved: true }],
		}),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom("context", "notification", "developer")
			.map((kind) => marked({ role: "user", content: "Shelves are in hall 3." }, { kind })),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom("user", "assistant").map((role) => summaryMessage("Earlier: hall 3.", role)),
	},
);

/**
 * Transcripts of all sorts: parallel and reused calls, orphans, approvals, reasoning, calls in flight and run by
 * providers, unknown parts, pins, earlier summaries, system messages anywhere, empty messages.
 */
export const transcript: fc.Arbitrary<readonly Message[]> = fc
	.record({
		head: fc.array(
			word.map((content): Message => ({ role: "system", content })),
			{ maxLength: 2 },
		),
		pieces: fc.array(
			fc.oneof({ weight: 3, arbitrary: single.map((message) => [message]) }, { weight: 3, arbitrary: step }),
			{ maxLength: 14 },
		),
		pins: fc.array(fc.nat({ max: 40 }), { maxLength: 2 }),
	})
	.map(({ head, pieces, pins }) => {
		const messages = [...head, ...pieces.flat()];
		return messages.map((message, index) =>
			pins.includes(index) ? marked(message, { ...message.providerOptions?.precis, pin: true }) : message,
		);
	});

/** Options of every built-in that plans, small enough to bite. */
export const plannerUse: fc.Arbitrary<{ readonly use: string; readonly [option: string]: unknown }> =
	fc.oneof(
		fc
			.record({
				use: fc.constantFrom("summarize-older", "keep-recent"),
				keepLast: fc.nat({ max: 8 }),
				preserveKinds: fc.subarray(
					["system", "developer", "user", "assistant", "tool", "context", "notification"],
					{
						maxLength: 2,
					},
				),
				keepTokens: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
				summaryRole: fc.constantFrom("user", "assistant"),
			})
			.map(({ keepTokens, summaryRole, ...rest }) => ({
				...rest,
				...(keepTokens === undefined ? {} : { keepTokens }),
				...(rest.use === "summarize-older" ? { summaryRole } : {}),
			})),
		fc
			.record({
				use: fc.constant("structured"),
				preserveRecent: fc.integer({ min: 1, max: 6 }),
				minMessages: fc.integer({ min: 2, max: 8 }),
				keepTokens: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
				summaryRole: fc.constantFrom("user", "assistant"),
			})
			.map(({ keepTokens, ...rest }) => ({ ...rest, ...(keepTokens === undefined ? {} : { keepTokens }) })),
		fc.record({
			use: fc.constantFrom("drop-reasoning", "drop-failed-tool-results"),
			dropEmptyMessages: fc.boolean(),
		}),
		fc
			.record({
				use: fc.constantFrom("drop-tool-calls", "clear-tool-results"),
				keepLast: fc.nat({ max: 6 }),
				tools: fc.option(fc.subarray(TOOLS, { minLength: 1 }), { nil: undefined }),
			})
			.map(({ tools, ...rest }) => ({ ...rest, ...(tools === undefined ? {} : { tools }) })),
		fc.record({
			use: fc.constant("truncate-tool-results"),
			maxTokens: fc.integer({ min: 16, max: 60 }),
			keep: fc.constantFrom("both", "head", "tail"),
		}),
	);

/** How a model thinks in one turn: a turn is made with one setting. */
const thinking: fc.Arbitrary<readonly Part[]> = fc.constantFrom<readonly Part[]>(
	[],
	[{ type: "reasoning", text: "Unsigned." }],
	[{ type: "reasoning", text: "Signed.", providerOptions: { anthropic: { signature: "c2ln" } } }],
	[{ type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "eA==" } } }],
	[{ type: "reasoning", text: "Stored.", providerOptions: { openai: { itemId: "rs_ID" } } }],
);

/** One step as a healthy host records it: every call is answered, at once. */
const healthyStep: fc.Arbitrary<(before: readonly Part[]) => readonly Message[]> = fc
	.record({
		text: fc.option(word, { nil: undefined }),
		outputs: fc.array(output, { minLength: 1, maxLength: 3 }),
		isItem: fc.boolean(),
		isSplit: fc.boolean(),
	})
	.map(({ text, outputs, isItem, isSplit }) => (before) => {
		const item = (name: string): { providerOptions?: ProviderOptions } =>
			isItem ? { providerOptions: { openai: { itemId: `${name}_ID` } } } : {};
		const results = outputs.map(
			(given, at): Part => ({
				type: "tool-result",
				toolCallId: `call_ID_${at}`,
				toolName: "count",
				output: given,
			}),
		);
		return [
			{
				role: "assistant",
				content: [
					...before,
					...(text === undefined ? [] : [{ type: "text", text, ...item("msg") }]),
					...outputs.map(
						(_, at): Part => ({
							type: "tool-call",
							toolCallId: `call_ID_${at}`,
							toolName: "count",
							input: { shelf: "A1" },
							...item(`fc${at}`),
						}),
					),
				],
			},
			...(isSplit
				? results.map((result): Message => ({ role: "tool", content: [result] }))
				: [{ role: "tool", content: results }]),
		];
	});

/** Gives every id of a step a number of its own, as hosts and services do. */
function numbered(messages: readonly Message[], number: number): readonly Message[] {
	return JSON.parse(JSON.stringify(messages).replaceAll("ID", String(number))) as Message[];
}

/** Transcripts that services take: turns of a user, steps of calls with all results, an answer; the last may go on. */
export const healthyTranscript: fc.Arbitrary<readonly Message[]> = fc
	.record({
		isLed: fc.boolean(),
		turns: fc.array(
			fc.record({
				request: word,
				before: thinking,
				steps: fc.array(healthyStep, { maxLength: 5 }),
				answer: word,
			}),
			{ minLength: 1, maxLength: 5 },
		),
		goesOn: fc.boolean(),
	})
	.map(({ isLed, turns, goesOn }) => {
		let steps = 0;
		const messages: Message[] = isLed ? [{ role: "system", content: "Rules." }] : [];
		for (const [index, turn] of turns.entries()) {
			messages.push({ role: "user", content: turn.request });
			for (const step of turn.steps) {
				steps += 1;
				messages.push(...numbered(step(turn.before), steps));
			}
			if (index < turns.length - 1 || !goesOn) messages.push({ role: "assistant", content: turn.answer });
		}
		return messages;
	});
