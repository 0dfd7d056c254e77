import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { type Message, partsOf } from "../../src/core/transcript/message.ts";
import { findUnits } from "../../src/core/transcript/units.ts";
import { readTranscript } from "../../src/formats.ts";
import { folderWith, precis } from "./command.ts";

const root = resolve(import.meta.dirname, "../..");
const SESSION = "examples/sessions/fix-the-splitter.jsonl";
const text = readFileSync(join(root, SESSION), "utf8");
const messages = readTranscript(text, SESSION).messages as readonly Message[];

test("the example session is a real one: long, with parallel calls, errors and large results", () => {
	expect(messages.length).toBeGreaterThanOrEqual(200);
	expect(text.length).toBeLessThan(1_000_000);
	const calls = messages.map((message) => partsOf(message).filter(({ type }) => type === "tool-call").length);
	expect(calls.filter((count) => count >= 2).length).toBeGreaterThan(50);
	const outputs = messages
		.flatMap(partsOf)
		.flatMap(({ type, output }) =>
			type === "tool-result" ? [output as { type: string; value: unknown }] : [],
		);
	expect(outputs.filter(({ type }) => type === "error-text").length).toBeGreaterThan(4);
	expect(outputs.filter(({ value }) => String(value).length > 5000).length).toBeGreaterThan(5);
	expect(Math.max(...outputs.map(({ value }) => String(value).length))).toBeGreaterThan(30_000);
	expect(messages.flatMap(partsOf).some(({ type }) => type === "reasoning")).toBe(true);
	expect(findUnits(messages).broken.size).toBe(0);
});

test("it names no folder of the machine that it was recorded on", () => {
	expect(text).not.toMatch(/(?:file:\/\/|["\s`(])\/(?:home|root|Users|tmp|work|var)\//);
	for (const folder of [homedir(), tmpdir(), root]) expect(text).not.toContain(`${folder}/`);
});

test("the example's config compacts it, offline, to a transcript without a broken pair", async () => {
	const cwd = await folderWith();
	const argv = [
		"compact",
		join(root, SESSION),
		"--config",
		join(root, "examples/precis.config.json"),
		"--output",
		"o.jsonl",
	];
	const { code, stderr } = await precis(argv, { cwd });
	expect(code).toBe(0);
	expect(stderr).toContain("% of the window of 64000");
	const written = readTranscript(readFileSync(join(cwd, "o.jsonl"), "utf8"), "o.jsonl")
		.messages as readonly Message[];
	expect(written.length).toBeLessThan(20);
	expect(written[0]).toEqual(messages[0]);
	expect(findUnits(written).broken.size).toBe(0);
	expect(written.slice(-8)).toEqual(messages.slice(-8));
});
