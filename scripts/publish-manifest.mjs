// What is published carries none of the tools of development: `strip` takes them out of package.json before packing,
// `restore` puts the whole one back after it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = `${root}package.json`;
const whole = `${root}.package.whole.json`;
const DEVELOPMENT = ["devDependencies", "optionalDependencies", "allowScripts", "scripts"];

if (process.argv[2] === "strip") {
	// A pack that was broken off has left the whole one aside.
	if (existsSync(whole)) renameSync(whole, manifest);
	const text = readFileSync(manifest, "utf8");
	const published = JSON.parse(text);
	for (const key of DEVELOPMENT) delete published[key];
	writeFileSync(whole, text);
	writeFileSync(manifest, `${JSON.stringify(published, null, "\t")}\n`);
} else if (existsSync(whole)) {
	renameSync(whole, manifest);
}
