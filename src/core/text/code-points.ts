/** How many Unicode code points a text has. */
export function countCodePoints(text: string): number {
	let pairs = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs += 1;
	}
	return text.length - pairs;
}
