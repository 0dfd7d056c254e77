import type { Unit } from "./collect-units.ts";
import { DONE } from "./cues.ts";

/** Open tasks that are watched at once; older ones count as settled by being forgotten. */
const MOST_WATCHED = 400;

/** A report is of a task when they share more than this part of the words of the shorter one. */
const SAME_THING = 2 / 3;
/** Tasks that a word leads to at most: a word that stands in more of them tells none apart. */
const MOST_SHARING = 40;

/**
 * Decides what is still open: a question that was answered and a task that was reported done are no longer; the
 * last thing that the user asked for is a task until it is. Done tasks of the previous summary are left out.
 */
export function settle(units: readonly Unit[]): readonly Unit[] {
	const gone = new Set<Unit>();
	settleQuestions(units);
	claimLastRequest(units);
	settleTasks(units, gone);
	return gone.size === 0 ? units : units.filter((unit) => !gone.has(unit));
}

/** A question of one side is answered when the other side speaks later. */
function settleQuestions(units: readonly Unit[]): void {
	let lastUser = -1;
	let lastAssistant = -1;
	for (const { origin, message } of units) {
		if (origin === "user") lastUser = Math.max(lastUser, message);
		if (origin === "assistant") lastAssistant = Math.max(lastAssistant, message);
	}
	for (const unit of units) {
		if (unit.role !== "question" || unit.message < 0) continue;
		const answer = unit.origin === "user" ? lastAssistant : lastUser;
		if (answer > unit.message) unit.role = "fact";
	}
}

/** What the user said last is still to be done unless something was reported done since. */
function claimLastRequest(units: readonly Unit[]): void {
	let last = -1;
	for (const unit of units) if (unit.origin === "user" && unit.message > last) last = unit.message;
	if (last < 0) return;
	const isDone = units.some(
		({ message, origin, cues }) => message > last && origin === "assistant" && (cues & DONE) !== 0,
	);
	if (isDone) return;
	for (const unit of units)
		if (unit.message === last && unit.origin === "user" && unit.role === "fact" && !unit.code)
			unit.role = "pending";
}

function settleTasks(units: readonly Unit[], gone: Set<Unit>): void {
	const watched = units
		.filter(({ role, section }) => role === "pending" || section === "pending_tasks")
		.slice(-MOST_WATCHED);
	const byWord = new Map<number, Unit[]>();
	for (const unit of watched)
		for (const word of unit.wording.words) {
			const list = byWord.get(word);
			if (list === undefined) byWord.set(word, [unit]);
			else if (list.length < MOST_SHARING) list.push(unit);
		}
	for (const report of units) {
		if ((report.cues & DONE) === 0 || report.role === "pending" || report.origin === "action") continue;
		const shared = new Map<Unit, number>();
		for (const word of report.wording.words)
			for (const task of byWord.get(word) ?? [])
				if (task.order < report.order) shared.set(task, (shared.get(task) ?? 0) + 1);
		for (const [task, count] of shared) {
			const shorter = Math.min(task.wording.words.length, report.wording.words.length);
			if (count < 2 || count <= shorter * SAME_THING) continue;
			if (task.section === "pending_tasks") gone.add(task);
			else task.role = "fact";
		}
	}
}
