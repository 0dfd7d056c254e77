import assert from "node:assert/strict";
import { test } from "node:test";
import plugin from "../index.js";

const template = {
	name: "default",
	header: "",
	sections: [{ id: "key_facts", title: "Key facts", purpose: "", aliases: [], maxItems: 50 }],
};
const ask = (options, messages) =>
	plugin.backends[0].create({ perMessage: 1, roles: ["user", "assistant"], ...options }, {}).summarize(
		{
			messages,
			transcript: "",
			template,
			budgetTokens: 1000,
			reason: { trigger: "manual", detail: "" },
			metadata: {},
			guidance: {},
		},
		{ signal: new AbortController().signal, countTokens: (text) => text.length / 4, emit: () => undefined },
	);

test("keeps the first sentence of each message", async () => {
	const { sections } = await ask({}, [
		{ role: "user", content: "Count shelf A1. Then go home." },
		{ role: "assistant", content: [{ type: "text", text: "Fourteen boxes. Done." }] },
	]);
	assert.deepEqual(sections.key_facts, ["Count shelf A1.", "Fourteen boxes."]);
});

test("keeps only the roles asked for", async () => {
	const { sections } = await ask({ roles: ["user"] }, [
		{ role: "user", content: "Count." },
		{ role: "assistant", content: "Fourteen." },
	]);
	assert.deepEqual(sections.key_facts, ["Count."]);
});
