import { readFileSync } from "node:fs";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import heuristic from "../../../plugins/counters/heuristic.ts";
import o200k from "../../../plugins/counters/o200k.ts";
import ratio from "../../../plugins/counters/ratio.ts";
import { createAccount } from "../../../src/core/transcript/account.ts";
import { createHost } from "../../../src/platform/create-host.ts";
import type { Counter, Host, Message } from "../../../src/plugin.ts";
import { transcript } from "../../support/arbitraries.ts";

const numRuns = Number(process.env.PRECIS_RUNS ?? 200);
const AS_TEXT = { disallowedSpecial: new Set<string>() };
const host: Host = createHost({ baseUrl: undefined, languageModel: undefined });

let counters: { readonly heuristic: Counter; readonly o200k: Counter; readonly ratio: Counter };
beforeAll(async () => {
	counters = {
		heuristic: await heuristic.create({}, host),
		o200k: await o200k.create({}, host),
		ratio: await ratio.create({ charsPerToken: 4, perMessage: 5 }, host),
	};
});

interface GivenPart {
	readonly text?: string;
	readonly thinking?: string;
	readonly image?: true;
	readonly call?: string;
	readonly result?: string;
	readonly name?: string;
	readonly input?: unknown;
	readonly output?: readonly { readonly text?: string; readonly image?: true }[];
}

interface EstimateCase {
	readonly id: string;
	readonly topic: string;
	readonly given: {
		readonly text?: string;
		readonly messages?: readonly { readonly role: string; readonly parts: readonly GivenPart[] }[];
	};
	readonly expect: { readonly tokens: number };
	readonly why: string;
}

const PNG = "iVBORw0KGgo=";

function contentPart(part: GivenPart): Readonly<Record<string, unknown>> & { readonly type: string } {
	if (part.thinking !== undefined) return { type: "reasoning", text: part.thinking };
	if (part.image === true) return { type: "image", image: PNG, mediaType: "image/png" };
	if (part.call !== undefined)
		return { type: "tool-call", toolCallId: part.call, toolName: part.name, input: part.input };
	if (part.result === undefined) return { type: "text", text: part.text };
	const value = (part.output ?? []).map((item) =>
		item.image === true
			? { type: "image-data", data: PNG, mediaType: "image/png" }
			: { type: "text", text: item.text },
	);
	return {
		type: "tool-result",
		toolCallId: part.result,
		toolName: part.name,
		output: { type: "content", value },
	};
}

const estimates = (
	JSON.parse(readFileSync(new URL("../../cases/seeds.json", import.meta.url), "utf8")) as EstimateCase[]
).filter(({ topic }) => topic === "estimate");

function messagesOf({ given }: EstimateCase): readonly Message[] {
	if (given.messages === undefined) return [{ role: "user", content: given.text ?? "" }];
	return given.messages.map(({ role, parts }) => ({
		role,
		content: parts.map(contentPart) as Message["content"],
	}));
}

describe('the counter "ratio" with 4 characters for a token and 5 tokens for a message', () => {
	test("has all 11 given figures", () => expect(estimates).toHaveLength(11));

	test.each(estimates)("$id: $why", (given) => {
		expect(createAccount(counters.ratio).total(messagesOf(given))).toBe(given.expect.tokens);
	});
});

describe('the counter "ratio"', () => {
	test("has presets, and figures of one's own win over them", async () => {
		const text = "a".repeat(700);
		const tokens = async (options: Parameters<typeof ratio.create>[0]): Promise<number> =>
			(await ratio.create(options, host)).text(text);
		expect(await tokens({})).toBe(175);
		expect(await tokens({ preset: "openai" })).toBe(175);
		expect(await tokens({ preset: "anthropic" })).toBe(200);
		expect(await tokens({ preset: "anthropic", charsPerToken: 7 })).toBe(100);
	});

	test("counts code points: half a surrogate pair is one", () => {
		const points = (text: string): number => counters.ratio.text(text) * 4;
		expect(points("😀\ud83d😀\ude00\ud83d")).toBe([..."😀\ud83d😀\ude00\ud83d"].length);
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				expect(points(text)).toBe([...text].length);
			}),
			{ numRuns },
		);
	});
});

/** Texts of our own, none of which the weights were fitted on. */
const TEXTS: Readonly<Record<string, string>> = {
	prose:
		"When the night shift came in, the last pallet was still standing by the door, and nobody could say who had signed for it. Martha looked through the ledger twice. There was a line for Tuesday, half of it crossed out, and a name that none of them had heard before; it might have been a driver, or a customer who had waited too long and left. She wrote a short note, pinned it to the board, and told the others to leave the pallet alone until the office opened. In the morning the note was gone, and so was the pallet, which settled the matter in a way, although it did not help with the count. ",
	code: 'export async function countShelf(shelf: Shelf, options: CountOptions = {}): Promise<number> {\n\tlet total = 0;\n\tfor (const crate of shelf.crates) {\n\t\tif (options.skipEmpty && crate.items.length === 0) continue;\n\t\tconst found = await lookUp(crate.id, { retries: 3, timeoutMs: 250 });\n\t\tif (found === undefined) throw new Error("crate " + crate.id + " is not on shelf " + shelf.name);\n\t\ttotal += found.quantity;\n\t}\n\treturn total;\n}\n\n',
	Chinese:
		"夜班的人来上班时,最后一个托盘还放在门口,没有人知道是谁签收的。她把账本翻了两遍,发现星期二那一行被划掉了一半,后面写着一个大家从来没有听说过的名字。也许是司机,也许是等得不耐烦的顾客。她写了一张便条贴在公告板上,叫大家在办公室开门之前不要动那个托盘。第二天早上,便条不见了,托盘也不见了。这件事就算解决了,不过库存的数字还是对不上。",
	Japanese:
		"夜勤の人たちが来たとき、最後のパレットはまだドアのそばに置かれていて、誰が受け取ったのか分かりませんでした。彼女は帳簿を二度めくりましたが、火曜日の行は半分消されていて、誰も聞いたことのない名前が書いてありました。運転手だったのかもしれませんし、待ちくたびれて帰ったお客さんだったのかもしれません。翌朝になると、メモもパレットもなくなっていました。",
	Korean:
		"야간 근무자들이 출근했을 때 마지막 팔레트는 아직 문 옆에 놓여 있었고, 누가 서명했는지 아무도 말할 수 없었다. 그녀는 장부를 두 번이나 넘겨 보았다. 화요일 줄은 반쯤 지워져 있었고, 아무도 들어 본 적 없는 이름이 적혀 있었다. 다음 날 아침에는 쪽지도 팔레트도 사라져 있었다.",
	Russian:
		"Когда пришла ночная смена, последний поддон всё ещё стоял у двери, и никто не мог сказать, кто за него расписался. Марта дважды просмотрела журнал. Строка за вторник была наполовину зачёркнута, а рядом стояло имя, которого никто из них раньше не слышал. Утром записка исчезла, и поддон тоже.",
};

const record = (index: number): unknown => ({
	id: (index * 2_654_435_761).toString(16).padStart(8, "0"),
	name: `shelf ${String.fromCharCode(65 + (index % 26))}${index % 40}`,
	quantity: (index * 37) % 500,
	checked: index % 3 === 0,
	updatedAt: new Date(1_760_000_000_000 + index * 86_400_000).toISOString(),
	notes: index % 5 === 0 ? null : ["dented corner", "count again"],
});
const RECORDS: readonly unknown[] = Array.from({ length: 60 }, (_, index) => record(index));
const KINDS: Readonly<Record<string, string>> = {
	...TEXTS,
	"minified JSON": JSON.stringify(RECORDS),
	"pretty JSON": JSON.stringify(RECORDS, null, 2),
	base64: Buffer.from(
		Array.from({ length: 6000 }, (_, index) => Math.imul(index + 1, 2_654_435_761) >>> 24),
	).toString("base64"),
	hex: Buffer.from(
		Array.from({ length: 6000 }, (_, index) => Math.imul(index + 7, 2_654_435_761) >>> 24),
	).toString("hex"),
};

describe('the counter "heuristic"', () => {
	test.each(Object.entries(KINDS))("is near o200k on %s, read whole or sampled", (_, text) => {
		// Cut small, a text is read whole; as it is, and repeated, it is sampled.
		const pieces = Array.from({ length: Math.floor(text.length / 45) }, (_piece, index) =>
			text.slice(index * 45, index * 45 + 45),
		);
		const long = text.length > 10_000 ? text : text.repeat(Math.ceil(20_000 / text.length));
		const sum = (count: (piece: string) => number): number =>
			pieces.reduce((total, piece) => total + count(piece), 0);
		const whole =
			sum((piece) => counters.heuristic.text(piece)) / sum((piece) => countTokens(piece, AS_TEXT));
		const sampled = counters.heuristic.text(long) / countTokens(long, AS_TEXT);
		expect(Math.abs(whole - 1)).toBeLessThan(0.2);
		expect(Math.abs(sampled - 1)).toBeLessThan(0.2);
	});

	test("token-count-06: does not undercount Chinese", () => {
		const account = createAccount(counters.heuristic);
		expect(
			account.total([{ role: "user", content: "仓库里共有十五个箱子".repeat(16) }]),
		).toBeGreaterThanOrEqual(90);
		expect(account.total([{ role: "user", content: "letters and ".repeat(14).slice(0, 160) }])).toBeLessThan(
			60,
		);
	});

	test("gives every text the same finite number each time, 0 for none", () => {
		expect(counters.heuristic.text("")).toBe(0);
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 5000 }), (text) => {
				const tokens = counters.heuristic.text(text);
				expect(Number.isFinite(tokens) && tokens >= 0).toBe(true);
				expect(counters.heuristic.text(text)).toBe(tokens);
			}),
			{ numRuns },
		);
	});

	test("reads no more of a text of a million characters than its samples", () => {
		const long = KINDS.prose?.repeat(2000) ?? "";
		counters.heuristic.text(long);
		const start = performance.now();
		for (let round = 0; round < 10; round += 1) counters.heuristic.text(long);
		const sampled = performance.now() - start;
		let codes = 0;
		const readStart = performance.now();
		for (let round = 0; round < 10; round += 1)
			for (let index = 0; index < long.length; index += 1) codes += long.charCodeAt(index);
		expect(codes).toBeGreaterThan(0);
		expect(sampled).toBeLessThan(performance.now() - readStart);
	});
});

describe('the counter "o200k"', () => {
	test.each(Object.entries(KINDS))("counts %s exactly", (_, text) => {
		expect(counters.o200k.text(text)).toBe(countTokens(text, AS_TEXT));
	});

	test("takes what looks like a special token for text", () => {
		expect(counters.o200k.text("<|endoftext|>")).toBeGreaterThan(1);
	});

	test.each([["a"], [" "], ["\n"], ["="], ["仓"], ["😀"], ["-="], ["界a"]])(
		"counts 40 000 characters of %j without a break in a moment, and nearly exactly",
		(unit) => {
			const long = unit.repeat(Math.ceil(40_000 / unit.length));
			const start = performance.now();
			const tokens = counters.o200k.text(long);
			expect(performance.now() - start).toBeLessThan(3000);
			const short = unit.repeat(Math.ceil(4096 / unit.length));
			const perCharacter = countTokens(short, AS_TEXT) / short.length;
			expect(Math.abs(tokens / (perCharacter * long.length) - 1)).toBeLessThan(0.1);
		},
	);

	test("without its package fails with a code and says what to install", async () => {
		const bare: Host = {
			...host,
			importModule: () => Promise.reject(Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" })),
		};
		await expect(async () => o200k.create({}, bare)).rejects.toThrowError(
			expect.objectContaining({
				code: "BACKEND_FAILED",
				message: expect.stringContaining("npm install gpt-tokenizer"),
			}),
		);
	});
});

describe("every counter", () => {
	test("gives every message a finite number of at least 0", () => {
		fc.assert(
			fc.property(transcript, (messages) => {
				for (const counter of Object.values(counters)) {
					const total = createAccount(counter).total(messages);
					expect(Number.isInteger(total) && total >= 0).toBe(true);
				}
			}),
			{ numRuns: Math.min(numRuns, 1000) },
		);
	});
});
