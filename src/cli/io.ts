/** A stream that people or programs read. */
export interface Output {
	readonly isTTY: boolean;
	/** Width of the terminal; 0 where it is unknown. */
	readonly columns: number;
	/** Resolves once the data is handed over; a reader that has gone is no error. */
	write(data: string | Uint8Array): Promise<void>;
}

/** The files of the machine, as `node:fs/promises` has them. */
export type Files = Pick<
	typeof import("node:fs/promises"),
	"open" | "readdir" | "readFile" | "readlink" | "rename" | "stat" | "unlink"
>;

/** The world of the command, handed in. */
export interface CliIo {
	readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
	readonly stdout: Output;
	readonly stderr: Output;
	readonly files: Files;
	/** The working directory, an absolute path. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Aborted when the user interrupts. */
	readonly signal: AbortSignal;
}
