const SEPARATOR = /^:?-+:?$/;

/** The cells of a table's row as one text; undefined for the row that separates names and values. */
export function cellsOf(line: string): string | undefined {
	const cells = line
		.split("|")
		.map((cell) => cell.trim())
		.filter((cell) => cell !== "");
	return cells.length > 0 && cells.every((cell) => SEPARATOR.test(cell)) ? undefined : cells.join(" | ");
}
