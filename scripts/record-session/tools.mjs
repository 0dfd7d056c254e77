// The tools of a coding agent, bound to one folder: list, read, search, edit and test files. What they answer holds
// no absolute path and no time, so that a session can be recorded again to the same bytes.
import { execFileSync, spawnSync } from "node:child_process";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { jsonSchema, tool } from "ai";

const MAX_LINES = 1200;
const MAX_HITS = 200;

const object = (properties, required) =>
	jsonSchema({ type: "object", properties, required, additionalProperties: false });
const text = (description) => ({ type: "string", description });
const number = (description) => ({ type: "integer", minimum: 1, description });

/** A text without the folders of this machine: those of the copy and of its packages. */
function neutral(text, root) {
	const packages = dirname(realpathSync(join(root, "node_modules")));
	return [root, packages].reduce(
		(out, folder) =>
			out.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, "").replaceAll(folder, "."),
		text,
	);
}

/** The files of a folder that git knows, relative to the root, sorted. */
function filesBelow(root, folder) {
	const out = [];
	const walk = (path) => {
		for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) =>
			a.name < b.name ? -1 : 1,
		)) {
			if (["node_modules", ".git", "dist"].includes(entry.name)) continue;
			const full = join(path, entry.name);
			if (entry.isDirectory()) walk(full);
			else out.push(relative(root, full));
		}
	};
	walk(folder);
	return out;
}

/** The first lines of a failure: what was expected, and where. */
function describeFailure(message, root) {
	const lines = neutral(message, root)
		.replace(/\u001b\[[0-9;]*m/g, "")
		.split("\n");
	const said = lines.filter((line) => !/^\s+at /.test(line)).slice(0, 14);
	const frame = lines.find((line) => /^\s+at .*\btest\//.test(line));
	const place = frame?.match(/test\/[^\s):]+:\d+:\d+/)?.[0];
	return [...said, ...(place === undefined ? [] : [`at ${place}`])].map((line) => `      ${line}`.trimEnd());
}

function runTests(root, path) {
	const folder = mkdtempSync(join(tmpdir(), "record-"));
	const report = join(folder, "report.json");
	try {
		const vitest = join(root, "node_modules/vitest/vitest.mjs");
		const args = [vitest, "run", path, "--reporter=json", `--outputFile=${report}`];
		const { stderr, stdout } = spawnSync(process.execPath, args, {
			cwd: root,
			encoding: "utf8",
			env: { ...process.env, NO_COLOR: "1", PRECIS_RUNS: "20", PRECIS_SHARED: "/nowhere" },
		});
		if (!existsSync(report))
			throw new Error(
				`No tests were found at "${path}".\n${neutral(`${stdout}${stderr}`, root).slice(0, 400)}`,
			);
		const { testResults } = JSON.parse(readFileSync(report, "utf8"));
		const out = [];
		let passed = 0;
		let failed = 0;
		for (const { name, assertionResults, message } of testResults.sort((a, b) =>
			a.name < b.name ? -1 : 1,
		)) {
			out.push(relative(root, name));
			if (assertionResults.length === 0) {
				failed += 1;
				out.push(...describeFailure(message, root));
			}
			for (const { fullName, status, failureMessages } of assertionResults) {
				if (status === "passed") passed += 1;
				if (status === "failed") failed += 1;
				out.push(`  ${{ passed: "✓", failed: "✗" }[status] ?? "-"} ${fullName}`);
				for (const one of failureMessages) out.push(...describeFailure(one, root));
			}
		}
		return `${out.join("\n")}\n\n${passed} passed, ${failed} failed`;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** What a command says; an error where it fails. */
function runCommand(root, name, command, args) {
	const { status, stdout, stderr } = spawnSync(command, args, {
		cwd: root,
		encoding: "utf8",
		env: { ...process.env, NO_COLOR: "1", CI: "true" },
	});
	const said = neutral(`${stdout}${stderr}`, root)
		.replace(/ in \d+(?:\.\d+)?m?s\b/g, "")
		.trim();
	if (status !== 0) throw new Error(`"${name}" failed with exit code ${status}.\n${said.slice(0, 6000)}`);
	return said === "" ? `"${name}" passed` : said;
}

/** The tools, bound to a folder. */
export function toolsFor(root) {
	const inside = (path) => {
		const full = resolve(root, path);
		if (full !== root && !full.startsWith(`${root}/`))
			throw new Error(`"${path}" is outside of the project.`);
		if (!existsSync(full)) throw new Error(`There is no "${path}".`);
		return full;
	};
	return {
		list_files: tool({
			description: "Lists the files below a folder.",
			inputSchema: object({ path: text("The folder, relative to the project.") }, ["path"]),
			execute: ({ path }) => {
				const files = filesBelow(root, inside(path));
				return files
					.map((file) => `${String(statSync(join(root, file)).size).padStart(7)}  ${file}`)
					.join("\n");
			},
		}),
		read_file: tool({
			description: "Reads a file with line numbers.",
			inputSchema: object(
				{ path: text("The file."), from: number("The first line."), to: number("The last line.") },
				["path"],
			),
			execute: ({ path, from = 1, to = from + MAX_LINES - 1 }) => {
				const full = inside(path);
				if (statSync(full).isDirectory()) throw new Error(`"${path}" is a folder; list it instead.`);
				const lines = readFileSync(full, "utf8").split("\n");
				if (from > lines.length) throw new Error(`"${path}" has ${lines.length} lines.`);
				return lines
					.slice(from - 1, to)
					.map((line, index) => `${from + index}\t${line}`)
					.join("\n");
			},
		}),
		search: tool({
			description: "Searches files by a regular expression.",
			inputSchema: object(
				{ pattern: text("The expression."), path: text("The folder or file; the whole project by default.") },
				["pattern"],
			),
			execute: ({ pattern, path = "." }) => {
				const expression = new RegExp(pattern);
				const full = inside(path);
				const files = statSync(full).isDirectory() ? filesBelow(root, full) : [relative(root, full)];
				const hits = [];
				for (const file of files) {
					if (/package-lock\.json$|^src\/generated\/(?:validators|models)/.test(file)) continue;
					for (const [index, line] of readFileSync(join(root, file), "utf8").split("\n").entries()) {
						if (expression.test(line)) hits.push(`${file}:${index + 1}: ${line.trim().slice(0, 160)}`);
					}
				}
				if (hits.length === 0) return "no match";
				const shown = hits.slice(0, MAX_HITS);
				return [...shown, ...(hits.length > MAX_HITS ? [`… ${hits.length - MAX_HITS} more`] : [])].join("\n");
			},
		}),
		edit_file: tool({
			description: "Replaces a text that occurs exactly once in a file; an empty old text makes a new file.",
			inputSchema: object(
				{ path: text("The file."), old: text("The text to replace."), new: text("The new text.") },
				["path", "old", "new"],
			),
			execute: ({ path, old, new: replacement }) => {
				if (old === "") {
					const full = resolve(root, path);
					if (existsSync(full)) throw new Error(`"${path}" exists; give the text to replace.`);
					writeFileSync(full, replacement);
					return `wrote ${path}, ${replacement.split("\n").length} lines`;
				}
				const full = inside(path);
				const before = readFileSync(full, "utf8");
				const count = before.split(old).length - 1;
				if (count !== 1)
					throw new Error(`The old text occurs ${count} times in "${path}"; it must occur once.`);
				const line = before.slice(0, before.indexOf(old)).split("\n").length;
				writeFileSync(
					full,
					before.replace(old, () => replacement),
				);
				return `edited ${path} at line ${line}`;
			},
		}),
		run_tests: tool({
			description: "Runs the tests below a path.",
			inputSchema: object({ path: text("A test file, or a folder of them.") }, ["path"]),
			execute: ({ path }) => runTests(root, path),
		}),
		run_script: tool({
			description: "Runs a script of package.json: codegen, codegen:check or check (the types).",
			inputSchema: object({ name: { enum: ["codegen", "codegen:check", "check"] } }, ["name"]),
			execute: ({ name }) => runCommand(root, name, "npm", ["run", "--silent", name]),
		}),
		lint: tool({
			description: "Checks the style of files; with fix it corrects what it can.",
			inputSchema: object(
				{ path: text("A file or folder."), fix: { type: "boolean", description: "Whether to correct." } },
				["path"],
			),
			execute: ({ path, fix = false }) => {
				const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
				const args = ["check", "--colors=off", ...(fix ? ["--write"] : []), path];
				return runCommand(root, `lint of ${path}`, process.execPath, [biome, ...args]);
			},
		}),
		diff: tool({
			description: "Shows what was changed so far, new and generated files left out.",
			inputSchema: object({}, []),
			execute: () =>
				execFileSync("git", ["diff", "--no-color", "--no-ext-diff", "--", ".", ":!src/generated"], {
					cwd: root,
					encoding: "utf8",
				}),
		}),
	};
}
