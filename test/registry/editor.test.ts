import { describe, expect, test } from "vitest";
import {
	type CompletionList,
	type TextDocument as Document,
	getLanguageService,
	type MarkupContent,
	TextDocument,
} from "vscode-json-languageservice";
import { composeSchema } from "../../src/registry/compose-schema.ts";
import { acmeRegistry } from "../support/acme-registry.ts";

/** The service that editors complete and check JSON with, bound to the composed schema. */
const registry = acmeRegistry({
	type: "object",
	properties: { region: { enum: ["north", "south"], description: "Where the service runs." } },
});
const service = getLanguageService({});
service.configure({
	validate: true,
	schemas: [{ uri: "precis.schema.json", fileMatch: ["*.config.json"], schema: composeSchema(registry) }],
});

/** A document, and the place of the bar in it. */
function open(text: string): {
	readonly document: Document;
	readonly at: ReturnType<Document["positionAt"]>;
} {
	const offset = text.indexOf("|");
	const document = TextDocument.create("file:///precis.config.json", "jsonc", 1, text.replace("|", ""));
	return { document, at: document.positionAt(Math.max(0, offset)) };
}

async function complete(text: string): Promise<readonly string[]> {
	const { document, at } = open(text);
	const list: CompletionList | null = await service.doComplete(
		document,
		at,
		service.parseJSONDocument(document),
	);
	return (list?.items ?? []).map(({ label }) => label);
}

async function problems(text: string): Promise<readonly string[]> {
	const { document } = open(text);
	return (
		await service.doValidation(document, service.parseJSONDocument(document), {
			comments: "ignore",
			trailingCommas: "ignore",
		})
	).map(({ message }) => String(message));
}

async function hover(text: string): Promise<string> {
	const { document, at } = open(text);
	const found = await service.doHover(document, at, service.parseJSONDocument(document));
	return JSON.stringify((found?.contents ?? "") as MarkupContent);
}

describe("an editor that knows the composed schema", () => {
	test("completes the name of a backend, a plugin's among the built-in ones", async () => {
		expect(await complete('{ "backend": { "use": "|" } }')).toEqual(
			expect.arrayContaining(['"acme"', '"extractive"', '"ai-sdk"']),
		);
	});

	test("completes a plugin's option and its values", async () => {
		expect(await complete('{ "backend": { "use": "acme", "|" } }')).toContain("region");
		expect(await complete('{ "backend": { "use": "acme", "region": "|" } }')).toEqual(
			expect.arrayContaining(['"north"', '"south"']),
		);
	});

	test("completes a built-in's option, in a pipeline too", async () => {
		expect(await complete('{ "strategy": { "use": "summarize-older", "|" } }')).toContain("keepLast");
		expect(await complete('{ "strategy": [{ "use": "keep-recent", "|" }] }')).toContain("preserveKinds");
	});

	test("marks a typo, in a plugin's options too", async () => {
		expect(
			await problems(
				'{ "strategy": { "use": "keep-recent" }, "backend": { "use": "acme", "regoin": "north" } }',
			),
		).toEqual([expect.stringContaining("regoin")]);
		expect(await problems('{ "strategy": { "use": "keep-recent", "keepLst": 3 } }')).toEqual([
			expect.stringContaining("keepLst"),
		]);
	});

	test("has nothing to say of a right config with comments and trailing commas", async () => {
		expect(
			await problems(
				'{ // why\n "strategy": { "use": "keep-recent", }, "backend": { "use": "acme", "region": "north" } }',
			),
		).toEqual([]);
	});

	test("shows what an option is for", async () => {
		expect(await hover('{ "backend": { "use": "acme", "reg|ion": "north" } }')).toContain(
			"Where the service runs",
		);
		expect(await hover('{ "strategy": { "use": "keep-recent", "keep|Last": 3 } }')).toContain(
			"stay verbatim",
		);
	});
});
