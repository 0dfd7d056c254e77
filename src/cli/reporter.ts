import type { CommonFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";

/** Puts marks of a terminal around a text, or none. */
export interface Paint {
	bold(text: string): string;
	dim(text: string): string;
	green(text: string): string;
	yellow(text: string): string;
}

/** Speaks to the user on standard error; silent with `--quiet`. */
export interface Reporter {
	readonly paint: Paint;
	/** One or more lines. */
	say(text: string): void;
	/** One line that even `--quiet` shows: something is not as it seems. */
	warn(text: string): void;
	/** Shows one line while work is under way, where a terminal would show it, and takes it away again. */
	during<T>(label: string, work: Promise<T>): Promise<T>;
	/** Resolves when all that was said is handed over. */
	flush(): Promise<void>;
}

/** Work shorter than this shows no progress. */
const PATIENCE_MS = 400;

const plain = (text: string): string => text;
const PLAIN: Paint = { bold: plain, dim: plain, green: plain, yellow: plain };

async function paintFor(flags: CommonFlags, io: CliIo, isTTY: boolean): Promise<Paint> {
	const wanted = flags.color && isTTY && !io.env.NO_COLOR && io.env.TERM !== "dumb";
	if (!wanted) return PLAIN;
	const { default: picocolors } = await import("picocolors");
	return picocolors.createColors(true);
}

/** A reporter for one run of the command. */
export async function createReporter(flags: CommonFlags, io: CliIo): Promise<Reporter> {
	const { stderr } = io;
	const isQuiet = flags.quiet === true;
	let said: Promise<void> = Promise.resolve();
	const write = (text: string): void => {
		said = said.then(() => stderr.write(text));
	};
	const showsProgress = !isQuiet && stderr.isTTY && stderr.columns > 0;
	return {
		paint: await paintFor(flags, io, stderr.isTTY),
		say(text) {
			if (!isQuiet) write(`${text}\n`);
		},
		warn: (text) => write(`precis: ${text}\n`),
		async during(label, work) {
			if (!showsProgress) return work;
			const start = Date.now();
			let isShown = false;
			const show = (): void => {
				if (Date.now() - start < PATIENCE_MS) return;
				isShown = true;
				const line = `${label} … ${Math.round((Date.now() - start) / 1000)} s`;
				write(`\r${line.slice(0, stderr.columns - 1)}`);
			};
			const timer = setInterval(show, PATIENCE_MS);
			try {
				return await work;
			} finally {
				clearInterval(timer);
				if (isShown) write(`\r${" ".repeat(stderr.columns - 1)}\r`);
			}
		},
		flush: () => said,
	};
}
