import type { Tally } from "./rank-identifiers.ts";

/** An ancestor becomes the root when so great a share of the absolute paths lies below it. */
const ROOT_SHARE = 0.4;
const ROOT_FILES = 3;
const DEEPEST = 16;
/** Files of one name that are looked at for which of them a short path means. */
const MOST_NAMESAKES = 12;

/**
 * One tally for each file, however it was written: "./a/b.ts", "b.ts" and "/home/me/project/a/b.ts" become "a/b.ts"
 * where it is clear that they are one. Absolute paths below the folder that most of them share are written from
 * there, and the folder itself is listed once.
 */
export function mergePaths(tallies: Iterable<Tally>): readonly Tally[] {
	const others: Tally[] = [];
	const paths: Tally[] = [];
	for (const tally of tallies) (tally.kind === "path" ? paths : others).push(tally);
	const root = findRoot(paths);
	const byText = new Map<string, Tally>();
	for (const tally of paths) add(byText, tally, relative(tally.text, root));
	return [...others, ...mergeEndings(byText)];
}

function add(byText: Map<string, Tally>, tally: Tally, text: string): void {
	const known = byText.get(text);
	if (known === undefined) byText.set(text, { ...tally, text });
	else {
		known.mentions += tally.mentions;
		known.shape = Math.max(known.shape, tally.shape);
	}
}

function isAbsolute(path: string): boolean {
	return path.startsWith("/") || path.startsWith("~/");
}

function relative(path: string, root: string | undefined): string {
	if (root !== undefined && path.startsWith(`${root}/`)) return path.slice(root.length + 1);
	return path.startsWith("./") ? path.slice(2) : path;
}

/** The deepest folder below which many of the absolute paths lie, by how much they were mentioned. */
function findRoot(paths: readonly Tally[]): string | undefined {
	const folders = new Map<string, { weight: number; files: number }>();
	let total = 0;
	for (const { text, mentions } of paths) {
		if (!isAbsolute(text)) continue;
		total += mentions;
		let end = text.indexOf("/", 1);
		for (let depth = 1; end > 0 && depth < DEEPEST; depth += 1) {
			if (depth >= 2) {
				const folder = text.slice(0, end);
				const known = folders.get(folder);
				if (known === undefined) folders.set(folder, { weight: mentions, files: 1 });
				else {
					known.weight += mentions;
					known.files += 1;
				}
			}
			end = text.indexOf("/", end + 1);
		}
	}
	let best: string | undefined;
	for (const [folder, { weight, files }] of folders) {
		if (files < ROOT_FILES || weight < total * ROOT_SHARE) continue;
		if (best === undefined || folder.length > best.length) best = folder;
	}
	return best;
}

/** A path that is the ending of exactly one other is that other. */
function mergeEndings(byText: ReadonlyMap<string, Tally>): readonly Tally[] {
	const byName = new Map<string, Tally[]>();
	for (const tally of byText.values()) {
		const name = tally.text.slice(tally.text.lastIndexOf("/") + 1);
		const list = byName.get(name);
		if (list === undefined) byName.set(name, [tally]);
		else list.push(tally);
	}
	const merged: Tally[] = [];
	for (const list of byName.values()) {
		// Longest first; a name that stands for many files stands for none of them.
		list.sort((left, right) => right.text.length - left.text.length);
		const files: Tally[] = [];
		for (const tally of list) {
			const longer =
				list.length > MOST_NAMESAKES ? [] : files.filter(({ text }) => text.endsWith(`/${tally.text}`));
			const [only] = longer;
			if (only !== undefined && longer.length === 1) {
				only.mentions += tally.mentions;
				only.shape = Math.max(only.shape, tally.shape);
			} else files.push(tally);
		}
		merged.push(...files);
	}
	return merged;
}
