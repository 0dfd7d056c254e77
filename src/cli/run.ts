import type { CliIo } from "./io.ts";

/**
 * Runs the command.
 * @param argv what stands after the command's name
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage, config or input, 130 interrupted
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
	const [first] = argv;
	try {
		// Help loads nothing else: not even the parser of the command line.
		if (first === undefined || (argv.length === 1 && ["--help", "-h", "help"].includes(first))) {
			const { helpText } = await import("./verb-list.ts");
			await (first === undefined ? io.stderr : io.stdout).write(helpText());
			return first === undefined ? 2 : 0;
		}
		if (argv.length === 1 && ["--version", "-V"].includes(first)) {
			const { version } = await import("./version.ts");
			await io.stdout.write(`${version}\n`);
			return 0;
		}
		const { runVerb } = await import("./run-verb.ts");
		return await runVerb(argv, io);
	} catch (error) {
		const { reportError } = await import("./report-error.ts");
		return reportError(error, io);
	}
}
