import { CompactionError } from "../../errors/compaction-error.ts";
import { messageProblem } from "../transcript/check-transcript.ts";
import type { Edit } from "./edit.ts";

type Action = "drop" | "replace" | "summarize";

const ACTIONS: readonly Action[] = ["drop", "replace", "summarize"];

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks one edit; `problem` gives the error to throw. */
function actionOf(edit: unknown, at: number, problem: (what: string) => CompactionError): Action {
	if (!isObject(edit)) throw problem(`edit ${at} is no object`);
	const found = ACTIONS.filter((action) => Object.hasOwn(edit, action));
	const [action] = found;
	if (action === undefined || found.length > 1) {
		throw problem(
			`edit ${at} has ${found.length} of "drop", "replace" and "summarize"; expected exactly one`,
		);
	}
	if (edit.why !== undefined && typeof edit.why !== "string")
		throw problem(`edit ${at} has a "why" that is no text`);
	return action;
}

/**
 * Checks the form of what a strategy proposes: known edits, indices of the transcript that it was given,
 * replacements that are messages, and no message that two edits would change in different ways.
 * @param length how many messages the strategy was given
 * @param who the strategy's name
 * @throws CompactionError PLUGIN_INVALID naming the strategy and the edit
 */
export function checkEdits(edits: unknown, length: number, who: string): readonly Edit[] {
	const problem = (what: string): CompactionError =>
		new CompactionError(
			"PLUGIN_INVALID",
			`Cannot apply the edits of the strategy "${who}": ${what}. The transcript is untouched.`,
		);
	if (!Array.isArray(edits)) throw problem(`it returned ${edits === null ? "null" : typeof edits}, no list`);
	// For each message 0, or 1 and the number of the action that an edit names it for.
	const taken = new Uint8Array(length);
	const take = (index: unknown, action: Action, at: number): void => {
		if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= length) {
			throw problem(
				`edit ${at} names message ${JSON.stringify(index)} to ${action}; expected a whole number from 0 to ${length - 1}`,
			);
		}
		const number = 1 + ACTIONS.indexOf(action);
		const other = taken[index] ?? 0;
		if (other > 0 && (other !== number || action === "replace"))
			throw problem(`message ${index} is named by two edits, to ${ACTIONS[other - 1]} and to ${action}`);
		taken[index] = number;
	};
	for (const [at, edit] of edits.entries()) {
		const action = actionOf(edit, at, problem);
		if (action === "replace") {
			take(edit.replace, action, at);
			const wrong = messageProblem(edit.with);
			if (wrong !== undefined)
				throw problem(
					`edit ${at} replaces message ${edit.replace} by one that at "${wrong.pointer}" ${wrong.what}`,
				);
			continue;
		}
		const indices: unknown = edit[action];
		if (!Array.isArray(indices)) throw problem(`edit ${at} has a "${action}" that is no list of indices`);
		for (const index of indices) take(index, action, at);
		if (action === "summarize" && edit.options !== undefined && !isObject(edit.options))
			throw problem(`edit ${at} has "options" that are no object`);
	}
	return edits;
}
