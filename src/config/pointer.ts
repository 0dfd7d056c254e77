/** A key as a segment of a JSON pointer (RFC 6901). */
export function escapeSegment(key: string): string {
	return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The key that a segment of a JSON pointer stands for. */
export function unescapeSegment(segment: string): string {
	return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
