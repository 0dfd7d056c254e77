import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("config-10: the generated types compile strictly, declarations checked too", () => {
	const options =
		"--noEmit --strict --skipLibCheck false --exactOptionalPropertyTypes --target es2023 --ignoreConfig";
	const tsc = `${root}node_modules/typescript/bin/tsc`;
	const args = [tsc, ...options.split(" "), "src/generated/types.ts"];
	expect(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })).toBe("");
});

test("config-09: closed objects have no index signature that would let a typo through", () => {
	const types = readFileSync(`${root}src/generated/types.ts`, "utf8");
	const config = types.slice(types.indexOf("export interface Config {"));
	expect(config.slice(0, config.indexOf("\n}"))).not.toContain("[k: string]: unknown");
});
