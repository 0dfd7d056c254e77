// Puts files of the project where docs/*.md show them; --check fails where a page is stale. What a page shows is
// what the gate runs.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const MARK = /<!-- file: (\S+) -->[\s\S]*?<!-- \/file -->/g;
const check = process.argv.includes("--check");
let stale = 0;
for (const name of readdirSync(`${root}docs`).filter((file) => file.endsWith(".md"))) {
	const old = readFileSync(`${root}docs/${name}`, "utf8");
	const text = old.replace(MARK, (_, path) => {
		const language = path.endsWith(".ts") ? "ts" : path.endsWith(".json") ? "json" : "js";
		return `<!-- file: ${path} -->\n\`\`\`${language}\n${readFileSync(root + path, "utf8").trim()}\n\`\`\`\n<!-- /file -->`;
	});
	if (text === old) continue;
	if (check) {
		stale += 1;
		console.error(`docs/${name} is stale: run "npm run docs"`);
	} else {
		writeFileSync(`${root}docs/${name}`, text);
		console.error(`printed docs/${name}`);
	}
}
if (stale > 0) process.exit(1);
