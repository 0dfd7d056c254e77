import { isDeepStrictEqual } from "node:util";
import { leadingSystemCount } from "../../core/transcript/kinds.ts";
import type { Message } from "../../core/transcript/message.ts";
import { CALL, findTies, RESULT } from "../../core/transcript/ties.ts";
import type { CompactionResult } from "../../result/compaction-result.ts";

/** How often each call and result stands alone, by kind and id. */
function loose(messages: readonly Message[]): Map<string, number> {
	const ties = findTies(messages);
	const found = new Map<string, number>();
	for (let entry = 0; entry < ties.count; entry += 1) {
		const kind = ties.kind[entry];
		const isCall = kind === CALL && ties.answered[entry] === 0;
		const isResult = kind === RESULT && ties.call[entry] === -1;
		if (!isCall && !isResult) continue;
		const content = messages[ties.message[entry] ?? -1]?.content ?? [];
		const part = typeof content === "string" ? undefined : content[ties.part[entry] ?? -1];
		const name = `${isCall ? "call" : "result"} "${part?.toolCallId ?? ""}"`;
		found.set(name, (found.get(name) ?? 0) + 1);
	}
	return found;
}

/**
 * What a pass broke, in words: a call or result that lost its other half, a leading system message that is gone,
 * a kept message that is not what it was. It looks at messages alone and trusts no check made before.
 * @param before a copy of the input, made before the pass
 */
export function findFaults(before: readonly Message[], result: CompactionResult): readonly string[] {
	const { messages, provenance } = result;
	const faults: string[] = [];
	const was = loose(before);
	for (const [name, times] of loose(messages))
		if (times > (was.get(name) ?? 0)) faults.push(`the ${name} has lost its other half`);
	for (let index = 0; index < leadingSystemCount(before); index += 1) {
		if (!isDeepStrictEqual(messages[index], before[index]))
			faults.push(`the leading system message ${index} is not there any more`);
	}
	for (const [index, from] of provenance.entries()) {
		if ("kept" in from && !isDeepStrictEqual(messages[index], before[from.kept]))
			faults.push(`message ${from.kept} was to be kept and is not what it was`);
	}
	return faults;
}
