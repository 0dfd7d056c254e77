/** Tokens of a text, estimated. */
export function estimateTokens(text: string): number {
	let tokens = 0;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		tokens += unit < 128 ? 0.27 : 0.6;
	}
	return tokens;
}
