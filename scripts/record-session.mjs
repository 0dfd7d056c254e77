// Records a session: a real AI SDK agent works on a copy of this repository, through the real provider package,
// with a scripted model on loopback. What the tools answered is what they really answered.
// Usage: node scripts/record-session.mjs [SCRIPT]   writes examples/sessions/SCRIPT.jsonl (fix-the-splitter)
import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, ToolLoopAgent } from "ai";
import { startLoopbackModel } from "./record-session/loopback-model.mjs";
import { toolsFor } from "./record-session/tools.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const name = process.argv[2] ?? "fix-the-splitter";
const script = (await import(`./record-session/${name}.mjs`)).default;

/** The project as it stood at the script's commit, with the script's fault planted, as a repository of its own. */
function copyProject() {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "precis-session-")));
	const tar = execFileSync("git", ["archive", script.commit], { cwd: root, maxBuffer: 1 << 30 });
	execFileSync("tar", ["-x", "-C", folder], { input: tar });
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	// A session does not read about itself, and random tests fail the same way each time.
	for (const path of ["scripts/record-session.mjs", "scripts/record-session", "examples/sessions"]) {
		rmSync(join(folder, path), { recursive: true, force: true });
	}
	writeFileSync(
		join(folder, "test/support/seed.ts"),
		'import fc from "fast-check";\n\nfc.configureGlobal({ seed: 20261201 });\n',
	);
	const seeded = {
		path: "vitest.config.ts",
		old: "\t\ttestTimeout:",
		new: '\t\tsetupFiles: ["test/support/seed.ts"],\n\t\ttestTimeout:',
	};
	for (const { path, old, new: replacement } of [seeded, ...script.planted]) {
		const before = readFileSync(join(folder, path), "utf8");
		if (before.split(old).length !== 2)
			throw new Error(`Cannot plant a fault in "${path}": its text is not there once.`);
		writeFileSync(
			join(folder, path),
			before.replace(old, () => replacement),
		);
	}
	const git = (...args) =>
		execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@localhost", ...args], { cwd: folder });
	git("init", "-q");
	git("add", "-A");
	git("commit", "-qm", "start");
	return folder;
}

/** Nothing of this machine may be in what is published. */
function checkNeutral(text, folder) {
	for (const secret of [folder, root, tmpdir(), homedir(), hostname()]) {
		if (secret.length > 3 && text.includes(secret))
			throw new Error(`The session names "${secret}", which is of this machine.`);
	}
}

const folder = copyProject();
const answers = script.turns.flatMap(({ steps }) => steps);
const server = await startLoopbackModel(answers);
try {
	const provider = createOpenAICompatible({ name: "loopback", baseURL: server.baseURL });
	const agent = new ToolLoopAgent({
		model: provider("scripted"),
		instructions: script.instructions,
		tools: toolsFor(folder),
		stopWhen: isStepCount(100),
	});
	const messages = [{ role: "system", content: script.instructions }];
	for (const { user, steps } of script.turns) {
		messages.push({ role: "user", content: user });
		const { responseMessages, steps: done } = await agent.generate({ messages: messages.slice(1) });
		if (done.length !== steps.length)
			throw new Error(`The turn "${user.slice(0, 40)}…" took ${done.length} steps, not ${steps.length}.`);
		messages.push(...responseMessages);
		process.stderr.write(`${messages.length} messages\n`);
	}
	const text = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
	checkNeutral(text, folder);
	mkdirSync(join(root, "examples/sessions"), { recursive: true });
	writeFileSync(join(root, `examples/sessions/${name}.jsonl`), text);
	process.stderr.write(
		`wrote examples/sessions/${name}.jsonl: ${messages.length} messages, ${text.length} characters\n`,
	);
} finally {
	await server.close();
	rmSync(folder, { recursive: true, force: true });
}
