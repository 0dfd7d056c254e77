// Texts to fit and to measure on, by kind, read where they lie: installed packages, the shared transcripts, and
// made-up blobs from a fixed seed. Each kind has two halves that share no document.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const root: string = fileURLToPath(new URL("../..", import.meta.url));
const modules: string = join(root, "node_modules");
const shared: string = join(root, process.env.PRECIS_SHARED ?? "../shared");

/** The two halves of a kind of text. */
export interface Corpus {
	readonly fitted: readonly string[];
	readonly heldOut: readonly string[];
	/** How much the kind counts in the fit. */
	readonly share: number;
}

const MAX_HALF = 400_000;
const MAX_DOCUMENT = 20_000;

function filesBelow(folder: string, accepts: (path: string) => boolean): string[] {
	if (!existsSync(folder)) return [];
	const found: string[] = [];
	for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isFile() && accepts(path) && statSync(path).size > 1500) found.push(path);
	}
	return found.sort();
}

/** Every second document to each half, up to a size. */
function halves(documents: Iterable<string>, share = 1): Corpus {
	const both: [string[], string[]] = [[], []];
	const sizes: [number, number] = [0, 0];
	let side: 0 | 1 = 0;
	for (const whole of documents) {
		const document = whole.slice(0, MAX_DOCUMENT);
		if (sizes[side] < MAX_HALF && document.length > 200) {
			both[side].push(document);
			sizes[side] += document.length;
		}
		side = side === 0 ? 1 : 0;
		if (sizes[0] >= MAX_HALF && sizes[1] >= MAX_HALF) break;
	}
	return { fitted: both[0], heldOut: both[1], share };
}

function* texts(paths: readonly string[]): Generator<string> {
	for (const path of paths) yield readFileSync(path, "utf8");
}

/** A document of a kind from a long one: parts of some size, cut at line ends. */
function partsOf(text: string, size: number): string[] {
	const parts: string[] = [];
	let start = 0;
	while (start < text.length) {
		const end = text.indexOf("\n", start + size);
		parts.push(text.slice(start, end < 0 ? undefined : end));
		start = end < 0 ? text.length : end;
	}
	return parts;
}

/** The compiler's messages in another language. */
function compilerMessages(language: string): string[] {
	const path = join(modules, "typescript/lib", language, "diagnosticMessages.generated.json");
	const messages = Object.values(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>);
	return partsOf(messages.join("\n"), 4000);
}

interface SharedMessage {
	readonly role: string;
	readonly content:
		| string
		| readonly {
				readonly type: string;
				readonly text?: string;
				readonly output?: { readonly value?: unknown };
		  }[];
}

function transcripts(names: RegExp): SharedMessage[][] {
	const folder = join(shared, "data");
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((name) => name.endsWith(".json") && !name.includes("compactions") && names.test(name))
		.sort()
		.map((name) => {
			const value = JSON.parse(readFileSync(join(folder, name), "utf8")) as
				| SharedMessage[]
				| { messages: SharedMessage[] };
			return Array.isArray(value) ? value : value.messages;
		});
}

function prose(messages: readonly SharedMessage[]): string {
	return messages
		.flatMap(({ content }) =>
			typeof content === "string"
				? [content]
				: content.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : [])),
		)
		.join("\n");
}

function toolOutputs(messages: readonly SharedMessage[]): string[] {
	return messages.flatMap(({ content }) =>
		typeof content === "string"
			? []
			: content.flatMap(({ output }) =>
					typeof output?.value === "string" && output.value.length > 200 ? [output.value] : [],
				),
	);
}

/** Numbers from a fixed seed. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

function blobs(encoding: "base64" | "hex", length: number): string[] {
	const next = random(7);
	return Array.from({ length: 120 }, () =>
		Buffer.from(Array.from({ length }, () => Math.floor(next() * 256))).toString(encoding),
	);
}

/** Records such as an interface answers with: ids, dates, names, amounts, flags, lists. */
function records(): unknown[] {
	const next = random(11);
	const words =
		"crate shelf hall order paid open closed north south urgent manual review customer invoice stock".split(
			" ",
		);
	const word = (): string => words[Math.floor(next() * words.length)] ?? "crate";
	return Array.from({ length: 60 }, (_, group) =>
		Array.from({ length: 30 }, (_, index) => ({
			id: Array.from({ length: 4 }, () =>
				Math.floor(next() * 65_536)
					.toString(16)
					.padStart(4, "0"),
			).join("-"),
			number: group * 30 + index + Math.floor(next() * 1e5),
			status: word(),
			createdAt: new Date(1.7e12 + Math.floor(next() * 5e10)).toISOString(),
			amount: Math.round(next() * 1e5) / 100,
			email: `${word()}.${word()}@example.test`,
			tags: [word(), word()],
			customer: {
				name: `${word()} ${word()}`,
				vip: next() < 0.2,
				score: next() < 0.3 ? null : Math.floor(next() * 100),
			},
			url: `https://api.example.test/v2/${word()}/${Math.floor(next() * 1e6)}`,
		})),
	);
}

function jsonValues(): unknown[] {
	const paths = filesBelow(
		modules,
		(path) => path.endsWith("package.json") && !path.includes("node_modules/."),
	).slice(0, 250);
	const manifests = paths.flatMap((path) => {
		try {
			return [JSON.parse(readFileSync(path, "utf8")) as unknown];
		} catch {
			return [];
		}
	});
	const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
		packages: Record<string, unknown>;
	};
	const locked = Object.entries(lock.packages);
	const locks = Array.from({ length: 20 }, (_, index) =>
		Object.fromEntries(locked.slice(index * 8, index * 8 + 8)),
	);
	const sessions = transcripts(/tau|inspect|agentkit|claudecode/).flatMap((messages) =>
		partsOfList(messages),
	);
	return interleave(interleave(manifests, records()), interleave(locks, sessions));
}

function partsOfList(messages: readonly SharedMessage[]): unknown[] {
	const parts: unknown[] = [];
	for (let index = 0; index < messages.length; index += 6) parts.push(messages.slice(index, index + 6));
	return parts;
}

function interleave<T>(left: readonly T[], right: readonly T[]): T[] {
	const both: T[] = [];
	// Two of each at a time, so that both halves of a corpus get both kinds.
	for (let index = 0; index < Math.max(left.length, right.length); index += 2)
		both.push(...left.slice(index, index + 2), ...right.slice(index, index + 2));
	return both;
}

/** Manual pages in another language, where the machine has them: much markup, other words than a compiler's. */
function manualPages(language: string): Record<string, Corpus> {
	const paths = filesBelow(`/usr/share/man/${language}`, (path) => path.endsWith(".gz"));
	if (paths.length < 6) return {};
	const pages = paths.map((path) => gunzipSync(readFileSync(path)).toString("utf8").slice(0, 8000));
	return { [`manual pages, ${language}`]: halves(pages, 0.35) };
}

/** All kinds of text, by name. */
export function corpora(): Record<string, Corpus> {
	const code = filesBelow(modules, (path) => /\/(ai|zod|@ai-sdk\/[^/]+)\/src\/.*\.ts$/.test(path));
	const plain = filesBelow(
		modules,
		(path) => /\.m?js$/.test(path) && !/\.min\.|typescript\/lib|\/dist\//.test(path),
	);
	const manuals = filesBelow(join(modules, "ai/docs"), (path) => path.endsWith(".mdx"));
	const readmes = filesBelow(modules, (path) => /\/README\.md$/i.test(path));
	const values = jsonValues();
	const meetings = transcripts(/qmsum|aider/).flatMap((messages) => partsOf(prose(messages), 4000));
	const talks = transcripts(/specstory|pi-large|tau|agentkit/).flatMap((messages) =>
		partsOf(prose(messages), 4000),
	);
	const every = (list: readonly string[], count: number): string[] => {
		const step = Math.max(1, Math.floor(list.length / count));
		return list.filter((_, index) => index % step === 0);
	};
	return {
		"English prose (meetings)": halves(meetings),
		"English prose (agents' talk)": halves(talks),
		"English manuals": halves(interleave([...texts(every(manuals, 120))], [...texts(every(readmes, 60))])),
		"TypeScript code": halves(texts(every(code, 160))),
		"JavaScript code": halves(texts(every(plain, 160))),
		"tool outputs": halves(
			transcripts(/specstory|pi-large|openhands|sweagent|claudecode/).flatMap(toolOutputs),
		),
		"JSON, minified": halves(values.map((value) => JSON.stringify(value))),
		"JSON, pretty": halves(values.map((value) => JSON.stringify(value, null, 2))),
		Chinese: halves(compilerMessages("zh-cn")),
		"Chinese, traditional": halves(compilerMessages("zh-tw"), 0.7),
		Japanese: halves(compilerMessages("ja")),
		Korean: halves(compilerMessages("ko")),
		Russian: halves(compilerMessages("ru")),
		German: halves(compilerMessages("de"), 0.7),
		French: halves(compilerMessages("fr"), 0.7),
		Polish: halves(compilerMessages("pl"), 0.7),
		Turkish: halves(compilerMessages("tr"), 0.7),
		base64: halves(blobs("base64", 2400), 0.7),
		hex: halves(blobs("hex", 1600), 0.7),
		...Object.assign({}, ...["zh_CN", "ja", "ko", "ru", "fr", "de", "pl", "tr"].map(manualPages)),
	};
}
