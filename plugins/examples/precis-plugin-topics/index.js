import schema from "./schema.json" with { type: "json" };

/** The topic that the host gave a message, if any. */
const topicOf = (message) => message.providerOptions?.topics?.name;

/** @type {import("precis/plugin").Plugin} */
const plugin = {
	name: "topics",
	apiVersion: 1,
	strategies: [
		{
			name: "drop-topics",
			schema,
			/** @param {import("./index.d.ts").ResolvedDropTopicsOptions} options */
			create({ closed, summarize }) {
				const isClosed = (message) => closed.includes(topicOf(message));
				return {
					summarizes: summarize,
					plan(transcript, { units }) {
						const lastUser = transcript.findLastIndex(({ role }) => role === "user");
						// A unit is the smallest thing that may go: a call never goes without its result.
						const whole = units.members.filter((members) =>
							members.every(
								(index) =>
									isClosed(transcript[index]) &&
									!units.waiting.has(index) &&
									index !== lastUser &&
									transcript[index].role !== "system" &&
									transcript[index].providerOptions?.precis?.pin !== true,
							),
						);
						const indices = whole.flat().sort((left, right) => left - right);
						// Where the first message was the user's, the output begins with one of the user's too.
						const head = transcript.findIndex(({ role }) => role !== "system");
						const gone = new Set(indices);
						const next = transcript.findIndex((_, index) => index >= head && !gone.has(index));
						if (!summarize && transcript[head]?.role === "user" && transcript[next]?.role !== "user")
							return [];
						if (indices.length === 0) return [];
						const why = `about a closed topic: ${closed.join(", ")}`;
						return summarize ? [{ summarize: indices, why }] : [{ drop: indices, why }];
					},
				};
			},
		},
	],
};

export default plugin;
