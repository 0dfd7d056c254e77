import { countTokens } from "./message.mjs";

const textOf = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const partText = (part) => {
	if (part.type === "tool-call") return `call: ${part.toolName}(${textOf(part.input)})`;
	if (part.type === "tool-result") return `result: ${textOf(part.output?.value)}`;
	return textOf(part.text ?? "");
};

/** A message as lines. */
export function linesOf({ role, content }) {
	const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
	return parts.map((part) => `${role}: ${partText(part)}`).join("\n");
}

/** The newest lines that fit: what is left of a text when a budget cuts its older end. */
export function newestLines(text, budgetTokens) {
	const lines = text.split("\n");
	let from = lines.length;
	let left = budgetTokens;
	while (from > 0) {
		const cost = countTokens(`${lines[from - 1]}\n`);
		if (cost > left) break;
		left -= cost;
		from -= 1;
	}
	return lines.slice(from).join("\n");
}
