// What finding, loading and checking 50 plugins costs beside importing those 50 modules alone, as a ratio of medians.
// Each measurement is a process of its own. Usage: npm run build:js && node bench/registry/run.mjs [--runs 15]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runs = Number(process.argv[process.argv.indexOf("--runs") + 1]) || 15;
const folder = mkdtempSync(join(tmpdir(), "precis-registry-"));
const COUNT = 50;
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** A plugin with a schema of a usual size. */
const source = (index) => `const schema = { type: "object", additionalProperties: false, properties: {
	region: { enum: ["north", "south"], default: "north", description: "Where the service runs." },
	retries: { type: "integer", minimum: 0, maximum: 10, default: 2, description: "How often a call is repeated." },
	labels: { type: "array", items: { type: "string", minLength: 1 }, description: "Labels of the request." } } };
export default { name: "plugin-${index}", apiVersion: 1, strategies: [{ name: "strategy-${index}", schema,
	create: () => ({ plan: () => [] }) }] };
`;

const PROGRAMS = {
	imports: `import { readdirSync } from "node:fs";
const start = performance.now();
await Promise.all(Array.from({ length: ${COUNT} }, (_, index) => import(\`./plugin-\${index}.mjs\`)));
console.log(performance.now() - start);`,
	registry: `import { createCompactor } from ${JSON.stringify(pathToFileURL(join(root, "dist/index.js")).href)};
const start = performance.now();
await createCompactor("./precis.config.json");
console.log(performance.now() - start);`,
};

try {
	for (let index = 0; index < COUNT; index += 1)
		writeFileSync(join(folder, `plugin-${index}.mjs`), source(index));
	const config = {
		plugins: Array.from({ length: COUNT }, (_, index) => `./plugin-${index}.mjs`),
		strategy: Array.from({ length: COUNT }, (_, index) => ({
			use: `strategy-${index}`,
			region: "south",
			labels: ["a"],
		})),
	};
	writeFileSync(join(folder, "precis.config.json"), JSON.stringify(config));
	const figures = { imports: [], registry: [] };
	for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(folder, `${name}.mjs`), text);
	for (let run = -1; run < runs; run += 1) {
		for (const name of Object.keys(PROGRAMS)) {
			const { stdout, stderr, status } = spawnSync(process.execPath, [`${name}.mjs`], {
				cwd: folder,
				encoding: "utf8",
			});
			if (status !== 0) throw new Error(stderr);
			if (run >= 0) figures[name].push(Number(stdout));
		}
	}
	const [imports, registry] = [median(figures.imports), median(figures.registry)];
	console.log(
		`importing ${COUNT} modules: ${imports.toFixed(1)} ms; a compactor over them, all options checked: ${registry.toFixed(1)} ms; ratio ${(registry / imports).toFixed(2)}`,
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
