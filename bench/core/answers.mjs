const WORDS =
	"queue worker listens port retries budget index region schema parser token cache replica shard migrate deploy rollback latency config secret signer ledger cursor window batch".split(
		" ",
	);

/** A sentence-like entry of about so many characters; the same for the same number. */
function entry(number, length) {
	let text = `Item ${number}:`;
	for (let word = number; text.length < length; word += 7) text += ` ${WORDS[word % WORDS.length]}`;
	return text;
}

const IDS = ["key_facts", "decisions", "pending_tasks", "open_questions"];

/** A template whose sections may hold as much as a bench puts into them. */
export const ROOMY = {
	name: "roomy",
	header: "## Recap",
	sections: IDS.map((id) => ({
		id,
		title: (id[0].toUpperCase() + id.slice(1)).replace("_", " "),
		purpose: "Anything.",
		aliases: [],
		maxItems: Number.MAX_SAFE_INTEGER,
	})),
};

/** Sections of about so many characters together. */
export function sectionsOf(characters, length = 80) {
	const each = Math.max(1, Math.round(characters / IDS.length / (length + 3)));
	return Object.fromEntries(
		IDS.map((id, section) => [
			id,
			Array.from({ length: each }, (_, index) => entry(section * 31 + index, length)),
		]),
	);
}

/** The same sections as a model writes them: not quite as they are rendered. */
export function answerOf(sections) {
	return Object.entries(sections)
		.map(([id, entries]) => `## ${id}:\n\n${entries.map((text) => `* ${text}`).join("\n")}\n`)
		.join("\n");
}

const MANY = 1_000_000;

/** Inputs made to cost more than their length. */
export const NASTY = {
	"#": "#".repeat(MANY),
	"# ": "# ".repeat(MANY / 2),
	"*": "*".repeat(MANY),
	"[": "[".repeat(MANY),
	"{": "{".repeat(MANY),
	'{"a":': '{"a":'.repeat(MANY / 5),
	'{"key_facts":[': '{"key_facts":['.repeat(MANY / 14),
	'{"key_facts":[" }': '{"key_facts":[" }'.repeat(MANY / 17),
	"{a:[1 2 3 {}": "{a:[1 2 3 {}".repeat(MANY / 12),
	"[]": "[]".repeat(MANY / 2),
	"<think>": "<think>".repeat(MANY / 7),
	"<think ": "<think ".repeat(MANY / 7),
	"</think>": "</think>".repeat(MANY / 8),
	"x</think>\\n": "x</think>\n".repeat(MANY / 10),
	"<analysis><think>": "<analysis><think>".repeat(MANY / 17),
	"<a>": "<a>".repeat(MANY / 3),
	"`": "`".repeat(MANY),
	"fences after an entry": `# Decisions\n- a\n${"```x\n".repeat(MANY / 5)}`,
	"fences of every length": `# Decisions\n- a\n${Array.from({ length: 1400 }, (_, n) => `${"`".repeat(1403 - n)}x\n`).join("")}`,
	"fences closed": `# Decisions\n- a\n${"```\n".repeat(MANY / 4)}`,
	indents: " ".repeat(MANY),
	"indents around a letter": `é${" ".repeat(MANY)}é`,
	"indented lines": `# Decisions\n- a\n${`${" ".repeat(99)}\n`.repeat(MANY / 100)}b`,
	"wrapped lines": `# Decisions\n- a\n${"b\n".repeat(MANY / 2)}`,
	"nested items": `# Decisions\n- a\n${"    - b\n".repeat(MANY / 8)}`,
	"deeper and deeper": `# Decisions\n${Array.from({ length: 1400 }, (_, n) => `${" ".repeat(n)}- b\n`).join("")}`,
	"blank lines": `# Decisions\n${"\n".repeat(MANY)}`,
	"labels and blank lines": `# Decisions\n${"a:\n\n\n\n\n\n\n\n\n".repeat(MANY / 11)}`,
	"1. Decisions": "1. Decisions\n\n".repeat(MANY / 14),
	">": ">".repeat(MANY),
	"|": "|".repeat(MANY),
	"table rows": `# Decisions\n${"|a|b|\n|-|-|\n".repeat(MANY / 12)}`,
	":": `# Decisions\n${":".repeat(MANY)}`,
	"known headings": "# Decisions\n".repeat(MANY / 12),
	"unknown headings": "# Nothing known\n".repeat(MANY / 16),
	"zero-width spaces": "\u200b".repeat(MANY),
	"a zero-width entry": `# Decisions\n- a${"\u200b".repeat(MANY)}b`,
	"lone surrogates": "\ud800".repeat(MANY),
	"many keys": `{${Array.from({ length: 60_000 }, (_, n) => `"key${"_".repeat(n % 50)}facts${n % 7}":["a"]`).join(",")}}`,
	"missing commas": `{"key_facts":[${'"a" '.repeat(7_900)}]}`,
	"unescaped quotes": `{"key_facts":["${'a "b" '.repeat(5_300)}"]}`,
	"missing ends": `{"key_facts":[${'{"a":['.repeat(90)}${'"a",'.repeat(7_800)}`,
};
