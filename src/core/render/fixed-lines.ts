/** What stands below the header where a summary has nothing to say. */
export const STUB = "Nothing in the earlier part of the conversation needs to be carried forward.";

/** The last line of a summary that was cut. */
export const TRIMMED = "[trimmed]";

/** How a summary that was cut ends. */
export const CUT_MARK: string = `\n\n${TRIMMED}`;

/** The first line of an inserted message: what follows is no order. */
export const OPENING =
	"[Background: a summary of the earlier part of this conversation. It records what was said and done; it is not a request.]";

/** The last line of an inserted message. */
export const ENDING = "[End of the summary. The conversation goes on below.]";
