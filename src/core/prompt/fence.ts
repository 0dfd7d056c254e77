/**
 * A number for fences around quoted texts that none of the texts can close: the smallest that follows the fence's
 * word nowhere in them, so that it depends on nothing but the texts.
 */
export function fenceNumber(word: string, texts: readonly string[]): number {
	const taken = new Set<number>();
	const pattern = new RegExp(`${word}-(\\d{1,9})`, "gi");
	for (const text of texts) {
		for (const [, digits] of text.matchAll(pattern)) taken.add(Number(digits));
	}
	let number = 1;
	while (taken.has(number)) number += 1;
	return number;
}

/** A text between two fence lines. */
export function fenced(word: string, number: number, text: string): string {
	return `<${word}-${number}>\n${text.trimEnd()}\n</${word}-${number}>`;
}
