// Every supported runtime has these; the library that the compiler is told of is a year older.
interface Unicode {
	isWellFormed(): boolean;
	toWellFormed(): string;
}

/** The same text with U+FFFD in place of every lone half of a surrogate pair. */
export function wellFormed(text: string): string {
	const unicode = text as unknown as Unicode;
	return unicode.isWellFormed() ? text : unicode.toWellFormed();
}
