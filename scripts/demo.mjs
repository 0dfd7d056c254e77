// Compacts a real agent session, offline, by the real command, and shows what became of it.
// Usage: npm run demo
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const input = "examples/sessions/fix-the-splitter.jsonl";
const output = "examples/out/fix-the-splitter.jsonl";
const argv = ["compact", input, "--config", "examples/precis.config.json", "--output", output];

const ENTRIES = 6;
const WIDTH = 150;

const messagesOf = (path) =>
	readFileSync(`${root}${path}`, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));

function describe(path) {
	const messages = messagesOf(path);
	const roles = new Map();
	for (const { role } of messages) roles.set(role, (roles.get(role) ?? 0) + 1);
	const kilobytes = (readFileSync(`${root}${path}`).length / 1000).toFixed(0);
	return `${messages.length} messages (${[...roles].map(([role, count]) => `${count} ${role}`).join(", ")}), ${kilobytes} kB`;
}

mkdirSync(`${root}examples/out`, { recursive: true });
console.log(`$ precis ${argv.join(" ")}\n`);
const { status } = spawnSync(process.execPath, [`${root}dist/cli/bin.js`, ...argv], {
	cwd: root,
	stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);

/** The summary in brief: of each section the first entries, one line each. */
function brief(text) {
	const lines = [];
	let shown = 0;
	let hidden = 0;
	const close = () => {
		if (hidden > 0) lines.push(`  … and ${hidden} more`);
		shown = 0;
		hidden = 0;
	};
	for (const line of text.split("\n")) {
		if (line === "") close();
		if (line.startsWith("- ") && shown >= ENTRIES) hidden += 1;
		else {
			if (line.startsWith("- ")) shown += 1;
			lines.push(line.length > WIDTH ? `${line.slice(0, WIDTH)} …` : line);
		}
	}
	return lines.join("\n");
}

const summary = messagesOf(output).find(
	({ providerOptions }) => providerOptions?.precis?.summary !== undefined,
);
console.log(`\nbefore  ${input}: ${describe(input)}`);
console.log(`after   ${output}: ${describe(output)}`);
console.log(
	`\nThe summary, in brief; it stands where the older messages stood:\n\n${brief(summary.content[0].text)}\n`,
);
console.log(`wrote ${output}`);
