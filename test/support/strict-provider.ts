// Refuses requests as the real services do. Fields are read as the wire carries them.

interface Block {
	readonly type?: string;
	readonly [field: string]: unknown;
}

interface WireMessage {
	readonly role?: string;
	readonly content?: unknown;
	readonly tool_calls?: readonly { readonly id: string }[];
	readonly tool_call_id?: string;
}

function isBlankText(text: unknown): boolean {
	return typeof text !== "string" || text.trim() === "";
}

function blocksOf(content: unknown): readonly Block[] {
	return Array.isArray(content) ? content : [];
}

function hasContent(content: unknown): boolean {
	if (typeof content === "string") return content.trim() !== "";
	const blocks = blocksOf(content);
	return blocks.length > 0 && !blocks.some(({ type, text }) => /text$/.test(type ?? "") && isBlankText(text));
}

/** What OpenAI's chat completions (and servers like it) would say of a request, or undefined. */
export function chatRefusal({
	messages,
}: {
	readonly messages?: readonly WireMessage[];
}): string | undefined {
	if (messages === undefined || messages.length === 0) return "[] is too short - 'messages'";
	let open = new Set<string>();
	for (const [
		index,
		{ role, content, tool_calls: calls = [], tool_call_id: answered },
	] of messages.entries()) {
		if (role === "tool") {
			if (answered === undefined || !open.delete(answered))
				return `messages[${index}]: role 'tool' must be a response to a preceding message with 'tool_calls'`;
			continue;
		}
		if (open.size > 0)
			return `messages[${index}]: tool_call_ids without response messages: ${[...open].join(", ")}`;
		if (!hasContent(content) && !(role === "assistant" && calls.length > 0))
			return `messages[${index}]: content must not be empty`;
		open = new Set(calls.map(({ id }) => id));
		if (open.size < calls.length) return `messages[${index}]: duplicate tool call id`;
	}
	if (open.size > 0) return `messages: tool_call_ids without response messages: ${[...open].join(", ")}`;
	return undefined;
}

function isReasoningItem({ type, id }: Block): boolean {
	return type === "reasoning" || (type === "item_reference" && String(id).startsWith("rs_"));
}

/**
 * OpenAI's responses. It remembers, as the service does, which stored item came with which reasoning.
 * @returns what it would say of a request, or undefined
 */
export function createResponsesRefusal(): (body: {
	readonly input?: readonly Block[];
}) => string | undefined {
	const reasoningOf = new Map<string, string>();
	return ({ input = [] }) => {
		if (input.length === 0) return "One of 'input' must be provided";
		const calls = new Set<string>();
		const answered = new Set<string>();
		const present = new Set(input.filter(isReasoningItem).map(({ id }) => String(id)));
		let before: string | undefined;
		for (const [index, item] of input.entries()) {
			if (isReasoningItem(item)) {
				const next = input[index + 1];
				if (
					next === undefined ||
					isReasoningItem(next) ||
					next.role === "user" ||
					next.type === "function_call_output"
				)
					return `Item '${item.id}' of type 'reasoning' was provided without its required following item`;
				before = String(item.id);
				continue;
			}
			const id = typeof item.id === "string" ? item.id : undefined;
			if (id !== undefined) {
				const needed = reasoningOf.get(id);
				if (needed !== undefined && !present.has(needed))
					return `Item '${id}' was provided without its required 'reasoning' item: '${needed}'`;
				if (before !== undefined) reasoningOf.set(id, before);
			}
			if (item.type === "function_call") calls.add(String(item.call_id));
			else before = undefined;
			if (item.type === "function_call_output") {
				if (!calls.has(String(item.call_id)))
					return `No tool call found for function call output ${item.call_id}`;
				answered.add(String(item.call_id));
			}
			if (item.role !== undefined && !hasContent(item.content))
				return `input[${index}]: content must not be empty`;
		}
		const lost = [...calls].find((id) => !answered.has(id));
		return lost === undefined ? undefined : `No tool output found for function call ${lost}`;
	};
}

function isThinking({ type }: Block): boolean {
	return type === "thinking" || type === "redacted_thinking";
}

/** The ids of blocks of a type. */
function idsOf(blocks: readonly Block[], type: string, field: string): string[] {
	return blocks.filter((block) => block.type === type).map((block) => String(block[field]));
}

/** What Anthropic's messages would say of a request, or undefined. */
export function anthropicRefusal({
	messages = [],
	thinking,
}: {
	readonly messages?: readonly WireMessage[];
	readonly thinking?: { readonly type?: string };
}): string | undefined {
	if (messages.length === 0) return "messages: at least one message is required";
	if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role';
	const seen = new Set<string>();
	for (const [index, { role, content }] of messages.entries()) {
		const at = `messages.${index}`;
		if (role !== "user" && role !== "assistant") return `${at}: unexpected role "${role}"`;
		if (messages[index - 1]?.role === role) return `${at}: roles must alternate`;
		if (!hasContent(content)) return `${at}: text content blocks must contain non-whitespace text`;
		const blocks = blocksOf(content);
		const last = blocks.at(-1);
		if (role === "assistant" && last !== undefined && isThinking(last))
			return `${at}: the final block in an assistant message cannot be \`thinking\``;
		const uses = idsOf(blocks, "tool_use", "id");
		for (const id of uses) {
			if (seen.has(id)) return `${at}: \`tool_use\` ids must be unique`;
			seen.add(id);
		}
		const results = new Set(idsOf(blocksOf(messages[index + 1]?.content), "tool_result", "tool_use_id"));
		const lost = uses.find((id) => !results.has(id));
		if (lost !== undefined)
			return `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${lost}`;
		const asked = new Set(idsOf(blocksOf(messages[index - 1]?.content), "tool_use", "id"));
		for (const id of idsOf(blocks, "tool_result", "tool_use_id")) {
			if (!asked.delete(id))
				return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`;
		}
		const served = new Set(
			blocks.filter(({ type }) => type?.endsWith("_tool_result")).map((block) => block.tool_use_id),
		);
		const unserved = idsOf(blocks, "server_tool_use", "id").find((id) => !served.has(id));
		if (unserved !== undefined)
			return `${at}: \`server_tool_use\` ${unserved} was found without a result block`;
	}
	const final = messages.at(-1);
	const before = blocksOf(messages.at(-2)?.content);
	if (
		thinking?.type === "enabled" &&
		blocksOf(final?.content).some(({ type }) => type === "tool_result") &&
		before[0] !== undefined &&
		!isThinking(before[0])
	)
		return "a final `assistant` message must start with a thinking block when `thinking` is enabled";
	return undefined;
}

/** Judges requests by their address, and remembers what a service would; one for each conversation. */
export function createStrictCheck(): (path: string, body: unknown) => string | undefined {
	const responsesRefusal = createResponsesRefusal();
	return (path, body) => {
		if (path.endsWith("/chat/completions")) return chatRefusal(body as Parameters<typeof chatRefusal>[0]);
		if (path.endsWith("/responses")) return responsesRefusal(body as Parameters<typeof responsesRefusal>[0]);
		if (path.endsWith("/messages")) return anthropicRefusal(body as Parameters<typeof anthropicRefusal>[0]);
		return `there is no "${path}" here`;
	};
}
