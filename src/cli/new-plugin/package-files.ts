import type { PluginNames } from "./plugin-names.ts";

/** What a new plugin gives. */
export type PluginKindChoice = "backend" | "strategy";

/** Versions of the tools that a new package is made with; the same as this package's own. */
export interface ToolVersions {
	readonly precis: string;
	readonly typescript: string;
	readonly typesNode: string;
	readonly schemaToTypescript: string;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function manifest(names: PluginNames, kind: PluginKindChoice, versions: ToolVersions): string {
	return json({
		name: names.package,
		version: "0.1.0",
		description: `The ${kind} "${names.use}" for précis.`,
		license: "MIT",
		type: "module",
		keywords: ["precis-plugin"],
		exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./schema.json": "./schema.json" },
		files: ["index.js", "index.d.ts", "options.d.ts", "schema.json"],
		engines: { node: ">=20.19" },
		scripts: {
			codegen: "precis codegen schema.json -o options.d.ts",
			check: "precis codegen schema.json -o options.d.ts --check && tsc",
			test: "node --test",
			prepack: "npm run check && npm test",
		},
		peerDependencies: { precis: `>=${versions.precis} <1` },
		devDependencies: {
			"@types/node": versions.typesNode,
			"json-schema-to-typescript": versions.schemaToTypescript,
			precis: `^${versions.precis}`,
			typescript: versions.typescript,
		},
	});
}

/** The one option that a new plugin has. */
const OPTIONS = {
	backend: {
		name: "maxEntries",
		schema: { type: "integer", minimum: 1, maximum: 50, default: 20 },
		description: "How many entries a section holds at most.",
	},
	strategy: {
		name: "keepTurns",
		schema: { type: "integer", minimum: 1, default: 3 },
		description: "How many of the newest turns stay; a turn starts at a message of the user.",
	},
} as const;

function schema(names: PluginNames, kind: PluginKindChoice): string {
	const { name, schema: option, description } = OPTIONS[kind];
	const properties = { [name]: { ...option, description } };
	return json({
		$schema: "http://json-schema.org/draft-07/schema#",
		title: names.type,
		description: `Options of the ${kind} "${names.use}".`,
		type: "object",
		properties,
		additionalProperties: false,
	});
}

/** What `precis codegen` prints of the schema; a new package needs it before anything is installed. */
function optionTypes(names: PluginNames, kind: PluginKindChoice): string {
	const { name, description } = OPTIONS[kind];
	const one = (type: string, mark: string): string => `/**
 * Options of the ${kind} "${names.use}".
 */
export interface ${type} {
  /**
   * ${description}
   */
  ${name}${mark}: number;
}
`;
	return `// Printed by \`precis codegen\`. Do not edit.\n${one(names.type, "?")}\n${one(`Resolved${names.type}`, "")}`;
}

function backendModule(names: PluginNames): string {
	return `import schema from "./schema.json" with { type: "json" };

/** The text of a message, without tool calls, files and the rest. */
function textOf(/** @type {import("precis/plugin").Message} */ { content }) {
	if (typeof content === "string") return content;
	return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join(" ");
}

/** @type {import("precis/plugin").BackendDefinition<import("./options.d.ts").Resolved${names.type}>} */
const backend = {
	name: "${names.use}",
	schema,
	create({ maxEntries }, _host) {
		return {
			async summarize(request, { signal }) {
				const [first] = request.template.sections;
				if (first === undefined) return { sections: {} };
				// Replace this: it keeps what the user said, the newest last.
				const entries = [...(request.previousSummary?.sections[first.id] ?? [])];
				for (const message of request.messages) {
					signal.throwIfAborted();
					const text = textOf(message).trim().slice(0, 200);
					if (message.role === "user" && text !== "") entries.push(text);
				}
				signal.throwIfAborted();
				return { sections: { [first.id]: [...new Set(entries)].slice(-maxEntries) } };
			},
		};
	},
};

/** @type {import("precis/plugin").Plugin} */
const plugin = { name: "${names.use}", apiVersion: 1, backends: [backend] };

export default plugin;
`;
}

function strategyModule(names: PluginNames): string {
	return `import schema from "./schema.json" with { type: "json" };

/** @type {import("precis/plugin").StrategyDefinition<import("./options.d.ts").Resolved${names.type}>} */
const strategy = {
	name: "${names.use}",
	schema,
	create({ keepTurns }, _host) {
		return {
			plan(transcript, { units }) {
				// Replace this: it drops all but the newest turns.
				const turns = [...transcript.keys()].filter((index) => transcript[index]?.role === "user");
				const cut = turns.at(-keepTurns) ?? 0;
				const old = units.members.filter((members) =>
					members.every((index) => {
						const message = transcript[index];
						const stays = message?.role === "system" || message?.providerOptions?.precis?.pin === true;
						return index < cut && !stays && !units.waiting.has(index);
					}),
				);
				const indices = old.flat().sort((left, right) => left - right);
				return indices.length === 0 ? [] : [{ drop: indices, why: \`older than the last \${keepTurns} turns\` }];
			},
		};
	},
};

/** @type {import("precis/plugin").Plugin} */
const plugin = { name: "${names.use}", apiVersion: 1, strategies: [strategy] };

export default plugin;
`;
}

function types(names: PluginNames, kind: PluginKindChoice): string {
	return `import type { Plugin } from "precis/plugin";
import type { ${names.type} } from "./options.d.ts";

export type { ${names.type} } from "./options.d.ts";

// Configs written in TypeScript know the options: { use: "${names.use}", … }.
declare module "precis" {
	interface ${kind === "backend" ? "BackendOptions" : "StrategyOptions"} {
		"${names.use}": ${names.type};
	}
}

declare const plugin: Plugin;
export default plugin;
`;
}

function contractTest(names: PluginNames, kind: PluginKindChoice): string {
	const [suite, list] =
		kind === "backend" ? ["backendContract", "backends"] : ["strategyContract", "strategies"];
	return `import assert from "node:assert/strict";
import { test } from "node:test";
import { createCompactor, createRegistry } from "precis";
import { ${suite}, generateTranscript } from "precis/testing";
import plugin from "../index.js";

const [definition] = plugin.${list} ?? [];
assert.ok(definition !== undefined);

${suite}({ test, definition });

test("${names.use} makes a transcript shorter", async () => {
	const config = ${kind === "backend" ? `{ strategy: { use: "summarize-older", keepLast: 4 }, backend: { use: "${names.use}" } }` : `{ strategy: { use: "${names.use}" } }`};
	const registry = createRegistry({ plugins: [plugin] });
	const compactor = await createCompactor(/** @type {import("precis").Config} */ (/** @type {unknown} */ (config)), { registry });
	const result = await compactor.compact(generateTranscript(4, 20));
	assert.equal(result.status, "compacted");
	assert.ok(result.tokens.after < result.tokens.before);
});
`;
}

function readme(names: PluginNames, kind: PluginKindChoice): string {
	const config =
		kind === "backend"
			? `{ "strategy": { "use": "summarize-older" }, "backend": { "use": "${names.use}" } }`
			: `{ "plugins": ["${names.package}"], "strategy": { "use": "${names.use}" } }`;
	return `# ${names.package}

The ${kind} "${names.use}" for précis.

\`\`\`sh
npm install precis ${names.package}
\`\`\`

\`precis.config.json\`:

\`\`\`jsonc
${config}
\`\`\`

## Develop

\`\`\`sh
npm install
npm test           # the contract suite of précis, and your own tests
npm run codegen    # schema.json → options.d.ts
npm run check      # types
npm pack
\`\`\`
`;
}

const CI = `name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20, 24]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm install
      - run: npm run check
      - run: npm test
`;

const TSCONFIG = json({
	compilerOptions: {
		target: "ES2023",
		lib: ["ES2023"],
		module: "NodeNext",
		types: ["node"],
		strict: true,
		allowJs: true,
		checkJs: true,
		noEmit: true,
		skipLibCheck: true,
		resolveJsonModule: true,
		allowImportingTsExtensions: true,
	},
	include: ["index.js", "index.d.ts", "options.d.ts", "test"],
});

/** The files of a new plugin package, by path. */
export function packageFiles(
	names: PluginNames,
	kind: PluginKindChoice,
	versions: ToolVersions,
): Readonly<Record<string, string>> {
	return {
		"package.json": manifest(names, kind, versions),
		"schema.json": schema(names, kind),
		"index.js": kind === "backend" ? backendModule(names) : strategyModule(names),
		"index.d.ts": types(names, kind),
		"options.d.ts": optionTypes(names, kind),
		"test/contract.test.js": contractTest(names, kind),
		"tsconfig.json": TSCONFIG,
		"README.md": readme(names, kind),
		".github/workflows/ci.yml": CI,
		".gitignore": "node_modules/\n*.tgz\n",
	};
}
