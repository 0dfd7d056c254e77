import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** The rooms of src/, in the order in which they may import: a file imports its own room or one to the left. */
const ROOMS = [
	"errors",
	"generated",
	"core",
	"backend",
	"strategy",
	"platform",
	"config",
	"result",
	"registry",
	"builtins",
	"flow",
	"doors",
	"formats",
	"testing",
	"ai-sdk",
	"cli",
];

/** Rooms that touch the machine. */
const MAY_USE_NODE = new Set(["platform", "cli", "testing"]);

function filesIn(folder: string): readonly string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
		.map((name) => join(folder, name));
}

function importsOf(file: string): readonly string[] {
	const text = readFileSync(join(root, file), "utf8");
	const found = text.matchAll(
		/(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g,
	);
	return [...found].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? []);
}

function roomOf(file: string): string {
	const [top, second, ...rest] = file.split("/");
	if (top !== "src") return top ?? "";
	if (rest.length > 0) return second ?? "";
	return second === "builtins.ts" ? "builtins" : "doors";
}

describe("the import law", () => {
	const sources = filesIn("src");

	test("every file stands in a known room", () => {
		expect([...new Set(sources.map(roomOf))].filter((room) => !ROOMS.includes(room))).toEqual([]);
	});

	test("imports point to the own room or to the left", () => {
		const broken: string[] = [];
		for (const file of sources) {
			if (file === join("src", "builtins.ts")) continue;
			for (const specifier of importsOf(file)) {
				if (!specifier.startsWith(".")) continue;
				const target = relative(root, resolve(root, dirname(file), specifier));
				const allowed = ROOMS.indexOf(roomOf(target)) <= ROOMS.indexOf(roomOf(file));
				// A door hands on what stands behind it; nothing else may.
				const isDoor = roomOf(file) === "doors" && target.startsWith("src/");
				if (!allowed && !isDoor) broken.push(`${file} → ${target}`);
			}
		}
		expect(broken).toEqual([]);
	});

	test("core is pure: it imports no package but the lenient JSON parser, and nothing of the machine", () => {
		const outside = sources
			.filter((file) => roomOf(file) === "core")
			.flatMap((file) => importsOf(file).map((specifier) => `${file} → ${specifier}`))
			.filter((line) => !line.includes("→ .") && !line.endsWith("→ jsonrepair"));
		expect(outside).toEqual([]);
		const impure = /\b(?:process|Date\.now|Math\.random|performance|console|setTimeout|fetch)\b\s*[.(]/;
		const offenders = sources
			.filter((file) => roomOf(file) === "core")
			.filter((file) =>
				impure.test(readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")),
			);
		expect(offenders).toEqual([]);
	});

	test("only the rooms that touch the machine import node: modules", () => {
		const broken = sources
			.filter((file) => !MAY_USE_NODE.has(roomOf(file)))
			.flatMap((file) =>
				importsOf(file)
					.filter((name) => name.startsWith("node:"))
					.map((name) => `${file} → ${name}`),
			);
		expect(broken).toEqual([]);
	});

	test("no file uses the globals of one runtime", () => {
		const broken = [...sources, ...filesIn("plugins")].filter((file) =>
			/\b(?:Deno|Bun)\.[a-z]/.test(readFileSync(join(root, file), "utf8")),
		);
		expect(broken).toEqual([]);
	});

	test("first-party plugins are written against the public door alone", () => {
		const broken: string[] = [];
		for (const file of filesIn("plugins").filter((name) => !name.startsWith(join("plugins", "examples")))) {
			for (const specifier of importsOf(file)) {
				if (!specifier.startsWith(".")) {
					broken.push(`${file} → ${specifier}`);
					continue;
				}
				const target = relative(root, resolve(root, dirname(file), specifier));
				if (
					target !== join("src", "plugin.ts") &&
					!target.startsWith("plugins/") &&
					!target.startsWith("schemas/")
				) {
					broken.push(`${file} → ${target}`);
				}
			}
		}
		expect(broken).toEqual([]);
	});

	test("source files are one idea each: 300 lines at most", () => {
		const long = [...sources, ...filesIn("plugins")]
			.filter((file) => roomOf(file) !== "generated")
			.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 301);
		expect(long).toEqual([]);
	});
});
