import {
	type ArrayNode,
	type DocumentNode,
	type MemberNode,
	type ObjectNode,
	parse,
	type ValueNode,
} from "@humanwhocodes/momoa";
import { CompactionError, type Problem } from "../errors/compaction-error.ts";
import { escapeSegment, unescapeSegment } from "./pointer.ts";

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

const indices = new WeakMap<ObjectNode, ReadonlyMap<string, MemberNode>>();

/** The first member of a name; an index, since a file may have as many problems as members. */
function memberOf(node: ObjectNode, key: string): MemberNode | undefined {
	const index = indices.get(node) ?? new Map(node.members.toReversed().map((one) => [nameOf(one), one]));
	indices.set(node, index);
	return index.get(key);
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

/** Parses the text with the place of each part. @throws CompactionError CONFIG_INVALID with line and column */
function parseWithPlaces(text: string, file: string): DocumentNode {
	try {
		return parse(text, { mode: "jsonc", allowTrailingCommas: true });
	} catch (cause) {
		const {
			line = 1,
			column = 1,
			message = "",
		} = cause as { line?: number; column?: number; message?: string };
		const isDeep = cause instanceof RangeError;
		const what = isDeep ? "it is nested too deeply" : message.replace(/\s*\(\d+:\d+\)$/, "");
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
}

const STRING = /"(?:[^"\\]|\\.)*"/g;

function countKeys(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	const inner = Object.values(value).reduce((sum: number, one) => sum + countKeys(one), 0);
	return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

/** The value of a text that is strict JSON with no key twice in one object: most configs are, and need no places. */
function readStrict(text: string): { readonly value: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(text);
		// Each key that was written has its colon; one that stands twice has left fewer keys.
		const colons = text.replace(STRING, "").split(":").length - 1;
		return countKeys(value) === colons ? { value } : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Reads JSON with comments and trailing commas, as `tsconfig.json` has them.
 * @param file how messages name the text
 * @throws CompactionError CONFIG_INVALID with line and column where it is no JSON
 */
export function readJsonWithComments(text: string, file: string): ReadJson {
	const json = text.replace(/^\uFEFF/, "");
	const strict = readStrict(json);
	let document: DocumentNode | undefined;
	const withPlaces = (): DocumentNode => {
		document ??= parseWithPlaces(json, file);
		return document;
	};
	const problems: Problem[] = [];
	return {
		value: strict === undefined ? toValue(withPlaces().body, "", file, problems) : strict.value,
		problems,
		locate(pointer, key) {
			const node = find(withPlaces(), pointer);
			const member = key !== undefined && node.type === "Object" ? memberOf(node, key) : undefined;
			const { line, column } = (member?.name ?? node).loc.start;
			return { line, column };
		},
	};
}
