#!/usr/bin/env node
import { helpText } from "./verb-list.ts";

// On Deno the mere mention of `process` loads its Node layer, which costs more than the help itself.
const deno = (globalThis as { readonly Deno?: { readonly args: readonly string[] } }).Deno;
const argv = deno?.args ?? process.argv.slice(2);
if (argv.length === 1 && ["--help", "-h", "help"].includes(argv[0] ?? "")) {
	// The console is there on every runtime; the process's own streams are what a start costs most on some.
	console.log(helpText().trimEnd());
} else {
	// Standard output is for data: what plugins and the libraries below them print goes where words go.
	console.log = console.info = console.debug = console.error;
	const [{ machineIo }, { run }] = await Promise.all([import("./machine-io.ts"), import("./run.ts")]);
	process.exitCode = await run(argv, machineIo());
	// Whoever interrupts does not wait for what a plugin still has open.
	if (process.exitCode === 130) process.exit();
}
