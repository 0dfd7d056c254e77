#!/usr/bin/env node
import { machineIo } from "./machine-io.ts";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), machineIo());
// Whoever interrupts does not wait for what a plugin still has open.
if (process.exitCode === 130) process.exit();
