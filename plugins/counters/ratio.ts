import schema from "../../schemas/counters/ratio.schema.json" with { type: "json" };
import {
	type CounterDefinition,
	defineCounter,
	messageTokens,
	type ResolvedRatioCounterOptions,
} from "../../src/plugin.ts";

/** What an image counts for, in characters. */
const IMAGE_CHARACTERS = 256;

interface Figures {
	readonly charsPerToken: number;
	readonly perMessage: number;
}

/** The providers' own rules of thumb for English text. */
const PRESETS: Readonly<Record<"openai" | "anthropic" | "gemini" | "local", Figures>> = {
	openai: { charsPerToken: 4, perMessage: 4 },
	anthropic: { charsPerToken: 3.5, perMessage: 4 },
	gemini: { charsPerToken: 4, perMessage: 4 },
	// Smaller vocabularies cut text finer.
	local: { charsPerToken: 3.5, perMessage: 4 },
};

/** Code points of a text: an emoji is one. */
export function countCodePoints(text: string): number {
	let pairs = 0;
	for (let index = 0; index < text.length - 1; index += 1) {
		const unit = text.charCodeAt(index);
		if (unit < 0xd800 || unit > 0xdbff) continue;
		const next = text.charCodeAt(index + 1);
		if (next < 0xdc00 || next > 0xdfff) continue;
		pairs += 1;
		index += 1;
	}
	return text.length - pairs;
}

/** Divides characters by a ratio and adds a constant for each message; sums exactly, rounds nothing. */
const ratio: CounterDefinition<ResolvedRatioCounterOptions> = defineCounter<ResolvedRatioCounterOptions>({
	name: "ratio",
	schema,
	create(options) {
		const preset = PRESETS[options.preset ?? "openai"];
		const charsPerToken = options.charsPerToken ?? preset.charsPerToken;
		const perMessage = options.perMessage ?? preset.perMessage;
		const text = (written: string): number => countCodePoints(written) / charsPerToken;
		const costs = {
			message: perMessage,
			frame: 0,
			image: IMAGE_CHARACTERS / charsPerToken,
			json: (value: unknown): number => text(JSON.stringify(value) ?? ""),
		};
		return { text, message: (message) => messageTokens(message, text, costs) };
	},
});

export default ratio;
