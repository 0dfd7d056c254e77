import {
	type ArrayNode,
	type DocumentNode,
	type MemberNode,
	type ObjectNode,
	parse,
	type ValueNode,
} from "@humanwhocodes/momoa";
import { CompactionError, type Problem } from "../errors/compaction-error.ts";

/** A place in a file, both figures 1-based. */
export interface Place {
	readonly line: number;
	readonly column: number;
}

/** A JSON text with comments, read: its value, and where each part of it stands. */
export interface ReadJson {
	readonly value: unknown;
	/** The place of the value at a JSON pointer, or of one of its keys; the nearest one above where it is absent. */
	locate(pointer: string, key?: string): Place;
	/** Keys that stand twice in one object: the first would be silently lost. */
	readonly problems: readonly Problem[];
}

const nameOf = (member: MemberNode): string =>
	member.name.type === "Identifier" ? member.name.name : member.name.value;
const escapeSegment = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeSegment = (key: string): string => key.replaceAll("~1", "/").replaceAll("~0", "~");

function memberOf(node: ObjectNode, key: string): MemberNode | undefined {
	return node.members.find((member) => nameOf(member) === key);
}

function find(document: DocumentNode, pointer: string): ValueNode {
	let node: ValueNode = document.body;
	for (const raw of pointer.split("/").slice(1)) {
		const segment = unescapeSegment(raw);
		const next: ValueNode | undefined =
			node.type === "Object"
				? memberOf(node, segment)?.value
				: node.type === "Array"
					? (node as ArrayNode).elements[Number(segment)]?.value
					: undefined;
		if (next === undefined) return node;
		node = next;
	}
	return node;
}

function toValue(node: ValueNode, pointer: string, file: string, problems: Problem[]): unknown {
	switch (node.type) {
		case "Object": {
			const out: Record<string, unknown> = {};
			for (const member of node.members) {
				const key = nameOf(member);
				const at = `${pointer}/${escapeSegment(key)}`;
				if (Object.hasOwn(out, key)) {
					const { line, column } = member.loc.start;
					problems.push({
						message: `${file}:${line}:${column} ${at}: found "${key}" a second time; expected each key once`,
						pointer: at,
						line,
						column,
					});
				}
				// A plain assignment to "__proto__" would change the prototype instead of making a key.
				Object.defineProperty(out, key, {
					value: toValue(member.value, at, file, problems),
					enumerable: true,
					configurable: true,
					writable: true,
				});
			}
			return out;
		}
		case "Array":
			return (node as ArrayNode).elements.map((element, index) =>
				toValue(element.value, `${pointer}/${index}`, file, problems),
			);
		case "String":
		case "Number":
		case "Boolean":
			return node.value;
		default:
			return null;
	}
}

/**
 * Reads JSON with comments and trailing commas, as `tsconfig.json` has them.
 * @param file how messages name the text
 * @throws CompactionError CONFIG_INVALID with line and column where it is no JSON
 */
export function readJsonWithComments(text: string, file: string): ReadJson {
	let document: DocumentNode;
	try {
		document = parse(text.replace(/^\uFEFF/, ""), { mode: "jsonc", allowTrailingCommas: true });
	} catch (cause) {
		const {
			line = 1,
			column = 1,
			message = "",
		} = cause as { line?: number; column?: number; message?: string };
		const what = message.replace(/\s*\(\d+:\d+\)$/, "");
		const problem = { message: `${file}:${line}:${column} ${what}`, pointer: "", line, column };
		throw new CompactionError(
			"CONFIG_INVALID",
			`Cannot read "${file}": it is no valid JSON.\n  ${problem.message}`,
			{
				cause,
				problems: [problem],
			},
		);
	}
	const problems: Problem[] = [];
	const value = toValue(document.body, "", file, problems);
	return {
		value,
		problems,
		locate(pointer, key) {
			const node = find(document, pointer);
			const member = key !== undefined && node.type === "Object" ? memberOf(node, key) : undefined;
			const { line, column } = (member?.name ?? node).loc.start;
			return { line, column };
		},
	};
}
