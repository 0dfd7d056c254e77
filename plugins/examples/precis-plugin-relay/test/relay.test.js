import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { createCompactor, createRegistry } from "precis";
import { backendContract, generateTranscript } from "precis/testing";
import plugin from "../index.js";

const asked = [];
let behave = (_body, response) =>
	response.end(JSON.stringify({ sections: { key_facts: ["The service was asked."] } }));
const server = createServer(async (request, response) => {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
	asked.push({ body, headers: request.headers });
	response.setHeader("content-type", "application/json");
	behave(body, response);
});
const url = await new Promise((resolve) =>
	server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`)),
);
after(() => {
	server.closeAllConnections();
	server.close();
});

backendContract({ test, definition: plugin.backends[0], options: { url } });

const compactorWith = (backend) =>
	createCompactor(
		{
			strategy: { use: "summarize-older", keepLast: 2, ledger: false },
			backend: { use: "relay", url, ...backend },
		},
		{ registry: createRegistry({ plugins: [plugin] }) },
	);

test("the service is sent the sections and the budget, and its answer becomes the summary", async () => {
	asked.length = 0;
	const result = await (await compactorWith({ style: "brief" })).compact(generateTranscript(1, 20));
	assert.equal(result.status, "compacted");
	assert.deepEqual(result.summary.sections.key_facts, ["The service was asked."]);
	assert.equal(asked.length, 1);
	assert.equal(asked[0].body.style, "brief");
	assert.deepEqual(
		asked[0].body.sections.map(({ id }) => id),
		["key_facts", "decisions", "pending_tasks", "open_questions"],
	);
	assert.ok(asked[0].body.budgetTokens > 0);
});

test("the token goes into the header, and into no error", async () => {
	process.env.RELAY_TEST_TOKEN = "relay-test-token-1234567890";
	behave = (_body, response) => {
		response.statusCode = 500;
		response.end("{}");
	};
	const compactor = await compactorWith({ tokenEnv: "RELAY_TEST_TOKEN" });
	await assert.rejects(compactor.compact(generateTranscript(1, 20)), (error) => {
		assert.equal(error.code, "BACKEND_FAILED");
		assert.match(error.message, /relay.*status 500/s);
		assert.ok(!error.message.includes("relay-test-token"));
		return true;
	});
	assert.equal(asked.at(-1).headers.authorization, "Bearer relay-test-token-1234567890");
});
