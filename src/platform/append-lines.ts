import { open } from "node:fs/promises";

const NEWLINE = 10;

/** Adds whole lines to a file, which is made where there is none. A line that a crash has cut is ended first. */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
	const file = await open(path, "a+");
	try {
		const { size } = await file.stat();
		const last = new Uint8Array(1);
		if (size > 0) await file.read(last, 0, 1, size - 1);
		const start = size > 0 && last[0] !== NEWLINE ? "\n" : "";
		await file.appendFile(`${start}${lines.join("\n")}\n`);
		await file.sync();
	} finally {
		await file.close();
	}
}
