// Prints tables of options from schemas/ into docs/, between the markers
//   <!-- options: backends/ai-sdk -->  and  <!-- /options -->
// `node scripts/docs-options.mjs` writes them; with --check it fails where one is stale.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const USES = new Set(["strategy", "backend", "trigger", "counter"]);
const MARKED = /(<!-- options: ([\w/-]+) -->)[\s\S]*?(<!-- \/options -->)/g;

const read = (path) => JSON.parse(readFileSync(`${root}schemas/${path}.schema.json`, "utf8"));

/** The schema that a reference points to, and the path of its file. */
function follow(schema, path) {
	if (schema.$ref === undefined) return { schema, path };
	const [file, pointer] = schema.$ref.split("#");
	const target =
		file === "" ? path : new URL(file, `file:///${path}`).pathname.slice(1).replace(".schema.json", "");
	const keys = pointer === undefined ? [] : pointer.split("/").slice(1);
	const found = keys.reduce((inner, key) => inner[key], read(target));
	return USES.has(keys.at(-1)) ? { use: keys.at(-1) } : follow(found, target);
}

function range({ minimum, maximum, exclusiveMinimum }) {
	const from = exclusiveMinimum === undefined ? ` from ${minimum}` : ` above ${exclusiveMinimum}`;
	// The longest timer is no limit that anybody meets.
	const to = maximum === undefined || maximum > 2_000_000_000 ? "" : ` to ${maximum}`;
	return (minimum ?? exclusiveMinimum) === undefined ? to : from + to;
}

/** What may be written, in words. */
function typeOf(written, from) {
	const { schema, path, use } = follow(written, from);
	if (use !== undefined) return `a ${use}`;
	if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
	if (schema.enum !== undefined) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(", ");
	const either = schema.anyOf ?? schema.oneOf;
	if (either !== undefined) return [...new Set(either.map((one) => typeOf(one, path)))].join(" or ");
	switch (schema.type) {
		case "string":
			return "text";
		case "boolean":
			return "`true`, `false`";
		case "integer":
			return `whole number${range(schema)}`;
		case "number":
			return `number${range(schema)}`;
		case "null":
			return "`null`";
		case "array":
			return `list of: ${typeOf(schema.items ?? {}, path)}`;
		case "object":
			return typeof schema.additionalProperties === "object"
				? `object of: ${typeOf(schema.additionalProperties, path)}`
				: "object";
		default:
			return Array.isArray(schema.type) ? schema.type.join(" or ") : "anything";
	}
}

function rowsOf(schema, path, prefix = "") {
	return Object.entries(schema.properties ?? {})
		.filter(([name]) => name !== "use" && name !== "$schema")
		.flatMap(([name, written]) => {
			const found = follow(written, path);
			if (found.use !== undefined) return [[`${prefix}${name}`, `a ${found.use}`, "", ""]];
			const { description = "", default: standard, properties } = { ...found.schema, ...written };
			const fallback =
				standard === undefined || properties !== undefined ? "" : `\`${JSON.stringify(standard)}\``;
			const must = (schema.required ?? []).includes(name) ? "required" : fallback;
			return [
				[`${prefix}${name}`, typeOf(written, path), must, description],
				...rowsOf(found.schema, found.path, `${prefix}${name}.`),
			];
		});
}

function tableOf(path) {
	const schema = read(path);
	const rows = rowsOf(schema, path);
	if (rows.length === 0) return "It takes no options.";
	const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
	return [
		"| option | value | default | meaning |",
		"|---|---|---|---|",
		...rows.map(([name, ...rest]) => `| \`${name}\` | ${rest.map(cell).join(" | ")} |`),
	].join("\n");
}

const check = process.argv.includes("--check");
const stale = [];
for (const name of readdirSync(`${root}docs`).filter((file) => file.endsWith(".md"))) {
	const file = `${root}docs/${name}`;
	const before = readFileSync(file, "utf8");
	const after = before.replace(MARKED, (_, open, path, close) => `${open}\n${tableOf(path)}\n${close}`);
	if (after === before) continue;
	stale.push(`docs/${name}`);
	if (!check) writeFileSync(file, after);
}
if (check && stale.length > 0) {
	process.stderr.write(`Stale: ${stale.join(", ")}. Run "node scripts/docs-options.mjs".\n`);
	process.exitCode = 1;
} else {
	process.stdout.write(stale.length === 0 ? "docs are up to date\n" : `printed ${stale.join(", ")}\n`);
}
