// Builds dist/: one bundle per public subpath with shared chunks, so that starting costs few files; and types.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const doors = ["index", "plugin", "testing", "ai-sdk", "formats", "cli/bin"].filter((name) =>
	existsSync(`${root}src/${name}.ts`),
);
const OPTIONS = {
	absWorkingDir: root,
	bundle: true,
	format: "esm",
	platform: "node",
	target: "node20",
	legalComments: "none",
	minify: true,
	write: false,
	logLevel: "error",
};

const { outputFiles, metafile } = await build({
	...OPTIONS,
	entryPoints: Object.fromEntries(doors.map((name) => [name, `src/${name}.ts`])),
	outdir: "dist",
	splitting: true,
	metafile: true,
	// The lenient JSON parser is small and always needed: as a package of its own it would cost ten files at start.
	external: [
		...Object.keys(dependencies).filter((name) => name !== "jsonrepair"),
		...Object.keys(peerDependencies),
		"ajv/*",
		"tokenlens/*",
	],
	chunkNames: "chunks/[name]-[hash]",
});
// What stood there stays until its successor is whole.
rmSync(`${root}dist`, { recursive: true, force: true });
for (const { path, contents } of outputFiles) {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, contents);
}
await gather("dist/index.js", "dist/chunks/core.js");
if (existsSync(`${root}dist/cli/bin.js`)) chmodSync(`${root}dist/cli/bin.js`, 0o755);
if (!process.argv.includes("--js-only")) {
	execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
		cwd: root,
		stdio: "inherit",
	});
}

/** The outputs that a door imports before it can run, itself included. */
function staticGraph(door, found = new Set()) {
	found.add(door);
	for (const { path, kind, external } of metafile.outputs[door].imports) {
		if (kind === "import-statement" && external !== true && !found.has(path)) staticGraph(path, found);
	}
	return found;
}

/**
 * Puts a door and all chunks that it needs at once into one file: on some runtimes a file more costs as much as
 * starting. The chunks stay as hand-overs, so that other doors share the very same code.
 */
async function gather(door, target) {
	const chunks = [...staticGraph(door)].map((path, index) => ({ path, mark: `_${index}_` }));
	const exportsOf = (path) => metafile.outputs[path].exports;
	const lines = chunks.map(({ path, mark }) => {
		const names = exportsOf(path).map((name) => `${name} as ${mark}${name}`);
		return `export { ${names.join(", ")} } from ${JSON.stringify(`./${path}`)};`;
	});
	const whole = await build({
		...OPTIONS,
		stdin: { contents: lines.join("\n"), resolveDir: root },
		outfile: target,
		plugins: [
			{
				name: "leave-lazy-imports",
				setup({ onResolve }) {
					onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
						if (kind === "dynamic-import") {
							return { path: path.startsWith(".") ? `./${basename(path)}` : path, external: true };
						}
						const isOwn = path.startsWith(".") && join(resolveDir, path).startsWith(root);
						return isOwn ? undefined : { path, external: true };
					});
				},
			},
		],
	});
	writeFileSync(join(root, target), whole.outputFiles[0].contents);
	for (const { path, mark } of chunks) {
		const names = exportsOf(path).map((name) => `${mark}${name} as ${name}`);
		const from = path === door ? `./chunks/${basename(target)}` : `./${basename(target)}`;
		writeFileSync(join(root, path), `export{${names.join(",")}}from"${from}";\n`);
	}
}
