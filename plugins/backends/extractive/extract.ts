import {
	partsOf,
	renderSummary,
	type Sections,
	type SummaryRequest,
	summaryMessage,
	type Template,
} from "../../../src/plugin.ts";
import { makeAssigner } from "./assign-sections.ts";
import { carriedText, collectUnits, type Origin, type Unit } from "./collect-units.ts";
import type { Role } from "./cues.ts";
import { type Candidate, Selection } from "./selection.ts";
import { settle } from "./settle.ts";
import { Vocabulary } from "./vocabulary.ts";
import { type Placed, writeSections } from "./write-sections.ts";

const ORIGIN: Readonly<Record<Origin, number>> = {
	user: 2.4,
	assistant: 1.6,
	note: 0.6,
	error: 0.5,
	action: 0.25,
	result: 0.1,
};
const ROLE: Readonly<Record<Role, number>> = { decision: 1.15, pending: 1.15, question: 1, fact: 1 };
/** The share of the conversation over which importance falls to half. */
const HALF_LIFE = 3;
/** What counters charge for a message beside its text, at most. */
const FRAME = 8;
const ROUNDS = 4;

/**
 * The sections of a summary that fits the request's budget: whole sentences and bullets of the messages and of the
 * previous summary. Secrets are masked.
 */
export function extract(request: SummaryRequest, countTokens: (text: string) => number): Sections {
	const vocabulary = new Vocabulary();
	const { units, secrets } = collectUnits(request, vocabulary);
	const open = settle(units);
	const assign = makeAssigner(request.template);
	const placed: Placed[] = [];
	for (const unit of open) {
		const section = assign(unit);
		if (section !== undefined) placed.push({ unit, section });
	}
	const candidates: Candidate[] = placed.map(({ unit }) => ({
		words: unit.wording.words,
		importance: importanceOf(unit),
		cost: estimate(unit.text) + 3,
	}));
	const weights = vocabulary.weights();
	const texts = new Map<Unit, string>();
	const textOf = (unit: Unit): string => {
		let text = texts.get(unit);
		if (text === undefined) {
			text = carriedText(unit, secrets);
			texts.set(unit, text);
		}
		return text;
	};
	const costs = new Map<number, number>();
	const exactCost = (number: number): number => {
		let cost = costs.get(number);
		if (cost === undefined) {
			const unit = placed[number]?.unit;
			cost = unit === undefined ? 0 : countTokens(textOf(unit)) + (unit.marked ? 5 : 3);
			costs.set(number, cost);
		}
		return cost;
	};
	const measure = (sections: Sections): number => messageTokens(sections, request.template, countTokens);
	const write = (picked: readonly number[]): Sections =>
		writeSections(
			picked.flatMap((number) => placed[number] ?? []),
			request.template,
			textOf,
		);
	const selection = new Selection(candidates, weights, exactCost);
	return fill(request.budgetTokens, selection, exactCost, write, measure);
}

/** Picks for what is left of the budget until nothing worth mentioning is left; what is over goes again. */
function fill(
	budget: number,
	selection: Selection,
	exactCost: (number: number) => number,
	write: (picked: readonly number[]) => Sections,
	measure: (sections: Sections) => number,
): Sections {
	const { picked } = selection;
	let sections = write(picked);
	let size = measure(sections);
	for (let round = 0; round < ROUNDS; round += 1) {
		const before = picked.length;
		selection.pick(budget - size);
		if (picked.length === before) break;
		sections = write(picked);
		size = measure(sections);
		while (size > budget && picked.length > 0) {
			// The worst go first, as many at once as the excess asks for.
			let excess = size - budget;
			while (excess > 0 && picked.length > 0) excess -= exactCost(picked.pop() ?? 0);
			sections = write(picked);
			size = measure(sections);
		}
		if (budget - size < Math.max(6, budget * 0.005)) break;
	}
	// Where not one candidate fits, the best is handed over to be cut: better a part of it than nothing.
	const { best } = selection;
	return picked.length === 0 && best !== undefined ? write([best]) : sections;
}

function importanceOf(unit: Unit): number {
	const code = unit.code ? 0.5 : 1;
	return ORIGIN[unit.origin] * ROLE[unit.role] * code * 2 ** ((unit.recency - 1) / HALF_LIFE);
}

/** Tokens of a text, roughly: four characters of an alphabet, or one sign of any other script. */
function estimate(text: string): number {
	let quarters = 0;
	for (let at = 0; at < text.length; at += 1) quarters += text.charCodeAt(at) < 0x2e80 ? 1 : 3;
	return Math.ceil(quarters / 4);
}

/** Tokens of the message that would carry the sections. */
function messageTokens(
	sections: Sections,
	template: Template,
	countTokens: (text: string) => number,
): number {
	const message = summaryMessage(renderSummary(sections, template), template, "user");
	return partsOf(message).reduce((sum, part) => sum + countTokens(part.text ?? ""), FRAME);
}
