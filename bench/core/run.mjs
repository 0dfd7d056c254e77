// Run with: node_modules/.bin/node bench/core/run.mjs
import { parseSummary } from "../../src/core/parse/parse-summary.ts";
import { renderSummary } from "../../src/core/render/render-summary.ts";
import { trimSummary } from "../../src/core/trim/trim-summary.ts";
import { answerOf, NASTY, ROOMY, sectionsOf } from "./answers.mjs";

/** Milliseconds of the fastest of many runs, which is the one that nothing else disturbed. */
function fastest(work, least = 15, leastMs = 400) {
	let best = Number.POSITIVE_INFINITY;
	const start = performance.now();
	for (let run = 0; run < least || performance.now() - start < leastMs; run += 1) {
		const before = performance.now();
		work();
		best = Math.min(best, performance.now() - before);
	}
	return best;
}

function ratio(value) {
	return `${value.toFixed(2)}×`;
}

function measure(characters, least, leastMs) {
	const json = JSON.stringify(sectionsOf(characters));
	const sections = JSON.parse(json);
	const answer = answerOf(sections);
	const render = renderSummary(sections, ROOMY);
	const budget = Math.floor(render.length / 4 / 5);
	// Each round gets a text that was never seen, since engines remember what they have found out about one.
	let round = 0;
	const fresh = (text) => {
		round += 1;
		return Buffer.from(text.replace("Item", `It${String.fromCharCode(97 + (round % 26))}m`)).toString();
	};
	const timed = (work, text) => {
		let best = Number.POSITIVE_INFINITY;
		const start = performance.now();
		for (let run = 0; run < least || performance.now() - start < leastMs; run += 1) {
			const input = fresh(text);
			const before = performance.now();
			work(input);
			best = Math.min(best, performance.now() - before);
		}
		return best;
	};
	return {
		characters: answer.length,
		json: timed((text) => JSON.parse(text), json),
		parse: timed((text) => parseSummary(text, ROOMY), answer),
		parseRender: timed((text) => parseSummary(text, ROOMY), render),
		parseJson: timed((text) => parseSummary(text, ROOMY), json),
		// A string that is put together is only written out when a character of it is read.
		render: fastest(() => renderSummary(sections, ROOMY).charCodeAt(0), least, leastMs),
		trim: fastest(() => trimSummary(sections, ROOMY, budget), least, leastMs),
		trimCounted: fastest(
			() => trimSummary(sections, ROOMY, budget, (text) => text.length / 4),
			least,
			leastMs,
		),
	};
}

const sizes = (process.env.SIZES ?? "20000,200000,2000000,20000000").split(",").map(Number);
console.log(
	"| answer | JSON.parse | parse headings | parse a render | parse JSON | render | trim to 1/5 | trim, own counter |",
);
console.log("|---|---|---|---|---|---|---|---|");
measure(200_000, 15, 400);
for (const size of sizes) {
	const found = measure(size, size > 5_000_000 ? 3 : 15, size > 5_000_000 ? 0 : 400);
	const cells = [
		found.parse,
		found.parseRender,
		found.parseJson,
		found.render,
		found.trim,
		found.trimCounted,
	];
	console.log(
		`| ${(found.characters / 1000).toFixed(0)} kB | ${found.json.toFixed(2)} ms | ${cells.map((ms) => ratio(ms / found.json)).join(" | ")} |`,
	);
}

console.log("\n| nasty input | characters | parse, ms | half of it, ms |\n|---|---|---|---|");
for (const [name, text] of Object.entries(NASTY)) {
	const whole = fastest(() => parseSummary(text), 2, 0);
	const half = fastest(() => parseSummary(text.slice(0, text.length / 2)), 2, 0);
	console.log(
		`| \`${name.replaceAll("|", "\\|").replaceAll("`", "backtick")}\` | ${text.length} | ${whole.toFixed(0)} | ${half.toFixed(0)} |`,
	);
}
