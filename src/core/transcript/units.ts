/** How the messages of a transcript hang together; indices refer to the transcript it was made from. */
export interface Units {
	/** For each message the number of its unit, ascending by first appearance. */
	readonly unitOf: readonly number[];
	/** For each unit its messages, ascending. */
	readonly members: readonly (readonly number[])[];
	/** Messages of a unit with a call that still waits for its result: never evicted. */
	readonly waiting: ReadonlySet<number>;
	/** Messages that came in broken: an orphan result, or an unanswered call that nothing waits for. */
	readonly broken: ReadonlySet<number>;
}
