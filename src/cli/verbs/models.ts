import type { ModelFacts } from "../../backend/host.ts";
import { listModels, refreshModels } from "../../platform/models.ts";
import { CliError } from "../cli-error.ts";
import type { CommonFlags, ModelsFlags } from "../flags.ts";
import { count, dollars, json, plural, table } from "../format.ts";
import type { CliIo } from "../io.ts";
import { createReporter } from "../reporter.ts";

function describeModel({
	windowTokens,
	maxInputTokens,
	inputPrice,
	outputPrice,
	source,
}: ModelFacts): string {
	const tokens = windowTokens ?? maxInputTokens;
	const size = tokens === undefined ? "window unknown" : `${count(tokens)} tokens`;
	const isPriced = inputPrice !== undefined && outputPrice !== undefined;
	const price = isPriced ? `${dollars(inputPrice)} in, ${dollars(outputPrice)} out` : "price unknown";
	return `${size.padStart(18)}  ${price.padEnd(24)}  ${source}`;
}

/** `precis models`: lists the models that are known, with window and price; `--refresh` fetches the newest list. */
export async function models(filter: string | undefined, common: CommonFlags, io: CliIo): Promise<number> {
	const flags: ModelsFlags = common;
	const reporter = await createReporter(flags, io);
	if (flags.refresh === true) {
		const mirror = io.env.PRECIS_MODELS_URL;
		const work = refreshModels({
			fetch: globalThis.fetch,
			signal: io.signal,
			...(mirror ? { baseUrl: mirror } : {}),
		});
		const { count: fetched, path, url } = await reporter.during("fetching the catalogue of models", work);
		reporter.say(`fetched ${plural(fetched, "model")} from ${url} to ${path}`);
	}
	const found = await listModels(filter);
	if (found.length === 0) {
		throw new CliError(
			1,
			`Cannot find a model "${filter ?? ""}": nobody knows one. Try a part of its name, or "--refresh".`,
		);
	}
	await io.stdout.write(
		flags.json === true
			? json({ models: found })
			: `${table(
					found.map((model) => [model.id, describeModel(model)] as const),
					"",
				)}\nprices in USD for a million tokens\n`,
	);
	await reporter.flush();
	return 0;
}
