import type { Message } from "../../core/transcript/message.ts";
import { findUnits } from "../../core/transcript/units.ts";

/** The shares of a transcript's messages at which it is cut. */
export const CUT_SHARES = [0.4, 0.6, 0.8] as const;

/** The places before which no unit has begun without having ended, so that nothing is cut in two. */
function safePlaces(messages: readonly Message[]): readonly number[] {
	const { members } = findUnits(messages);
	const endsAt = new Int32Array(messages.length);
	for (const unit of members) {
		const [first = 0] = unit;
		endsAt[first] = unit.at(-1) ?? first;
	}
	const places: number[] = [];
	let reach = -1;
	for (let place = 1; place < messages.length; place += 1) {
		reach = Math.max(reach, endsAt[place - 1] ?? 0);
		if (reach < place) places.push(place);
	}
	return places;
}

/**
 * Where a transcript is cut to be measured: at the places between whole units nearest to 40, 60 and 80 % of its
 * messages, ascending, each once. A place is the number of messages before it.
 */
export function cutPoints(messages: readonly Message[]): readonly number[] {
	const places = safePlaces(messages);
	const found = CUT_SHARES.flatMap((share) => {
		const wanted = Math.round(messages.length * share);
		let best: number | undefined;
		for (const place of places)
			if (best === undefined || Math.abs(place - wanted) < Math.abs(best - wanted)) best = place;
		return best ?? [];
	});
	return [...new Set(found)].sort((left, right) => left - right);
}
