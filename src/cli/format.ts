/** A number with its thousands apart. */
export function count(value: number): string {
	return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** "1 message", "2 messages". */
export function plural(value: number, noun: string): string {
	return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Rows of a name and what is said of it, the names in one column. */
export function table(rows: readonly (readonly [name: string, text: string])[], indent = "  "): string {
	const width = Math.max(0, ...rows.map(([name]) => name.length));
	return rows.map(([name, text]) => `${indent}${name.padEnd(width)}  ${text}`.trimEnd()).join("\n");
}

/** Indices as ranges: "0–4, 7". */
export function ranges(indices: readonly number[]): string {
	const out: string[] = [];
	let start: number | undefined;
	for (const [at, index] of indices.entries()) {
		start ??= index;
		if (indices[at + 1] === index + 1) continue;
		out.push(start === index ? String(index) : `${start}–${index}`);
		start = undefined;
	}
	return out.length === 0 ? "none" : out.join(", ");
}

/** A sum of money; small ones keep two digits that count. */
export function dollars(value: number): string {
	return value >= 0.1 || value === 0 ? `$${value.toFixed(2)}` : `$${Number(value.toPrecision(2))}`;
}

/** A value as machine-readable output. */
export function json(value: object): string {
	return `${JSON.stringify({ version: 1, ...value }, null, "\t")}\n`;
}
