/**
 * What providers charge for media. The length of the base64 text says nothing about it.
 *
 * Images: Anthropic charges width × height / 750 and scales down what would cost more than about 1600
 * (docs.claude.com, "Vision"); OpenAI charges 85 + 170 for each 512-pixel tile, 1105 for 2048 × 4096, and at most
 * 1536 patches with newer models (platform.openai.com, "Images and vision"); Gemini 258 for each 768-pixel tile
 * (ai.google.dev, "Understand and count tokens"). The size in pixels is not known here: the dearest figure keeps
 * an estimate from being too low.
 */
const IMAGE = 1600;
/** OpenAI's flat price of an image with `detail: "low"`. */
const IMAGE_LOW_DETAIL = 85;
/** Anthropic: 1500–3000 tokens a page, at most 100 pages; a page of a scanned or typeset PDF has some 64 kB. */
const PDF_PAGE = 2000;
const PDF_PAGE_BYTES = 65_536;
const PDF_MAX_PAGES = 100;
/** Gemini: 32 tokens a second; common speech and music files have 16 kB a second. */
const AUDIO_SECOND = 32;
const AUDIO_SECOND_BYTES = 16_384;
/** Gemini: 263 tokens a second; common video has 256 kB a second. */
const VIDEO_SECOND = 263;
const VIDEO_SECOND_BYTES = 262_144;
/** Seconds of audio or video whose size is not known, a link's for example. */
const UNKNOWN_SECONDS = 60;
const MAX_SECONDS = 3600;
/** A file that no rule fits counts as one page. */
const OTHER = 2000;

const own = (value: object, key: string): unknown =>
	Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/** Whether a string is a link and not base64. */
function isLink(text: string): boolean {
	const head = text.slice(0, 8);
	return head.startsWith("http://") || head.startsWith("https://");
}

/** Bytes of what a media part carries; undefined for links and references. */
function bytesOf(data: unknown): number | undefined {
	if (typeof data === "string") return isLink(data) ? undefined : Math.floor((data.length * 3) / 4);
	if (typeof data !== "object" || data === null) return undefined;
	if (ArrayBuffer.isView(data) || data instanceof ArrayBuffer) return data.byteLength;
	return own(data, "type") === "data" ? bytesOf(own(data, "data")) : undefined;
}

function seconds(bytes: number | undefined, bytesPerSecond: number): number {
	if (bytes === undefined) return UNKNOWN_SECONDS;
	return Math.min(MAX_SECONDS, Math.max(1, bytes / bytesPerSecond));
}

function isLowDetail(providerOptions: unknown): boolean {
	if (typeof providerOptions !== "object" || providerOptions === null) return false;
	const openai = own(providerOptions, "openai");
	return typeof openai === "object" && openai !== null && own(openai, "imageDetail") === "low";
}

/** The text that a file part carries as text, if it does. */
function inlineText(data: unknown): string | undefined {
	if (typeof data !== "object" || data === null || own(data, "type") !== "text") return undefined;
	const text = own(data, "text");
	return typeof text === "string" ? text : undefined;
}

/** Tokens that providers charge for an image, a document, audio, video or another file. */
export function mediaTokens(
	mediaType: unknown,
	data: unknown,
	providerOptions: unknown,
	text: (text: string) => number,
): number {
	const written = inlineText(data);
	if (written !== undefined) return text(written);
	const type = typeof mediaType === "string" ? mediaType : "";
	if (type === "image" || type.startsWith("image/")) {
		return isLowDetail(providerOptions) ? IMAGE_LOW_DETAIL : IMAGE;
	}
	const bytes = bytesOf(data);
	if (type === "application/pdf") {
		return PDF_PAGE * Math.min(PDF_MAX_PAGES, Math.max(1, Math.ceil((bytes ?? 0) / PDF_PAGE_BYTES)));
	}
	if (type.startsWith("audio/")) return AUDIO_SECOND * seconds(bytes, AUDIO_SECOND_BYTES);
	if (type.startsWith("video/")) return VIDEO_SECOND * seconds(bytes, VIDEO_SECOND_BYTES);
	// Text files reach the model decoded.
	if (bytes !== undefined && (type.startsWith("text/") || type === "application/json")) return bytes / 4;
	return OTHER;
}
