// Builds dist/: one bundle per public subpath with shared chunks, so that starting costs few files; and types.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
// Small development dependencies that always run (the JSON parsers) are bundled: as packages they would cost files.
const packages = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
const doors = ["index", "index.bun", "plugin", "testing", "ai-sdk", "formats", "cli/bin"];

/**
 * What is needed together stands in one file: on some runtimes a file more costs as much as starting. First what
 * `import "precis"` needs at once (under Bun, then elsewhere), then what the first compactor needs beside it, whatever
 * its config is.
 */
const CHUNKS = {
	errors: ["src/index.bun.ts"],
	core: ["src/index.ts"],
	compactor: [
		"src/flow/create-compactor.ts",
		"src/registry/check-options.ts",
		"src/registry/load-plugin.ts",
		"src/generated/validators/config.ts",
		"src/generated/validators/counters/heuristic.ts",
		"src/generated/validators/triggers/context-window.ts",
		"plugins/counters/heuristic.ts",
		"plugins/triggers/context-window.ts",
	],
};

/** The modules that some import before they can run, themselves included. */
function staticGraph(starts, importsOf) {
	const found = new Set();
	const queue = [...starts];
	for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
		if (found.has(id)) continue;
		found.add(id);
		queue.push(...importsOf(id));
	}
	return found;
}

/**
 * Leaves out the chunks that only hand on what another chunk holds: a lazy import of a module that was put into a
 * common chunk gets one, which is a file more to read. The import is sent to the other chunk directly.
 */
function withoutHandOvers(chunks) {
	const handOvers = new Map();
	for (const { fileName, code, isDynamicEntry, moduleIds } of chunks) {
		if (!isDynamicEntry || moduleIds.length > 0) continue;
		const parts = /^export ?\{([^}]*)\} ?from ?["'`]\.\/([^"'`]+)["'`];\n?$/.exec(code);
		if (parts === null)
			throw new Error(`${fileName} holds no module, and how it hands on another's was not understood.`);
		const names = parts[1].split(",").map((one) => one.trim().split(/ as /));
		const members = names.map(([inner, outer = inner]) => `${outer}:m.${inner}`);
		handOvers.set(basename(fileName), { target: parts[2], members: members.join(",") });
	}
	const sent = (whole, folder, name) => {
		const { target, members } = handOvers.get(name) ?? {};
		return target === undefined ? whole : `import("${folder}${target}").then(m=>({${members}}))`;
	};
	return chunks
		.filter(({ fileName }) => !handOvers.has(basename(fileName)))
		.map(({ fileName, code }) => ({
			fileName,
			code: code.replace(/\bimport\(["'`]((?:\.{1,2}\/)+(?:chunks\/)?)([\w.-]+\.js)["'`]\)/g, sent),
		}));
}

/** Bun reads what says so as it stands, which saves it a third of the time that importing takes. */
function withMark(code) {
	const start = code.startsWith("#!") ? code.indexOf("\n") + 1 : 0;
	return `${code.slice(0, start)}// @bun\n${code.slice(start)}`;
}

/**
 * The door for Bun: what index.bun.ts holds, and each other function of index.js as one that loads that file when it is
 * first called. A plain `require` of a literal path, so that Bun's bundler finds the file too.
 */
async function bunDoor(code) {
	const whole = await import(join(root, "dist/index.js"));
	const atOnce = await import(join(root, "dist/index.bun.js"));
	const late = Object.keys(whole).filter((name) => !Object.hasOwn(atOnce, name));
	const forward = (path) => `(...given) => whole().${path}(...given)`;
	const lines = late.map((name) => {
		const members = Object.keys(whole[name]);
		for (const value of [whole[name], ...members.map((member) => whole[name][member])])
			if (typeof value !== "function")
				throw new Error(`"${name}" is no function: index.bun.ts must hold it.`);
		const own = members.map((member) => `${member}: ${forward(`${name}.${member}`)}`);
		const made = own.length === 0 ? forward(name) : `Object.assign(${forward(name)}, { ${own.join(", ")} })`;
		return `export const ${name} = ${made};\n`;
	});
	return `${code}const whole = () => require("./index.js");\n${lines.join("")}`;
}

const groups = Object.entries(CHUNKS).map(([debugName, sources], index, { length }) => {
	let graph;
	return {
		debugName,
		priority: length - index,
		name(id, context) {
			graph ??= staticGraph(
				sources.map((source) => join(root, source)),
				(module) => context.getModuleInfo(module)?.importedIds ?? [],
			);
			return graph.has(id) ? debugName : null;
		},
	};
});

const bundle = await rolldown({
	cwd: root,
	platform: "node",
	input: Object.fromEntries(doors.map((name) => [name, `src/${name}.ts`])),
	external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
	// One lazy import only keeps two modules from waiting for each other.
	checks: { ineffectiveDynamicImport: false },
	onwarn: (warning) => console.error(warning.message),
});
const { output } = await bundle.generate({
	dir: "dist",
	format: "esm",
	minify: true,
	comments: false,
	chunkFileNames: "chunks/[name]-[hash].js",
	codeSplitting: { groups },
});
await bundle.close();
// What stood there stays until its successor is whole.
rmSync(`${root}dist`, { recursive: true, force: true });
for (const { fileName, code } of withoutHandOvers(output)) {
	const path = join(root, "dist", fileName);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, withMark(code));
}
const bun = `${root}dist/index.bun.js`;
writeFileSync(bun, await bunDoor(output.find(({ fileName }) => fileName === "index.bun.js").code));
chmodSync(`${root}dist/cli/bin.js`, 0o755);
if (!process.argv.includes("--js-only")) {
	execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
		cwd: root,
		stdio: "inherit",
	});
}
