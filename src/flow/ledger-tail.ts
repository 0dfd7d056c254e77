import { renderLedger } from "../core/ledger/build-ledger.ts";
import { CUT_MARK } from "../core/render/fixed-lines.ts";

/** A render with the ledger as its last section; the mark of a cut stays on the last line. */
export function appendLedger(render: string, entries: readonly string[]): string {
	const tail = renderLedger(entries);
	return render.endsWith(CUT_MARK)
		? `${render.slice(0, -CUT_MARK.length)}${tail}${CUT_MARK}`
		: `${render}${tail}`;
}
