// Prints every figure of the shared quality benches for the default, for the peers and for the baselines.
//   node bench/quality/run.mjs [--only real|ident|tau|qmsum]
// The scripts and their data stay where they are: PRECIS_SHARED, default ../shared, from the project's root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bench = resolve(root, process.env.PRECIS_SHARED ?? "../shared", "bench");
const only = process.argv[process.argv.indexOf("--only") + 1];
const asked = (name) => !process.argv.includes("--only") || only === name;
if (!existsSync(bench)) {
	console.error(
		`Cannot measure: there is no "${bench}". Set PRECIS_SHARED to the folder with "bench" and "data".`,
	);
	process.exit(2);
}

/** Node that runs TypeScript as it is; the project brings one where this one is too old. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const node =
	major > 22 || (major === 22 && minor >= 18) ? process.execPath : resolve(root, "node_modules/.bin/node");

function run(script, ...args) {
	const { status, stdout, stderr } = spawnSync(node, [resolve(bench, script), ...args], {
		cwd: root,
		encoding: "utf8",
		maxBuffer: 1 << 26,
	});
	if (status !== 0) throw new Error(`"${script} ${args.join(" ")}" failed:\n${stderr}`);
	if (stderr.trim() !== "") console.error(stderr.trim());
	return stdout.split("\n");
}

const OURS = [["précis: extractive + ledger", "precis.mjs"]];
const PEERS = [["AI SDK pruneMessages", "prune-messages.mjs"]];
if (existsSync(resolve(root, "bench/peers/node_modules/@langchain/core")))
	PEERS.push(["LangChain trimMessages", "trim-messages.mjs"]);
else console.error("LangChain trimMessages is left out: npm ci --prefix bench/peers");
const ALONE = [["précis: ledger alone (no summary)", "ledger-alone.mjs"]];
const RECORDED = [
	["recorded summary, trimmed, + ledger", "recorded-trimmed.mjs"],
	["recorded summary, lines dropped, + ledger", "recorded-condensed.mjs"],
];
const moduleArgs = ([name, file]) => ["--module", resolve(root, "bench/quality", file), "--name", name];
const cells = (line) =>
	line
		.split("|")
		.slice(1, -1)
		.map((cell) => cell.trim());

/** Rows of the first table of an output. */
function firstTable(lines) {
	const start = lines.findIndex((line) => line.startsWith("|"));
	const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
	return lines
		.slice(start, end)
		.filter((line) => !/^\|[-|:]+\|$/.test(line))
		.map(cells);
}

function print(title, head, rows) {
	const all = [head, ...rows];
	const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
	const line = (row) =>
		`| ${widths.map((width, column) => (column === 0 ? (row[column] ?? "").padEnd(width) : (row[column] ?? "").padStart(width))).join(" | ")} |`;
	console.log(`\n${title}\n`);
	console.log(line(head));
	console.log(
		`|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`,
	);
	for (const row of rows) console.log(line(row));
}

const targets = [];
const check = (what, found, least) =>
	targets.push([what, String(found), String(least), found >= least ? "met" : "missed"]);

if (asked("real")) {
	const columns = [0, 1, 4, 7];
	const tables = [...OURS, ...RECORDED, ...PEERS, ...ALONE].map((module) =>
		firstTable(run("real-check.mjs", ...moduleArgs(module))),
	);
	const [head = [], ...baselines] = tables[0] ?? [];
	const pick = (row) => columns.map((column) => row[column] ?? "");
	const found = tables.map((table) => table.at(-1) ?? []);
	print("real-check: at the size of the recorded summary", pick(head), [
		...found.map(pick),
		...baselines.slice(0, -1).map(pick),
	]);
	const [ours = [], , condensed = []] = found.map((row) => pick(row).map(Number));
	const recorded = pick(baselines[0] ?? []).map(Number);
	check("real-check need ids", ours[1], 90);
	check("real-check rare words", ours[2], 42);
	check("real-check user 3-grams", ours[3], 32);
	check("recorded + ledger need ids", condensed[1], 85);
	check("recorded + ledger rare words", condensed[2], recorded[2]);
	check("recorded + ledger user 3-grams", condensed[3], recorded[3]);
}

/** A bench that prints either its baselines or one module. */
function compare(title, script, args) {
	const base = firstTable(run(script, ...args));
	const [head = [], ...baselines] = base;
	const rows = [...OURS, ...PEERS, ...ALONE].map(
		(module) => firstTable(run(script, ...moduleArgs(module), ...args))[1] ?? [],
	);
	print(title, head, [...rows, ...baselines]);
	return (rows[0] ?? []).map(Number);
}

if (asked("ident")) {
	const ours = compare(
		"ident-recall: share of what is needed later, by share of the evicted tokens",
		"ident-recall.mjs",
		["--budgets", "1,2.5,5,10"],
	);
	check("ident-recall need at 2.5 %", ours[5], 65);
	check("ident-recall user at 2.5 %", ours[7], 20);
	check("ident-recall need at 5 %", ours[9], 80);
	check("ident-recall user at 5 %", ours[11], 29);
}
if (asked("tau")) {
	const ours = compare("tau-args: argument values of the calls that follow", "tau-args.mjs", []);
	check("tau-args future at 10 %", ours[4], 60);
}
if (asked("qmsum")) {
	const ours = compare("qmsum-recall: meetings", "qmsum-recall.mjs", ["--budgets", "5,10"]);
	check("qmsum-recall R1 at 10 %", ours[5], 60.5);
	check("qmsum-recall answer words at 10 %", ours[7], 51);
}
print("What the default is held to", ["figure", "found", "at least", ""], targets);
