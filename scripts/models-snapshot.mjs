// Prints src/generated/models-snapshot.ts: windows, output limits and prices of models, from a public npm package.
// It goes to the network, so it is run by hand: `node scripts/models-snapshot.mjs [--date YYYY-MM-DD]`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = "@earendil-works/pi-ai";
const VERSION = "1.6.0";
const OUT = fileURLToPath(new URL("../src/generated/models-snapshot.ts", import.meta.url));

/** Names of providers as the AI SDK's packages have them. */
const RENAMED = { together: "togetherai", "vercel-ai-gateway": "gateway" };
/** Subscriptions and routers whose limits are their own, not the model's, and which no provider package serves. */
const LEFT_OUT =
	/(?:^|-)(?:plan|coding|codex|opencode|copilot|radius|typesafe)(?:-|$)|-cn$|^cloudflare-ai-gateway$/;

/** OpenAI reserves the output limit of these within the window: the prompt cannot have all of it. */
function maxInputOf({ id, contextWindow, maxTokens }) {
	const reserves = /(?:^|[/.])gpt-[5-9]/.test(id) && contextWindow >= 400_000 && maxTokens === 128_000;
	return reserves ? contextWindow - maxTokens : 0;
}

function rowOf(model) {
	const { input, output, cacheRead, cacheWrite } = model.cost;
	const prices = input > 0 || output > 0 ? [input, output, cacheRead, cacheWrite] : [];
	return [model.contextWindow, maxInputOf(model), model.maxTokens, model.reasoning ? 1 : 0, ...prices].map(
		(figure) => Number((figure ?? 0).toFixed(6)),
	);
}

const folder = mkdtempSync(join(tmpdir(), "precis-models-"));
try {
	execFileSync("npm", ["pack", `${PACKAGE}@${VERSION}`, "--silent"], { cwd: folder });
	execFileSync("tar", ["xzf", `earendil-works-pi-ai-${VERSION}.tgz`], { cwd: folder });
	const { author, license, version } = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
	if (license !== "MIT" || version !== VERSION)
		throw new Error(`Cannot use ${PACKAGE} ${version}: ${license}`);
	const { MODELS } = await import(pathToFileURL(join(folder, "package/dist/models.generated.js")).href);
	const rows = [];
	for (const [provider, models] of Object.entries(MODELS)) {
		if (LEFT_OUT.test(provider)) continue;
		for (const model of Object.values(models)) {
			if (!(model.contextWindow > 0)) continue;
			rows.push([`${RENAMED[provider] ?? provider}/${model.id}`, rowOf(model)]);
		}
	}
	rows.sort(([left], [right]) => (left < right ? -1 : 1));
	const asked = process.argv.indexOf("--date");
	const date = asked > 0 ? process.argv[asked + 1] : new Date().toISOString().slice(0, 10);
	writeFileSync(
		OUT,
		`// Printed by scripts/models-snapshot.mjs from the npm package ${PACKAGE} ${VERSION} (${license} licence,
// by ${author}; see NOTICE). Never edited by hand.

/** When the figures were taken, as YYYY-MM-DD. */
export const SNAPSHOT_DATE = ${JSON.stringify(date)};

/**
 * By "provider/model": window, most input (0: as the window), most output, whether it reasons (0 or 1), and in USD
 * for a million tokens input, output, read from cache, written to cache (0: unknown); no prices where none are known.
 */
export const SNAPSHOT: Readonly<Record<string, readonly number[]>> = {
${rows.map(([id, row]) => `\t${JSON.stringify(id)}: [${row.join(", ")}],`).join("\n")}
};
`,
	);
	process.stdout.write(`${rows.length} models in src/generated/models-snapshot.ts\n`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
