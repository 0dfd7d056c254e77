/** Classes of characters that tokenizers treat alike, in the order of the rows and columns of the weights. */
export const CHARACTER_CLASSES = [
	"lower",
	"upper",
	"digit",
	"space",
	"newline",
	"tab",
	"point",
	"quote",
	"bracket",
	"symbol",
	"latin",
	"cyrillic",
	"han",
	"kana",
	"hangul",
	"cjkPunctuation",
	"other",
] as const;

type CharacterClass = (typeof CHARACTER_CLASSES)[number];

const indexOf = (name: CharacterClass): number => CHARACTER_CLASSES.indexOf(name);

function asciiTable(): Uint8Array {
	const table = new Uint8Array(128).fill(indexOf("symbol"));
	table.fill(indexOf("newline"), 0, 32);
	table.fill(indexOf("digit"), 48, 58);
	table.fill(indexOf("upper"), 65, 91);
	table.fill(indexOf("lower"), 97, 123);
	const single: Readonly<Record<string, CharacterClass>> = { "\t": "tab", " ": "space", '"': "quote" };
	for (const [character, name] of Object.entries(single)) table[character.charCodeAt(0)] = indexOf(name);
	for (const character of ".,;:!?'") table[character.charCodeAt(0)] = indexOf("point");
	for (const character of "(){}[]<>") table[character.charCodeAt(0)] = indexOf("bracket");
	return table;
}

/** Scripts beyond ASCII by ranges of code units, whole blocks of 64; the rest (emoji's halves too) is "other". */
const SCRIPTS: readonly (readonly [CharacterClass, number, number])[] = [
	["latin", 0x80, 0x340],
	["latin", 0x1e00, 0x1f00],
	["cyrillic", 0x340, 0x540],
	["hangul", 0x1100, 0x1200],
	["cjkPunctuation", 0x3000, 0x3040],
	["kana", 0x3040, 0x3100],
	["han", 0x3400, 0xa000],
	["hangul", 0xac00, 0xd7c0],
	["han", 0xf900, 0xfb00],
	["cjkPunctuation", 0xff00, 0xff40],
];

function blockTable(): Uint8Array {
	const table = new Uint8Array(1024).fill(indexOf("other"));
	for (const [name, from, to] of SCRIPTS) table.fill(indexOf(name), from >> 6, to >> 6);
	return table;
}

/** The class of each ASCII character. */
export const ASCII: Uint8Array = asciiTable();
/** The class of each block of 64 code units. */
export const BLOCKS: Uint8Array = blockTable();
