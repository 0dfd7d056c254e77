// Builds dist/: one bundle per public subpath with shared chunks, so that starting costs few files; and types.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const doors = ["index", "plugin", "testing", "ai-sdk", "formats", "cli/bin"].filter((name) =>
	existsSync(`${root}src/${name}.ts`),
);

const { outputFiles } = await build({
	write: false,
	absWorkingDir: root,
	entryPoints: Object.fromEntries(doors.map((name) => [name, `src/${name}.ts`])),
	outdir: "dist",
	bundle: true,
	splitting: true,
	format: "esm",
	platform: "node",
	target: "node20",
	// The lenient JSON parser is small and always needed: as a package of its own it would cost ten files at start.
	external: [
		...Object.keys(dependencies).filter((name) => name !== "jsonrepair"),
		...Object.keys(peerDependencies),
		"ajv/*",
		"tokenlens/*",
	],
	chunkNames: "chunks/[name]-[hash]",
	legalComments: "none",
	minifySyntax: true,
	minifyWhitespace: true,
});
// What stood there stays until its successor is whole.
rmSync(`${root}dist`, { recursive: true, force: true });
for (const { path, contents } of outputFiles) {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, contents);
}
if (existsSync(`${root}dist/cli/bin.js`)) chmodSync(`${root}dist/cli/bin.js`, 0o755);
if (!process.argv.includes("--js-only")) {
	execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
		cwd: root,
		stdio: "inherit",
	});
}
