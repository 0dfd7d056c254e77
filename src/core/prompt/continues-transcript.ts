/** A line as transcripts are written out for models: by ours, and in the bracketed form that many others use. */
const LABELLED_LINE =
	/^\s{0,8}(?:(?:Assistant|Tool):\s{0,4})?(?:\((?:call|thinking|result of [^)\n]{0,200})\)|\[(?:assistant |model )?(?:tool calls?|tool results?|reasoning|thinking)\]:?)/i;
const ROLE_ALONE = /^\s{0,8}(?:Assistant|Tool):\s*$/i;

/** Whether an answer goes on with the transcript, by calls and thoughts of its own, in place of condensing it. */
export function continuesTranscript(answer: string): boolean {
	const lines = answer.split("\n", 200).filter((line) => line.trim() !== "" && !ROLE_ALONE.test(line));
	return lines.length > 0 && lines.every((line) => LABELLED_LINE.test(line));
}
