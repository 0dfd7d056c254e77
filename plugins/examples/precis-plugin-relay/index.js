import schema from "./schema.json" with { type: "json" };

/**
 * Asks the service. It gets the evicted messages as text, the sections to fill and the budget, and answers
 * `{ "sections": { "<id>": ["…"] } }`.
 */
async function askService(url, headers, body, host, signal) {
	const response = await host.fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
		signal,
	});
	// précis wraps this error, names the backend, and leaves the transcript as it was.
	if (!response.ok) throw new Error(`the service answered with status ${response.status}`);
	return response.json();
}

/** @type {import("precis/plugin").Plugin} */
const plugin = {
	name: "relay",
	apiVersion: 1,
	backends: [
		{
			name: "relay",
			schema,
			/** @param {import("./index.d.ts").ResolvedRelayOptions} options */
			create(options, host) {
				const token = options.tokenEnv === undefined ? undefined : host.env(options.tokenEnv);
				const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
				return {
					async summarize(request, context) {
						const answer = await askService(
							options.url,
							headers,
							{
								style: options.style,
								transcript: request.transcript,
								sections: request.template.sections.map(({ id, title, purpose }) => ({ id, title, purpose })),
								budgetTokens: request.budgetTokens,
								previous: request.previousSummary?.sections,
							},
							host,
							context.signal,
						);
						// The form is checked by précis; sections over the budget are trimmed by it.
						return { sections: answer.sections };
					},
				};
			},
		},
	],
};

export default plugin;
