// Checks the packed tarball: what is in it, that every door resolves with types, and what publint says.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "precis-package-"));
const fail = (message) => {
	console.error(`package check: ${message}`);
	process.exitCode = 1;
};
try {
	const [packed] = JSON.parse(
		execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
			cwd: root,
			encoding: "utf8",
			shell: process.platform === "win32",
		}),
	);
	const paths = new Set(packed.files.map(({ path }) => path));
	for (const path of [
		"README.md",
		"LICENSE",
		"CHANGELOG.md",
		"NOTICE",
		"licenses/Apache-2.0.txt",
		"dist/index.js",
		"dist/cli/bin.js",
		"schemas/config.schema.json",
	]) {
		if (!paths.has(path)) fail(`the tarball lacks ${path}`);
	}
	for (const path of paths) {
		if (/^(?:src|test|bench|scripts|examples|plugins)\//.test(path))
			fail(`the tarball holds ${path}, which nobody needs`);
	}
	const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	for (const entry of Object.values(manifest.exports)) {
		for (const target of typeof entry === "string" ? [entry] : Object.values(entry)) {
			if (!target.includes("*") && !paths.has(target.replace(/^\.\//, "")))
				fail(`exports names ${target}, which the tarball lacks`);
		}
	}
	const { messages } = await publint({ pkgDir: root, strict: true });
	for (const message of messages) {
		const text = formatMessage(message, manifest);
		if (message.type === "suggestion") console.error(`publint suggests: ${text}`);
		else fail(`publint: ${text}`);
	}
	if (process.exitCode === undefined)
		console.log(
			`package check: ${packed.files.length} files, ${Math.round(packed.size / 1024)} kB packed, all doors resolve`,
		);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
