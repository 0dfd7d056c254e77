import type { Message } from "./message.ts";

/** Whether a message says nothing: no text, no parts, or nothing but blank text parts. */
export function isBlank({ content }: Message): boolean {
	if (typeof content === "string") return content.trim() === "";
	return content.every(({ type, text }) => type === "text" && (text ?? "").trim() === "");
}
