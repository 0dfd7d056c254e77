import schema from "./schema.json" with { type: "json" };

/** The text of a message, without tool calls, files and the rest. */
function textOf(message) {
	if (typeof message.content === "string") return message.content;
	return message.content
		.filter((part) => part.type === "text")
		.map((part) => part.text)
		.join("\n");
}

/** The first sentences of a text, each on one line. */
function sentencesOf(text, count) {
	const flat = text.replaceAll("\n", " ").trim();
	const out = [];
	for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(
		flat.slice(0, 4000),
	)) {
		if (out.length === count) break;
		if (segment.trim() !== "") out.push(segment.trim());
	}
	return out;
}

/** @type {import("precis/plugin").Plugin} */
const plugin = {
	name: "headlines",
	apiVersion: 1,
	backends: [
		{
			name: "headlines",
			schema,
			create({ perMessage, roles }) {
				return {
					async summarize(request, { signal }) {
						const [first] = request.template.sections;
						const entries = [...(request.previousSummary?.sections[first.id] ?? [])];
						for (const message of request.messages) {
							signal.throwIfAborted();
							if (roles.includes(message.role)) entries.push(...sentencesOf(textOf(message), perMessage));
						}
						// The newest matter most, and a section holds so many.
						return { sections: { [first.id]: [...new Set(entries)].slice(-first.maxItems) } };
					},
				};
			},
		},
	],
};

export default plugin;
