import assert from "node:assert/strict";
import { test } from "node:test";
import { createCompactor, createRegistry } from "precis";
import { assistant, call, generateTranscript, result, strategyContract, tool, user } from "precis/testing";
import plugin from "../index.js";

const [definition] = plugin.strategies;
strategyContract({ test, definition, options: { closed: ["shelf A1"] } });
strategyContract({
	test,
	definition: { ...definition, name: "drop-topics-summarized" },
	options: { closed: ["shelf A1"], summarize: true },
});

const about = (name, message) => ({ ...message, providerOptions: { topics: { name } } });
const pass = async (messages) => {
	const config = { strategy: { use: "drop-topics", closed: ["shelf A1"] } };
	return (await createCompactor(config, { registry: createRegistry({ plugins: [plugin] }) })).compact(
		messages,
	);
};

test("drops the messages of a closed topic, calls together with their results", async () => {
	const messages = [
		user("Count both shelves."),
		about("shelf A1", assistant(call("c1", "count", { shelf: "A1" }))),
		about("shelf A1", tool(result("c1", "count", "14 boxes ".repeat(50)))),
		about("shelf A2", assistant("Nine on A2.")),
		user("And now?"),
	];
	const { messages: left, evicted } = await pass(messages);
	assert.deepEqual(left, [messages[0], messages[3], messages[4]]);
	assert.deepEqual(evicted, [messages[1], messages[2]]);
});

test("keeps a call whose result is about something else", async () => {
	const messages = [
		user("Count."),
		about("shelf A1", assistant(call("c1", "count"))),
		about("shelf A2", tool(result("c1", "count", "14"))),
		user("And now?"),
	];
	assert.equal((await pass(messages)).status, "unchanged");
});

test("leaves a transcript without topics as it is", async () => {
	assert.equal((await pass(generateTranscript(2))).status, "unchanged");
});
