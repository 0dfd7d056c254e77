export { type DecodedText, decodeText } from "./formats/decode-text.ts";
export { readTranscript } from "./formats/read-transcript.ts";
export type { Place, Transcript, TranscriptFormat } from "./formats/transcript.ts";
