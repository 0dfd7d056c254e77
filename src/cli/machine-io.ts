import * as files from "node:fs/promises";
import { CliError, reasonOf } from "./cli-error.ts";
import type { CliIo, Output } from "./io.ts";

function outputOf(stream: NodeJS.WriteStream, name: string): Output {
	// Without a listener a reader that has gone would end the process with a stack trace.
	stream.on("error", () => undefined);
	return {
		isTTY: stream.isTTY === true,
		columns: stream.columns ?? 0,
		write: (data) =>
			new Promise((resolve, reject) => {
				stream.write(data, (error) => {
					const code = (error as { code?: unknown } | null | undefined)?.code;
					const isGone = code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
					if (!error || isGone) resolve();
					else reject(new CliError(1, `Cannot write to ${name}: ${reasonOf(error)}.`, error));
				});
			}),
	};
}

/** The streams, files and signals of the running process. */
export function machineIo(): CliIo {
	const interrupted = new AbortController();
	// Once: whoever interrupts a second time means it.
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
	return {
		get stdin() {
			return process.stdin;
		},
		stdout: outputOf(process.stdout, "standard output"),
		stderr: outputOf(process.stderr, "standard error"),
		files,
		cwd: process.cwd(),
		env: process.env,
		signal: interrupted.signal,
	};
}
